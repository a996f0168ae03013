import { expect, it } from 'vitest';
import { DiskError } from '../../../src/errors.ts';
import { compareWithDisk } from '../../../src/runner/downloading/known-file.ts';
import { eventOf, move } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

/** Whether each file that the checkpoint calls saved is on disk as it was saved. */
async function filesOf({ item, tree }: Trial): Promise<(string | null)[]> {
  const { artifacts } = await item('q1');
  const states = await Promise.all(artifacts.map((artifact) => compareWithDisk(tree, artifact)));
  return states.map((state) => state?.is ?? null);
}

it('what an attempt made is where the checkpoint says, though the claim of the next one is never saved', async () => {
  await using trial = await openTrial(namedRows(1));
  await trial.run();
  const before = await trial.item('q1');
  const after = move(before, eventOf('retry-ordered')).item;
  await trial.checkpoint.commit([{ before, after }]);
  trial.checkpoint.failure = new DiskError('the disk is full');
  await expect(trial.run()).rejects.toThrow('the disk is full');
  expect(await trial.item('q1')).toEqual(after);
  expect(await filesOf(trial)).toEqual(['whole']);

  // Saved at last, it has the files of the one before aside, and then its own.
  trial.checkpoint.failure = null;
  trial.checkpoint.onCommit = async ([change]) => {
    if (change?.after.status !== 'submitting') return;
    expect(change.after.artifacts).toMatchObject([{ kind: 'earlier-video', path: 'q1/attempt-1/video.mp4' }]);
    expect(await filesOf(trial)).toEqual(['whole']);
  };
  await trial.run();
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 2 });
  expect(await filesOf(trial)).toEqual(['whole', 'whole']);
  expect([...trial.tree.files.keys()].sort()).toEqual([
    'q1/attempt-1/task.json',
    'q1/attempt-1/video.mp4',
    'q1/task.json',
    'q1/video.mp4',
  ]);
});
