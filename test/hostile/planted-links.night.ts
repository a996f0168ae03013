/** Links that lead out of the output folder, planted where the tool writes: none of its writes may follow one. */

import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, content, inProgress, type Script } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { lookAround } from './outside.ts';

const withFrames: Script = { status: (task) => completed(task, { frameCount: 2 }) };

/** Plants `videos/PATH`, a link to a new file or folder outside. */
async function plant(stage: Stage, path: string, kind: 'file' | 'folder' | 'nothing'): Promise<void> {
  const target = join(stage.folder, 'outside', path.replaceAll('/', '+'));
  await mkdir(kind === 'folder' ? target : dirname(target), { recursive: true });
  if (kind === 'file') await writeFile(target, 'mine\n');
  const link = join(stage.folder, 'videos', path);
  await mkdir(dirname(link), { recursive: true });
  await symlink(target, link);
}

const around = (stage: Stage) => lookAround(stage.folder, join(stage.folder, 'videos'));

describe('links in the way of an item and of the reports', { timeout: 180_000 }, () => {
  /** By row: what is planted, and how the row ends. */
  const plants = [
    { row: 'item', path: 'item', kind: 'folder', status: 'undelivered' },
    { row: 'nowhere', path: 'nowhere', kind: 'nothing', status: 'undelivered' },
    { row: 'frames', path: 'frames/frames', kind: 'folder', status: 'completed' },
    { row: 'frame', path: 'frame/frames/001.png', kind: 'file', status: 'completed' },
    { row: 'frame-part', path: 'frame-part/frames/001.part', kind: 'file', status: 'completed' },
    { row: 'video', path: 'video/video.webm', kind: 'file', status: 'completed' },
    { row: 'part', path: 'part/video.part', kind: 'file', status: 'completed' },
    { row: 'part-nowhere', path: 'part-nowhere/video.part', kind: 'nothing', status: 'completed' },
    { row: 'memory', path: 'memory/video.part.json', kind: 'file', status: 'completed' },
    { row: 'task', path: 'task/task.json', kind: 'file', status: 'completed' },
  ] as const;
  const reports = ['report.csv', 'report.jsonl', 'report.html', 'failed.csv'];

  it('are not followed by a run, nor by any command after it', async () => {
    // An ETag makes the tool remember its part beside it.
    const script: Script = {
      ...withFrames,
      file: () => content(Buffer.from('\x1aE\xdf\xa3webm', 'latin1'), { etag: '"1"' }),
    };
    await using stage = await openStage({ ...script, status: (task) => inProgress(task) });
    await stage.write('q.csv', questions(...plants.map(({ row }) => row)));
    // Before that they would keep their rows from being sent.
    const program = stage.start(runLine('q.csv', '-y'));
    await stage.service.until(({ creations }) => creations.length === plants.length);
    for (const { path, kind } of plants) await plant(stage, path, kind);
    for (const report of reports) await plant(stage, report, 'file');
    const before = await around(stage);
    stage.service.follow(script);

    const ran = await program.ended;
    expect(ran.code, ran.stderr).toBe(1);
    expect(await around(stage)).toEqual(before);
    expect(await stage.statuses()).toEqual(
      Object.fromEntries(plants.map(({ row, status }) => [row, status])),
    );

    // Each of them writes again where the run wrote, and finds the links that were replaced planted anew.
    await symlink(join(stage.folder, 'outside'), join(stage.folder, 'videos/task/attempt-1'));
    for (const file of ['video/video.webm', 'task/task.json', ...reports]) {
      await rm(join(stage.folder, 'videos', file));
      await symlink(
        join(stage.folder, 'outside', file.replaceAll('/', '+')),
        join(stage.folder, 'videos', file),
      );
    }
    for (const line of [
      ['report'],
      ['verify'],
      ['verify', '--fix'],
      ['retry', '--only', 'task,frames,video,frame', '-y', '--poll-interval', '100ms'],
      ['collect'],
      ['status'],
    ]) {
      const { code, stderr } = await stage.batch(line);
      expect(code, `${line.join(' ')}: ${stderr}`).not.toBe(70);
      expect(await around(stage), line.join(' ')).toEqual(before);
    }
  });
});

it.for(['report.csv', 'failed.csv', 'a/video.webm', 'a/frames', 'a'])(
  'a link in the way of a first run keeps it from starting: %s',
  async (path) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await plant(stage, path, 'file');
    const before = await around(stage);
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining(path) });
    expect(stage.service.events).toEqual([]);
    expect(await around(stage)).toEqual(before);
  },
);

describe.concurrent('a link in the place of a file that is written as it goes', { timeout: 180_000 }, () => {
  const names = [
    'batch.log',
    'batch.lock',
    'batch.pid',
    'batch.sqlite',
    'batch.sqlite-wal',
    'batch.sqlite-shm',
  ];

  it.for(names)('keeps a first run from starting: %s', async (name) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await plant(stage, name, 'file');
    const before = await around(stage);
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending.code).toBe(2);
    expect(ending.stderr).toContain(name);
    expect(stage.service.creations).toEqual([]);
    expect(await around(stage)).toEqual(before);
  });

  it.for(names)('is not followed by any command on a folder that has a run: %s', async (name) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const file = join(stage.folder, 'videos', name);
    const target = join(stage.folder, 'outside', name);
    await mkdir(dirname(target));
    if ((await readdir(dirname(file))).includes(name)) await rename(file, target);
    else await writeFile(target, '');
    await symlink(target, file);
    const before = await around(stage);
    for (const command of ['report', 'verify', 'resume', 'check q.csv']) {
      await stage.batch(command.split(' '));
      expect(await around(stage), command).toEqual(before);
    }
  });
});

it('an output folder that is a link by the wish of the user is written to where it leads, and nowhere else', async () => {
  await using stage = await openStage(withFrames);
  await mkdir(join(stage.folder, 'disk/videos'), { recursive: true });
  await symlink('disk/videos', join(stage.folder, 'videos'));
  await stage.write('q.csv', questions('a'));
  const before = await lookAround(stage.folder, join(stage.folder, 'disk/videos'));
  const ending = await stage.batch(runLine('q.csv'));
  expect(ending.code, ending.stderr).toBe(0);
  expect(await lookAround(stage.folder, join(stage.folder, 'disk/videos'))).toEqual(before);
  expect(await stage.list('disk/videos/a')).toContain('video.webm');
});
