/** Two rows on a disk that refuses, and what must be true of them: after it, and once the disk is well again. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ending } from '../../cli/support/program.ts';
import {
  type Creation,
  clip,
  completed,
  type FileRequest,
  inProgress,
  picture,
  type Reply,
  type Script,
} from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

/** Arguments of Node under which the disk refuses what `DISK_FAULT` names. */
export const preload = ['--import', new URL('./failing-disk.ts', import.meta.url).href];

/** Each first request for a file is cut, so that parts are kept and gone on with. */
function cutOnce({ count, name, headers }: FileRequest): Reply {
  const bytes = name.startsWith('frame') ? picture : clip;
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const more = { etag: '"v1"', 'content-length': bytes.length - from };
  return (response) => {
    if (from > 0)
      response.writeHead(206, {
        ...more,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
    else response.writeHead(200, more);
    if (count > 1) response.end(bytes.subarray(from));
    else response.write(bytes.subarray(from, bytes.length / 2), () => response.socket?.end());
  };
}

/** Two rows; frames come before the video. */
const script: Script = {
  status: (task) => (task.queries === 1 ? inProgress(task, 1) : completed(task, { frameCount: 2 })),
  file: cutOnce,
};

export const line = runLine('q.csv');

export async function openTwo(): Promise<Stage> {
  // With the second creation the first row's own parts may be there already.
  const create = ({ question }: Creation) => (question === 'Question a' ? leaveParts() : undefined);
  const stage = await openStage({ ...script, create });
  // Of no use without their validators: they are in the way, and are removed. Before the row is sent they would be a stranger's.
  const leaveParts = async (): Promise<undefined> => {
    await stage.write('videos/a/video.part', 'left');
    await stage.write('videos/a/frames/001.part', 'left');
  };
  await stage.write('q.csv', questions('a', 'b'));
  return stage;
}

/** Runs on a disk that refuses at `SITE#CALL` with this code until the sign is taken away. */
export async function runOn(stage: Stage, place: string, code: string): Promise<Ending> {
  await stage.write('sign', '');
  const [sign, record] = [join(stage.folder, 'sign'), join(stage.folder, 'sites')];
  const env = { DISK_FAULT: `${place}#${code}`, DISK_FAULT_SIGN: sign, DISK_SITES: record };
  return stage.batch(line, { env, node: preload });
}

/** Whatever stands under a final name is whole. */
export async function expectWholeFiles(stage: Stage): Promise<void> {
  for (const name of await stage.list('videos')) {
    const bytes = await readFile(join(stage.folder, 'videos', name));
    if (/\/video\.\w+$/.test(name) && !/\.part/.test(name)) expect(clip.equals(bytes), name).toBe(true);
    if (/frames\/\d+\.png$/.test(name)) expect(picture.equals(bytes), name).toBe(true);
    if (/(^|\/)task\.json$/.test(name))
      expect(JSON.parse(bytes.toString()), name).toHaveProperty('points', 10);
  }
}

export function expectPlain({ code, stdout, stderr }: Ending, codes: readonly number[]): void {
  const said = `exit ${code}\n${stdout}${stderr}`;
  expect(codes, said).toContain(code);
  expect(said).not.toMatch(/\n\s+at |a bug in batch/);
}

/** The same line on a well disk ends with every video, and each question was paid for once. */
export async function expectHealed(stage: Stage, files = ['task.json', 'video.webm']): Promise<void> {
  await stage.remove('sign');
  expectPlain(await stage.batch(line), [0]);
  await expectWholeFiles(stage);
  expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  expect((await stage.report()).map(({ points }) => points)).toEqual(['10', '10']);
  expect(stage.service.creations).toHaveLength(2);
  for (const id of ['a', 'b']) {
    const names = await readdir(join(stage.folder, 'videos', id));
    expect(names).toEqual(expect.arrayContaining(files));
  }
}

/** Row and task of each task that was said aloud because it could not be saved. */
export function unsavedTasks({ stdout, stderr }: Ending): string[][] {
  return [...`${stdout}${stderr}`.matchAll(/row (\w+): --task-id ([\w-]+)/g)].map(
    ([, id = '', taskId = '']) => [id, '--task-id', taskId],
  );
}
