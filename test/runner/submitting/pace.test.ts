import { expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import { Pace } from '../../../src/runner/submitting/pace.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

it.for([
  ['gathers with what others bring, soon after a commit', 5, null, fixed.gatherMs],
  ['waits until the last of the others has come', 5, 12, 12],
  ['waits for nobody where there is nobody else', 5, 0, 5],
  ['waits for nobody long after a commit', fixed.gatherMs + 5, null, fixed.gatherMs + 5],
] as const)('an event %s', async ([, cameMs, quietMs, savedMs]) => {
  const clock = new VirtualClock(0);
  const pace = new Pace(clock);
  pace.noteCommit();
  const quiet = new AbortController();
  if (quietMs === 0) quiet.abort();
  const rested = pace.rest(clock.steady(), Number.POSITIVE_INFINITY, { quiet: quiet.signal });
  const since = clock.steady();
  await clock.wait(cameMs);
  pace.wake();
  if (quietMs !== null && quietMs > cameMs) {
    await clock.wait(quietMs - cameMs);
    quiet.abort();
  }
  await rested;
  expect(clock.steady() - since).toBe(savedMs);
});
