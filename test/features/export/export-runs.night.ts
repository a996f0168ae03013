/** Exports of the real program: whose a file is, whatever becomes of the run and its folder. */

import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failed } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

const course = (stage: Stage, dir: string, ...more: string[]) =>
  stage.batch(['export', dir, '--to', 'course', '--copy', '--json', ...more]);

it('a run continues exporting to its folder after it was renumbered, moved and copied, and another run never touches that', {
  timeout: 180_000,
}, async () => {
  await using stage = await openStage();
  await stage.write('q.csv', 'id,question\n1,One\n2,Two\n');
  expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  expect((await course(stage, 'videos')).code).toBe(0);

  await stage.write('q.csv', 'id,question\n1,Zero\n2,One\n3,Two\n');
  expect((await stage.batch(runLine('q.csv', '-y'))).code).toBe(0);
  await rename(join(stage.folder, 'videos'), join(stage.folder, 'moved'));
  const renumbered = await course(stage, 'moved', '--delete');
  expect(renumbered, renumbered.stderr).toMatchObject({ code: 0 });
  expect(await stage.list('course')).toEqual([
    '1.webm',
    '2.webm',
    '3.webm',
    'SHA256SUMS',
    'manifest.csv',
    'manifest.jsonl',
  ]);
  await cp(join(stage.folder, 'moved'), join(stage.folder, 'copy'), { recursive: true });
  expect(JSON.parse((await course(stage, 'copy')).stdout)).toMatchObject({ videos: 3, problems: 0 });

  // Another run with the same ids, and the folder of the first one gone.
  await rm(join(stage.folder, 'moved'), { recursive: true });
  await rm(join(stage.folder, 'copy'), { recursive: true });
  await stage.write('other.csv', questions('2', '9'));
  expect((await stage.batch(runLine('other.csv', '--out', 'other'))).code).toBe(0);
  const before = await Promise.all(['1', '2', '3'].map((id) => stage.read(`course/${id}.webm`)));
  const refused = await course(stage, 'other', '--delete');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('course holds the export of another run');
  expect((await course(stage, 'other', '--only', '9')).code).toBe(2);
  expect(await Promise.all(['1', '2', '3'].map((id) => stage.read(`course/${id}.webm`)))).toEqual(before);
  const manifest = (await stage.read('course/manifest.jsonl')).trimEnd().split('\n');
  expect(manifest).toHaveLength(3);
});

it('a video whose row is tried again stays in the export and with its own question, whatever comes of it', {
  timeout: 180_000,
}, async () => {
  await using stage = await openStage();
  await stage.write('q.csv', 'id,question,quality\na,1 + 1,h\nb,2 + 2,h\n');
  expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  stage.service.follow({ status: (task) => failed(task, 'too hard') });
  await stage.write('q.csv', 'id,question,quality\na,7 + 1,l\nb,2 + 2,h\n');
  expect((await stage.batch(runLine('q.csv', '--rerun-changed', '-y'))).code).toBe(1);
  const [row] = await stage.report();
  expect(row).toMatchObject({ id: 'a', status: 'failed', question: '1 + 1', quality: 'h', failure: '' });
  const ending = await course(stage, 'videos', '--delete');
  expect(JSON.parse(ending.stdout), ending.stderr).toMatchObject({ videos: 2, removed: 0, problems: 0 });
  const [first = ''] = (await stage.read('course/manifest.jsonl')).split('\n');
  expect(JSON.parse(first)).toMatchObject({ id: 'a', question: '1 + 1', quality: 'h', attempt: 1 });
});
