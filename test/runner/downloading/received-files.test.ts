import { expect, it } from 'vitest';
import { DiskError, StoreAwayError } from '../../../src/errors.ts';
import { keptEntry } from '../../../src/files/image-source.ts';
import type { SavedFile } from '../../../src/money/item.ts';
import { prepareRequest } from '../../../src/runner/submitting/prepare-request.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { done } from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';
import { pictures } from '../../support/workbook.ts';

/** From now on files are received, but the outputs refuse them until `accept` is called. */
function refuseFiles({ tree }: Trial) {
  const openPart = tree.openPart.bind(tree);
  const received = new Map<string, () => Promise<SavedFile>>();
  tree.openPart = async (target) => {
    const part = await openPart(target);
    const commit = async (path: string): Promise<SavedFile> => {
      received.set(target, () => part.commit(path));
      throw new DiskError('the bucket is full');
    };
    return Object.assign(Object.create(part), { commit });
  };
  return {
    received,
    accept() {
      tree.openPart = openPart;
      tree.saveReceived = async (target?: string) => {
        const save = received.get(target ?? '');
        received.delete(target ?? '');
        return save === undefined ? null : ((await save()) as never);
      };
    },
  };
}

it('files that the outputs refused are saved by the next run, without another download', async () => {
  await using trial = await openTrial(namedRows(3), { status: (task) => done(task, ['f1', 'f2']) });
  const refusing = refuseFiles(trial);
  expect(await trial.run()).toEqual({ reason: 'disk', failure: 'the bucket is full' });
  const kept = refusing.received.size;
  expect(kept).toBeGreaterThan(0);
  const before = trial.tasks.fileRequests.length;
  refusing.accept();
  expect((await trial.run()).reason).toBe('done');
  expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
  expect(trial.tasks.fileRequests).toHaveLength(9 - kept + before);
  expect(trial.tasks.creations).toHaveLength(3);
  const files = ['frames/001.png', 'frames/002.png', 'task.json', 'video.mp4'];
  expect([...trial.tree.files.keys()].sort()).toEqual(
    ['q1', 'q2', 'q3'].flatMap((row) => files.map((file) => `${row}/${file}`)),
  );
});

it.each([new DiskError('the bucket refused'), new StoreAwayError('the store does not answer')])(
  'a row is not called unsendable because its pictures cannot be read now: %s',
  async (refusal) => {
    await using trial = await openTrial([{ id: 'a', question: 'A', image: 'a.png' }]);
    const refuse = (): Promise<never> => Promise.reject(refusal);
    const images = { read: refuse, readKept: refuse };
    const ports = { checkpoint: trial.checkpoint, images };
    const defaults = { quality: null, notifyUrl: null, maxImageBytes: 1_000 };
    await expect(prepareRequest(ports, await trial.item('a'), defaults)).rejects.toBe(refusal);
  },
);

it('no picture is sent that is cut off, wherever it comes from: it was read before, or changed since', async () => {
  const cut = pictures.png.subarray(0, -1);
  const data = cut.toString('base64');
  const sha256 = 'ab'.repeat(32);
  await using trial = await openTrial([
    { id: 'a', question: 'A', image: 'a.png' },
    { id: 'b', question: 'B', image: data },
    { id: 'c', question: 'C', image: `data:image/png;base64,${data}` },
    { id: 'd', question: 'D', image: keptEntry(sha256) },
  ]);
  const ports = {
    checkpoint: trial.checkpoint,
    images: { read: async () => cut, readKept: async () => cut },
  };
  const defaults = { quality: null, notifyUrl: null, maxImageBytes: 1_000 };
  const failures = [];
  for (const id of ['a', 'b', 'c', 'd'])
    failures.push(await prepareRequest(ports, await trial.item(id), defaults));
  expect(failures).toEqual([
    { failure: expect.stringMatching(/a\.png is cut off$/) },
    { failure: 'an image of the row is cut off' },
    { failure: 'an image of the row is cut off' },
    { failure: `images/${sha256} is cut off` },
  ]);
});
