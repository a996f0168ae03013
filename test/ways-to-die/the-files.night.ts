import { copyFile, cp, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { completed, inProgress, type Script } from '../cli/support/scripted-service.ts';
import type { Stage } from '../cli/support/stage.ts';
import {
  areOpen,
  expectAllDone,
  firstLine,
  openQuestions,
  taskCount,
  testChapter,
} from './support/chapter.ts';

/** `q1` has its video, and the others are being made. */
const halfDone: Script = {
  status: (task) => (task.question === 'Question q1' ? completed(task) : inProgress(task)),
};

/** A run that was stopped in the middle; what the service makes is ready now. */
async function openHalfDone(): Promise<Stage> {
  const stage = await openQuestions(halfDone);
  const program = stage.start(firstLine('--verbose'));
  await program.said(/"id":"q1".*"to":"completed"/);
  await stage.service.until(areOpen('q2', 'q3'));
  program.kill('SIGTERM');
  await program.ended;
  stage.service.follow({});
  return stage;
}

testChapter('The files', {
  'Videos are deleted or damaged': async (told) => {
    await using stage = await openQuestions({});
    await stage.batch(firstLine());
    await stage.remove('videos/q2/video.webm');
    await using video = await open(join(stage.folder, 'videos/q3/video.webm'), 'r+');
    await video.write('bad', 1234);
    const ending = await stage.batch(['verify', './videos']);
    expect(ending.code).toBe(1);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The checkpoint is damaged': async (told) => {
    await using stage = await openHalfDone();
    const path = join(stage.folder, 'videos/batch.sqlite');
    await copyFile(path, `${path}.copy`);
    await using checkpoint = await open(path, 'r+');
    await checkpoint.write('This is not a page of the database', 4096);
    const before = stage.service.events.length;
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(2);
    expect(stage.service.events).toHaveLength(before);
    await rename(`${path}.copy`, path);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The checkpoint is an old copy': async (told) => {
    await using stage = await openQuestions({});
    const path = join(stage.folder, 'videos/batch.sqlite');
    await stage.batch(firstLine('--limit', '1'));
    await copyFile(path, `${path}.old`);
    await stage.batch(firstLine());
    await rename(path, `${path}.newest`);
    await rename(`${path}.old`, path);
    const before = stage.service.events.length;
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(2);
    expect(stage.service.events).toHaveLength(before);
    await rename(`${path}.newest`, path);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The checkpoint is missing': async (told) => {
    await using stage = await openHalfDone();
    const path = join(stage.folder, 'videos/batch.sqlite');
    await rename(path, `${path}.away`);
    const [files, before] = [await stage.list('videos'), stage.service.events.length];
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(2);
    expect(stage.service.events).toHaveLength(before);
    expect(await stage.list('videos')).toEqual(files);
    await rename(`${path}.away`, path);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'Two runs on one folder': async (told) => {
    await using stage = await openQuestions({ status: (task) => inProgress(task) });
    const first = stage.start(firstLine());
    await stage.service.until(areOpen('q1', 'q2', 'q3'));
    const second = await stage.batch(firstLine());
    expect(second.code).toBe(6);
    const looked = await told.live(stage, second);
    expect(looked.code).toBe(0);
    stage.service.follow({});
    await expectAllDone(stage, await first.ended);
  },

  'The folder was copied': async (told) => {
    await using stage = await openQuestions({});
    await stage.batch(firstLine('--limit', '1'));
    await cp(join(stage.folder, 'videos'), join(stage.folder, 'backup'), { recursive: true });
    const ending = await stage.batch(['resume', './backup']);
    expect(ending.code).toBe(2);
    expect(taskCount(stage)).toBe(1);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The folder is moved while a run works in it': async (told) => {
    await using stage = await openQuestions({ status: (task) => inProgress(task) });
    const program = stage.start(firstLine());
    await stage.service.until(areOpen('q1', 'q2', 'q3'));
    const [videos, away] = [join(stage.folder, 'videos'), join(stage.folder, 'away')];
    await rename(videos, away);
    const ending = await program.ended;
    expect(ending.code).toBe(4);
    await rename(away, videos);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The file of questions was edited': async (told) => {
    await using stage = await openQuestions({});
    await stage.batch(firstLine());
    await stage.write('questions.csv', 'id,question\nq4,Question q4\nq2,Question q2\nq1,Another question\n');
    await expectAllDone(stage, await told.live(stage, null));
    expect(stage.service.taskIds.has('Another question')).toBe(false);
  },

  'The file of questions is missing': async (told) => {
    await using stage = await openHalfDone();
    await stage.remove('questions.csv');
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(2);
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'Another file for the same folder': async (told) => {
    await using stage = await openQuestions({});
    await stage.batch(firstLine());
    await stage.write('others.csv', 'id,question\nx1,Question x1\n');
    const ending = await stage.batch(['run', 'others.csv']);
    expect(ending.code).toBe(2);
    expect(taskCount(stage)).toBe(3);
    expect((await told.live(stage, ending)).code).toBe(0);
    expect([...stage.service.taskIds.keys()]).toEqual([
      ...['Question q1', 'Question q2', 'Question q3'],
      'Question x1',
    ]);
    expect(await stage.list('other-videos/x1')).toContain('video.webm');
  },
});
