import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPreferences } from '../../../src/app/naming/read-marks.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { openFolder } from '../../../src/app/output-folder.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { preferAttempts } from '../../../src/features/review/prefer-attempts.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import { reportLine } from '../../../src/reports/columns.ts';
import { eventOf, fileAt } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { accepted } from '../../support/saved-lives.ts';
import { runOver } from '../../support/store-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const made = [
  eventOf('task-completed', { frames: [] }),
  eventOf('video-saved', { file: fileAt('q1/video.mp4') }),
];

/** A folder that this process locks until it is closed: q1 has two videos, q2 none. */
async function openTried() {
  const folder = await temporaryFolder();
  const store = await openFolder(folder.path);
  const run = runOver(store);
  await run.ingest(incomingRows(...namedRows(2)));
  await run.live('q1', ...accepted('task-1'), ...made, eventOf('retry-ordered'));
  await run.live('q1', ...again('task-2', 'attempt-1'));
  const close = (): Promise<void> => Promise.resolve(store[Symbol.asyncDispose]());
  return {
    run,
    close,
    path: folder.path,
    invocation: readInvocation({}, { out: folder.path, dotEnv: false }),
    videos: async (): Promise<(string | null)[]> =>
      (await Array.fromAsync(run.checkpoint.reportRows())).map((row) => reportLine(row).video),
    async [Symbol.asyncDispose]() {
      await close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function again(taskId: string, aside: string): readonly ItemEvent[] {
  const claimed = eventOf('claimed', { token: `token of ${taskId}`, aside });
  return [claimed, eventOf('creation-accepted', { taskId }), ...made];
}

it('a row has the video of the preferred attempt until another one is chosen, also while a process works on it', async () => {
  await using tried = await openTried();
  const { run, invocation, videos } = tried;
  const before = await run.item('q1');
  expect(await videos()).toEqual(['q1/video.mp4', null]);
  expect(await preferAttempts(invocation, [{ id: 'q1', attempt: 1 }])).toMatchObject({
    rows: 1,
    isInUse: true,
  });
  expect(await videos()).toEqual(['q1/attempt-1/video.mp4', null]);
  expect(await run.item('q1')).toEqual(before);
  await preferAttempts(invocation, [{ id: 'q1', attempt: null }]);
  expect(await videos()).toEqual(['q1/video.mp4', null]);
});

it('a chosen video stays chosen when a later attempt makes another one', async () => {
  await using tried = await openTried();
  const { run, invocation, videos } = tried;
  await preferAttempts(invocation, [{ id: 'q1', attempt: 2 }]);
  await run.live('q1', eventOf('retry-ordered'), ...again('task-3', 'attempt-2'));
  expect(await videos()).toEqual(['q1/attempt-2/video.mp4', null]);
});

it('nothing is chosen where one of the rows or videos is unknown', async () => {
  await using tried = await openTried();
  const { invocation, videos } = tried;
  const good = { id: 'q1', attempt: 1 };
  for (const [bad, message] of [
    [{ id: 'q1', attempt: 3 }, 'row q1 has no video of attempt 3: it has those of attempts 1, 2'],
    [{ id: 'q2', attempt: 1 }, 'row q2 has no video of attempt 1: it has no video'],
    [{ id: 'q9', attempt: 1 }, 'no row has the id q9'],
  ] as const)
    await expect(preferAttempts(invocation, [good, bad])).rejects.toThrow(message);
  expect(await videos()).toEqual(['q1/video.mp4', null]);
});

it('a run that no process works on is opened for it, and a folder without a run is refused', async () => {
  await using tried = await openTried();
  const { invocation, close, path } = tried;
  await close();
  expect(await preferAttempts(invocation, [{ id: 'q1', attempt: 1 }])).toMatchObject({ isInUse: false });
  const store = await storeIn(path).look();
  expect([...((await store?.reviews.preferences()) ?? new Map()).values()]).toEqual([1]);
  await store?.[Symbol.asyncDispose]();
  await using empty = await temporaryFolder();
  const elsewhere = readInvocation({}, { out: empty.path, dotEnv: false });
  await expect(preferAttempts(elsewhere, [])).rejects.toThrow('there is no run');
});

it('the exported marks say which attempts to prefer', async () => {
  await using folder = await temporaryFolder();
  const read = async (text: string) => {
    const file = join(folder.path, 'marks.csv');
    await writeFile(file, text);
    return readPreferences(file, '--from marks.csv');
  };
  expect(await read('id,mark,prefer\nq1,good,1.0\nq2,bad,\nq3,,Latest\nq1,good,1\n')).toEqual([
    { id: 'q1', line: 5, attempt: 1 },
    { id: 'q3', line: 4, attempt: null },
  ]);
  await expect(read('id,prefer\nq1,\n')).rejects.toThrow('no row has an attempt in a column "prefer"');
  await expect(read('id,prefer\nq1,first\n')).rejects.toThrow('marks.csv:2: the attempt "first"');
  await expect(read('id,prefer\nq1,1\nq1,2\n')).rejects.toThrow(':3: row q1 stands twice');
  await expect(read('name\nq1\n')).rejects.toThrow('the file has no column "id"');
});
