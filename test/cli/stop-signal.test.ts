import { expect, test } from 'vitest';
import { decideSignal } from '../../src/cli/stop-signal.ts';

test.for([
  ['SIGINT', null, 'stop'],
  ['SIGHUP', null, 'stop'],
  ['SIGTERM', 0.4, 'nothing'],
  ['SIGINT', 999, 'nothing'],
  ['SIGINT', 1_000, 'leave'],
  ['SIGTERM', 60_000, 'leave'],
  ['SIGHUP', 60_000, 'nothing'],
] as const)('%s, %s ms after the first signal: %s', ([signal, sinceFirstMs, order]) => {
  expect(decideSignal(signal, sinceFirstMs)).toBe(order);
});
