import { describe, expect, it, test } from 'vitest';
import {
  type AttemptNow,
  canBeTaskOf,
  judgeLateTask,
  putBack,
  type SentCreation,
} from '../../../src/money/answers/late-answers.ts';
import type { PollEnd } from '../../../src/money/answers/status-answer.ts';
import { type Item, statuses } from '../../../src/money/item.ts';
import { at, ending, itemIn } from '../lives.ts';

/** The last attempt of a row that waits for its answer. */
function waiting(more: Partial<Item> = {}): AttemptNow {
  return { taskId: null, isNamed: false, item: itemIn('uncertain', more) };
}

describe('a task that is known late', () => {
  test.each<[what: string, attempt: AttemptNow | null, type: string]>([
    ['of no attempt', null, 'refused'],
    ['that the attempt has', { taskId: 'LATE', isNamed: false, item: null }, 'known'],
    ['of a row that waits for it', waiting(), 'settles'],
    ['of a row that was told another', { ...waiting(), item: itemIn('failed') }, 'refused'],
    ['of a row that has a text since', { ...waiting(), item: itemIn('invalid') }, 'refused'],
    ['of an attempt that its row has left', { taskId: null, isNamed: false, item: null }, 'superseded'],
    ['in place of what a user found', { taskId: 'found', isNamed: true, item: null }, 'superseded'],
    ['beside that of the service', { taskId: 'other', isNamed: false, item: null }, 'refused'],
  ])('%s', (_, attempt, type) => {
    expect(judgeLateTask(attempt, 'late', at).type).toBe(type);
  });

  it('makes its row open', () => {
    const late = judgeLateTask(waiting(), 'late', at + 5);
    expect(late).toMatchObject({ before: waiting().item, after: { status: 'open', taskId: 'late' } });
  });
});

describe('a task that a caller names', () => {
  const minute = 60_000;
  const row = itemIn('uncertain', { submittedAt: at });
  const completed = (createdAt: string | null): PollEnd => ({
    type: 'task-completed',
    at,
    ending: { ...ending, createdAt },
    videoUrl: null,
    frames: [],
  });

  test.each<[PollEnd, boolean]>([
    [{ type: 'task-progressed', at, frames: [] }, true],
    [{ type: 'task-failed', at, ending: { ...ending, createdAt: null }, failure: 'no' }, true],
    [{ type: 'task-not-found', at, failure: 'Task not found', unknownMs: 0 }, false],
    [{ type: 'poll-unanswered', failure: 'no answer', retryAfterMs: null }, false],
    [{ type: 'poll-refused', failure: 'no', endsRun: 'key-refused' }, false],
  ])('counts only when the service knows it: %j', (answer, isIt) => {
    expect(canBeTaskOf(row, answer, { requestTimeoutMs: minute, hasTrueTimes: true })).toBe(isIt);
  });

  test.each([
    [at, true, true],
    [at - 60 * minute, true, false],
    [at - 60 * minute, false, true],
  ])('was made about when the row was sent, where the times are true', (time, hasTrueTimes, isIt) => {
    const answer = completed(new Date(time).toISOString());
    expect(canBeTaskOf(row, answer, { requestTimeoutMs: minute, hasTrueTimes })).toBe(isIt);
  });

  it('may be any where its time is not known', () => {
    expect(canBeTaskOf(row, completed(null), { requestTimeoutMs: minute, hasTrueTimes: true })).toBe(true);
  });
});

/** The creation after the last one that the item knows, answered with a task. */
function sentAfter(item: Item, more: Partial<SentCreation> = {}): SentCreation {
  return {
    token: 'forgotten',
    key: item.key,
    id: item.id,
    attempt: item.attempt + 1,
    requestHash: 'hash',
    quality: 'h',
    submittedAt: at + 1,
    taskId: 'task-9',
    isVoid: false,
    ...more,
  };
}

function lastOf(item: Item, sent: SentCreation): Item | undefined {
  const steps = putBack(item, sent, at + 10);
  expect(steps).toBeInstanceOf(Array);
  return typeof steps === 'string' ? undefined : steps.at(-1);
}

const onTheirWay = ['submitting', 'open', 'downloading'] as const;
const atRest = statuses.filter((status) => !onTheirWay.some((each) => each === status));

describe('a creation that the store has forgotten', () => {
  it.for(atRest)('%s: the row is open with its task again', (status) => {
    const item = itemIn(status);
    const sent = sentAfter(item);
    const steps = putBack(item, sent, at + 10);
    expect(lastOf(item, sent)).toMatchObject({
      status: 'open',
      attempt: sent.attempt,
      token: 'forgotten',
      taskId: 'task-9',
      requestHash: 'hash',
      quality: 'h',
      submittedAt: at + 1,
      points: null,
    });
    // Each of them is a change of its own, which the store counts.
    const versions = typeof steps === 'string' ? [] : steps.map(({ version }) => version - item.version);
    expect(versions).toEqual(versions.map((_, place) => place + 1));
  });

  it('is uncertain where its answer is not known, and pending where it surely made no task', () => {
    const item = itemIn('pending');
    expect(lastOf(item, sentAfter(item, { taskId: null }))).toMatchObject({
      status: 'uncertain',
      taskId: null,
    });
    expect(lastOf(item, sentAfter(item, { taskId: null, isVoid: true }))).toMatchObject({
      status: 'pending',
      attempt: 1,
      points: 0,
    });
  });

  it('keeps its number where earlier ones are forgotten, too', () => {
    const item = itemIn('pending');
    expect(lastOf(item, sentAfter(item, { attempt: 3, requestHash: null }))).toMatchObject({
      attempt: 3,
      requestHash: '',
    });
  });

  it.for(onTheirWay)('waits for the earlier attempt of a row that is %s', (status) => {
    const item = itemIn(status);
    expect(putBack(item, sentAfter(item), at)).toBe('later');
  });

  it('is recorded behind the attempt that came after it, which stays', () => {
    const item = { ...itemIn('completed'), attempt: 2, submittedAt: at + 100 };
    const steps = putBack(item, sentAfter(item, { attempt: 1 }), at + 200);
    expect(steps).toMatchObject([
      ...[{ status: 'open', attempt: 1, token: 'forgotten', taskId: 'task-9', points: null }],
      { ...item, version: item.version + 2 },
    ]);
  });

  it('is the last attempt of a row that was never sent anew after it', () => {
    const item = { ...itemIn('failed'), attempt: 2, submittedAt: null };
    expect(lastOf(item, sentAfter(item, { attempt: 1 }))).toMatchObject({ status: 'open', attempt: 3 });
  });

  it('needs nothing where the row has moved on and its task is not known', () => {
    const item = itemIn('completed');
    const sent = sentAfter(item, { attempt: item.attempt, taskId: null });
    expect(putBack(item, sent, at)).toBe('needless');
    expect(putBack(item, { ...sent, isVoid: true }, at)).toBe('needless');
    const refused = { ...itemIn('pending'), attempt: 1 };
    expect(lastOf(refused, sentAfter(refused, { attempt: 1, taskId: null }))).toMatchObject({
      status: 'uncertain',
      attempt: 2,
    });
    const waiting = { ...itemIn('pending'), attempt: 2 };
    expect(lastOf(waiting, sentAfter(waiting, { attempt: 1, taskId: null }))).toMatchObject({
      status: 'uncertain',
      attempt: 3,
    });
  });
});
