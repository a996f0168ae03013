/** A service that names more frames than any video has: the run does not wait for those that nobody can have any more. */

import { expect, it } from 'vitest';
import { frameOf } from '../money/lives.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../support/incoming-rows.ts';
import { accepted, liveOn } from '../support/saved-lives.ts';
import { done, inProgress } from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

it('10,000 frames that the finished task does not name any more are given up and not asked for', async () => {
  const frameIds = Array.from({ length: 10_000 }, (_, i) => `frame-${i}`);
  await using trial = await openTrial(namedRows(1), {
    status: (task) => (task.queriedMs.length === 1 ? inProgress(...frameIds) : done(task)),
  });
  expect((await trial.run({ pollIntervalMs: 1_000 })).reason).toBe('done');
  expect(await trial.statuses()).toEqual(['completed']);
  const asked = trial.tasks.fileRequests.filter(({ link }) => link.startsWith('frames/'));
  expect(asked.length).toBeLessThan(100);
});

it('one of 2,000 frames is saved without a comparison of each with each', async () => {
  const count = 2_000;
  let reads = 0;
  const frames = Array.from({ length: count }, (_, i) => ({
    ...frameOf({ remoteId: `frame-${i}` }),
    get ordinal() {
      reads += 1;
      return i + 1;
    },
  }));
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows({ id: 'a', question: 'Why?' }));
  const { checkpoint } = folder;
  const open = await liveOn(checkpoint, 'a', ...accepted('task-1'));
  const named = { ...open, artifacts: frames };
  await checkpoint.commit([{ before: open, after: named }]);
  reads = 0;
  const [first = frameOf(), ...others] = frames;
  await checkpoint.commit([
    { before: named, after: { ...named, artifacts: [{ ...first, tries: 1 }, ...others] } },
  ]);
  expect(reads).toBeLessThan(10 * count);
});
