/** Who took over from whom, as every worker of a shared run sees it. */

import { expect, test } from 'vitest';
import { Takeovers } from '../../../src/app/fleet/takeovers.ts';

const sign = (name: string, slices: readonly number[], lastSeenAt: number, isAlive = true) => ({
  name,
  slices,
  lastSeenAt,
  isAlive,
});

test('slices of a silent worker are taken over once, by each of those that have them now', () => {
  const crew = new Takeovers();
  expect(crew.look([sign('a', [1, 2], 0), sign('b', [3, 4, 5], 0)], 1_000)).toEqual([]);
  expect(crew.look([sign('a', [1, 2, 3], 8_000), sign('b', [3, 4, 5], 0)], 9_000)).toEqual([]);
  expect(crew.look([sign('a', [1, 2, 3, 4], 16_000), sign('b', [3, 4, 5], 0, false)], 17_000)).toEqual([
    { type: 'took-over', name: 'a', from: 'b', slices: 2, silentMs: 17_000 },
  ]);
  const third = [sign('a', [1, 2, 3], 20_000), sign('b', [3, 4, 5], 0, false), sign('c', [4, 5], 20_000)];
  expect(crew.look(third, 21_000)).toEqual([
    { type: 'joined', name: 'c' },
    { type: 'took-over', name: 'c', from: 'b', slices: 1, silentMs: 21_000 },
  ]);
});

test('a worker that shares its slices in good order loses none to anybody', () => {
  const crew = new Takeovers();
  crew.look([sign('a', [1, 2, 3, 4], 0)], 1_000);
  expect(crew.look([sign('a', [1, 2, 3, 4], 4_000), sign('b', [3], 5_000)], 5_000)).toEqual([
    { type: 'joined', name: 'b' },
  ]);
  expect(crew.look([sign('b', [1, 2, 3, 4], 8_000)], 9_000)).toEqual([{ type: 'left', name: 'a' }]);
});

test('a worker that was silent and is heard of again has returned', () => {
  const crew = new Takeovers();
  crew.look([sign('a', [1], 0)], 1_000);
  crew.look([sign('a', [1], 0, false)], 60_000);
  expect(crew.look([sign('a', [], 61_000)], 62_000)).toEqual([{ type: 'returned', name: 'a' }]);
  expect(crew.look([sign('a', [], 65_000)], 66_000)).toEqual([]);
});

test('workers that died before the first look, and are forgotten later, are no news', () => {
  const crew = new Takeovers();
  crew.look([sign('a', [1, 2], 100_000), sign('b', [2], 0, false)], 100_000);
  expect(crew.look([sign('a', [1, 2], 104_000), sign('b', [2], 0, false)], 104_000)).toEqual([]);
  expect(crew.look([sign('a', [1, 2], 108_000)], 108_000)).toEqual([]);
});
