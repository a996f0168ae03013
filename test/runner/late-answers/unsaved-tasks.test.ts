import { expect, it } from 'vitest';
import { CheckpointError, DiskError } from '../../../src/errors.ts';
import { UnsavedTasks } from '../../../src/runner/late-answers/unsaved-tasks.ts';
import { eventOf, itemIn } from '../../money/lives.ts';

it('a task that could not be saved is reported once, however often it failed', () => {
  const unsaved = new UnsavedTasks(null);
  const accepted = eventOf('creation-accepted', { taskId: 'task-7' });
  for (let time = 1; time <= 2; time++) unsaved.note(itemIn('submitting'), accepted);
  expect(unsaved.explain(new Error('the disk is full'))).toMatchObject({
    message:
      'the disk is full; these tasks were accepted but could not be saved; settle them with `batch resolve`: row sum-1: --task-id task-7',
  });
});

it.for([
  [new DiskError('the disk is full'), { code: 'DISK', exitCode: 4 }],
  [new CheckpointError('it is damaged'), { code: 'CHECKPOINT', exitCode: 2 }],
  [new TypeError('x is undefined'), { code: 'BUG', exitCode: 70 }],
] as const)('what kept it from being saved stays what it is: %s', ([error, kind]) => {
  const unsaved = new UnsavedTasks(null);
  unsaved.note(itemIn('submitting'), eventOf('creation-accepted', { taskId: 'task-7' }));
  expect(unsaved.explain(error)).toMatchObject({ ...kind, cause: error });
});

it('what a journal keeps is not reported: the next start saves it', () => {
  const kept: unknown[] = [];
  const journal = { keep: (id: unknown) => kept.push(id) === 1, sync: () => {}, forget: () => {} };
  const unsaved = new UnsavedTasks(journal);
  const error = new DiskError('the disk is full');
  unsaved.note(itemIn('submitting', { token: 't1' }), eventOf('creation-accepted', { taskId: 'task-7' }));
  expect(unsaved.explain(error)).toBe(error);
  expect(kept).toEqual([{ token: 't1', taskId: 'task-7' }]);
  // The second finds no room.
  unsaved.note(itemIn('submitting', { token: 't2' }), eventOf('creation-accepted', { taskId: 'task-8' }));
  expect(unsaved.explain(error)).toMatchObject({
    message: expect.stringMatching(/: row sum-1: --task-id task-8$/),
  });
});
