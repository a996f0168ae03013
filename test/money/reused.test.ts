import { describe, expect, it } from 'vitest';
import { message } from '../../src/messages/message.ts';
import type { Item } from '../../src/money/item.ts';
import { isHeld, isTwinHeld, mayReuse, reusedFrom, withReused } from '../../src/money/reused.ts';
import { itemIn, savedVideo } from './lives.ts';

const waiting = (more: Partial<Item> = {}): Item =>
  itemIn('pending', { attempt: 0, token: null, taskId: null, artifacts: [], failure: null, ...more });
const held = message('row.twin', { id: 'a' }).text;
const origin = {
  quality: 'h',
  title: 'A title',
  folder: '/last',
  id: 'old-7',
  artifacts: [savedVideo],
} as const;

describe('a row that takes the video of another row', () => {
  it('is completed without an attempt, costs nothing, and says where the video is from', () => {
    const before = waiting();
    const after = withReused(before, origin);
    expect(after).toMatchObject({
      status: 'completed',
      attempt: 0,
      token: null,
      taskId: null,
      points: 0,
      quality: 'h',
      title: 'A title',
      version: before.version + 1,
      artifacts: origin.artifacts,
    });
    expect(reusedFrom(after)).toBe('/last old-7');
    expect(reusedFrom(withReused(waiting(), { ...origin, folder: null }))).toBe('old-7');
  });

  it.each<Partial<Item>>([{ status: 'pending' }, { taskId: 'task-1' }, { detail: null }, { detail: 'x' }])(
    'is known by all that tells it from a row with a task: %j',
    (other) => {
      expect(reusedFrom({ ...withReused(waiting(), origin), ...other })).toBeNull();
    },
  );
});

describe('a row may take one', () => {
  it.each<[string, Partial<Item>, boolean]>([
    ['that waits for the first time', {}, true],
    ['that waits for the video of another row', { status: 'invalid', failure: held }, true],
    ['that cannot be sent', { status: 'invalid', failure: 'it is empty' }, false],
    ['whose attempt came to nothing', { attempt: 1 }, true],
    ['that has frames alone', { artifacts: [{ ...savedVideo, kind: 'frame', ordinal: 1 }] }, true],
    ['that has a video', { artifacts: [savedVideo] }, false],
    ['that is done', { status: 'completed' }, false],
  ])('%s', (_, more, may) => {
    expect(mayReuse(waiting(more))).toBe(may);
  });

  it('is held back by a reason of its own', () => {
    expect([held, 'looks odd: x', null].map(isTwinHeld)).toEqual([true, false, false]);
    expect(isHeld({ status: 'invalid', failure: held })).toBe(true);
    expect(isHeld({ status: 'failed', failure: held })).toBe(false);
  });
});
