import { describe, expect, it } from 'vitest';
import { type Item, statuses } from '../../src/core/item.ts';
import { putBack, type SentCreation } from '../../src/core/put-back.ts';
import { at, itemIn } from './lives.ts';

/** The creation after the last one that the item knows, answered with a task. */
function sentAfter(item: Item, more: Partial<SentCreation> = {}): SentCreation {
  return {
    ...{ token: 'forgotten', key: item.key, id: item.id, attempt: item.attempt + 1, requestHash: 'hash' },
    ...{ quality: 'h', submittedAt: at + 1, taskId: 'task-9', isVoid: false },
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
      ...{ status: 'open', attempt: sent.attempt, token: 'forgotten', taskId: 'task-9', requestHash: 'hash' },
      ...{ quality: 'h', submittedAt: at + 1, points: null },
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
      ...{ status: 'pending', attempt: 1, points: 0 },
    });
  });

  it('keeps its number where earlier ones are forgotten, too', () => {
    const item = itemIn('pending');
    expect(lastOf(item, sentAfter(item, { attempt: 3, requestHash: null }))).toMatchObject({
      ...{ attempt: 3, requestHash: '' },
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
      ...{ status: 'uncertain', attempt: 2 },
    });
    const waiting = { ...itemIn('pending'), attempt: 2 };
    expect(lastOf(waiting, sentAfter(waiting, { attempt: 1, taskId: null }))).toMatchObject({
      ...{ status: 'uncertain', attempt: 3 },
    });
  });
});
