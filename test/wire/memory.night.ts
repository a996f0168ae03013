/** The real program with little memory against answers that are made to fill it. */

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { clip, completed, type Reply, type Script } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { bytesOf, whole } from './lies.ts';

const spaces = Buffer.alloc(100_000_000, ' ');
const depth = 100_000;
const deep = `{"status":"success","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const pour =
  (bytes: Uint8Array): Reply =>
  ({ socket }) =>
    void socket?.end(bytes);

const success = (data: object) => JSON.stringify({ status: 'success', data });
const manyFrames = (taskId: string) =>
  success({
    task_id: taskId,
    status: 'IN_PROGRESS',
    progress: Array.from({ length: 100_000 }, (_, id) => ({ id, image: 'x:' })),
  });

/** Each row meets one of them, where its name says; what it asks afterwards is answered as it should be. */
const creations: Readonly<Record<string, (taskId: string) => Uint8Array>> = {
  'creation long': (taskId) => whole(bytesOf(success({ task_id: taskId }), spaces)),
  'creation bomb': (taskId) =>
    whole(gzipSync(bytesOf(success({ task_id: taskId }), spaces)), 200, 'content-encoding: gzip'),
  'creation deep': () => whole(deep),
};
const statuses: typeof creations = {
  'status long': (taskId) => whole(bytesOf(success({ task_id: taskId, status: 'IN_PROGRESS' }), spaces)),
  'status gzip bomb': () => whole(gzipSync(spaces), 200, 'content-encoding: gzip'),
  'status brotli bomb': () => whole(brotli(spaces), 200, 'content-encoding: br'),
  'status deep': () => whole(deep),
  'status frames': (taskId) => whole(manyFrames(taskId)),
};
const files: typeof creations = {
  'file long': () => whole(bytesOf(clip, spaces)),
  'file bomb': () => whole(gzipSync(bytesOf(clip, spaces)), 200, 'content-encoding: gzip'),
};
const names = [...Object.keys(creations), ...Object.keys(statuses), ...Object.keys(files)];

const lying: Script = {
  create({ question }, accept) {
    const make = creations[question.replace('Question ', '')];
    return make === undefined ? undefined : pour(make(accept()));
  },
  status(task) {
    const make = statuses[task.question.replace('Question ', '')];
    return make === undefined || task.queries > 1 ? completed(task) : pour(make(task.taskId));
  },
  file({ question, count }) {
    const make = files[question.replace('Question ', '')];
    return make === undefined || count > 1 ? undefined : pour(make(''));
  },
};

const tellPeak = `process.on('exit', () => process.stderr.write('peak of ' + process.resourceUsage().maxRSS + ' kB\\n'))`;
const node = ['--max-old-space-size=192', '--import', `data:text/javascript,${encodeURIComponent(tellPeak)}`];

/** Runs all rows; gives the ending, the statuses and the most memory the program ever had (MB). */
async function run(script: Script) {
  await using stage = await openStage(script);
  await stage.write('q.csv', questions(...names));
  const { code, stderr } = await stage.batch(runLine('q.csv'), { node });
  const peakMb = Number(/peak of (\d+) kB/.exec(stderr)?.[1]) / 1_000;
  return { code, peakMb, statuses: await stage.statuses() };
}

it('lives through bodies of 100 MB, bombs and nests with a heap of 192 MB, and keeps no more than 300 MB of them', {
  timeout: 180_000,
}, async () => {
  const honest = await run({});
  expect(honest.code).toBe(0);
  const lied = await run(lying);
  expect(lied.statuses).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 'completed'])),
    'creation deep': 'uncertain',
  });
  expect(lied.code).toBe(5);
  expect(lied.peakMb - honest.peakMb, `${lied.peakMb} MB after ${honest.peakMb} MB`).toBeLessThan(300);
});
