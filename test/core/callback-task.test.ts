import { expect, test } from 'vitest';
import { canBeTaskOf, isMadeForRow } from '../../src/core/callback-task.ts';
import type { PollEnd } from '../../src/core/status-answer.ts';
import { at, ending, itemIn } from './lives.ts';

const minute = 60_000;
const row = itemIn('uncertain', { submittedAt: at });
const completed = (createdAt: string | null): PollEnd => ({
  type: 'task-completed',
  at,
  ending: { ...ending, createdAt },
  videoUrl: null,
  frames: [],
});
const iso = (time: number): string => new Date(time).toISOString();

test.each<[PollEnd, boolean]>([
  [{ type: 'task-progressed', at, frames: [] }, true],
  [{ type: 'task-failed', at, ending: { ...ending, createdAt: null }, failure: 'no' }, true],
  [{ type: 'task-not-found', at, failure: 'Task not found', unknownMs: 0 }, false],
  [{ type: 'poll-unanswered', failure: 'no answer', retryAfterMs: null }, false],
  [{ type: 'poll-refused', failure: 'no', endsRun: 'key-refused' }, false],
])('a task counts only when the service knows it: %j', (answer, isIt) => {
  expect(canBeTaskOf(row, answer, { requestTimeoutMs: minute, hasTrueTimes: true })).toBe(isIt);
});

test.each([
  ['at the time of the creation', iso(at + 500), true],
  ['a little before, by another clock', iso(at - 9 * minute), true],
  ['as late as its answer may have been', iso(at + 10 * minute), true],
  ['an hour before', iso(at - 60 * minute), false],
  ['an hour after', iso(at + 60 * minute), false],
  ['in another zone', new Date(at - 60 * minute).toISOString().replace('Z', '-01:00'), true],
  ['at a time without a zone, which may be any', '2019-01-01T00:00:00', true],
  ['at no time', '2019-13-41T99:00:00Z', true],
  ['never', null, true],
])('a task that was made %s can be the one: %s, %s', (_, createdAt, isIt) => {
  const [truly, perhaps] = [true, false].map((hasTrueTimes) =>
    canBeTaskOf(row, completed(createdAt), { requestTimeoutMs: minute, hasTrueTimes }),
  );
  expect(truly).toBe(isIt);
  expect(perhaps).toBe(true);
});

test('a row without a time of its own has nothing to be held against', () => {
  expect(isMadeForRow({ submittedAt: null }, iso(0), minute)).toBeNull();
});
