import { expect, it } from 'vitest';
import { ownMode } from '../../src/files/own-mode.ts';

it.each([
  [0o755, 0o600],
  [0o40700, 0o600],
  [0o775, 0o666],
  [0o42775, 0o666],
  [0o777, 0o666],
  [0o702, 0o666],
])('in a folder of mode %o what a run keeps for itself has mode %o', (mode, own) => {
  expect(ownMode({ mode })).toBe(own);
});
