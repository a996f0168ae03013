import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, runLine } from '../cli/support/stage.ts';
import { hostileIds } from './file-names.ts';
import { lookAround } from './outside.ts';
import { foldedName, whyNotPortable } from './portable-name.ts';

const toolFiles = [
  'batch.ids',
  'batch.lock',
  'batch.log',
  'batch.sqlite',
  'failed.csv',
  'report.csv',
  'report.html',
  'report.jsonl',
];

test('every hostile id gets a folder of its own that is safe on every system, and nothing outside is touched', async () => {
  await using stage = await openStage();
  const surroundings = ['deep/er', 'home', 'tmp', 'escape', 'escape.txt'];
  for (const name of surroundings) await mkdir(join(stage.folder, name), { recursive: true });
  const here = join(stage.folder, 'deep/er');
  const rows = hostileIds.map((id, at) => JSON.stringify({ id, question: `Question ${at}` }));
  await stage.write('deep/er/q.jsonl', rows.join('\n'));
  const before = await lookAround(stage.folder, join(here, 'videos'));

  const env = { HOME: join(stage.folder, 'home'), TMPDIR: join(stage.folder, 'tmp') };
  const ending = await stage.batch(runLine('q.jsonl', '-j', '200', '-y'), { cwd: here, env });

  expect(ending.code, ending.stderr).toBe(0);
  expect(await lookAround(stage.folder, join(here, 'videos'))).toEqual(before);
  expect(stage.service.creations).toHaveLength(hostileIds.length);

  const entries = await readdir(join(here, 'videos'), { withFileTypes: true });
  expect(
    entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(toolFiles);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders).toHaveLength(hostileIds.length);
  expect(folders.map((name) => [name, whyNotPortable(name)]).filter(([, why]) => why !== null)).toEqual([]);
  expect(new Set([...folders, ...toolFiles].map(foldedName)).size).toBe(folders.length + toolFiles.length);

  const lines = (await stage.read('deep/er/videos/report.jsonl')).trim().split('\n');
  const report = lines.map((line): { id: string; video: string; question: string } => JSON.parse(line));
  expect(report.map(({ id }) => id)).toEqual(hostileIds.map((id) => id.trim()));
  expect(new Set(report.map(({ video }) => video.split('/')[0]))).toEqual(new Set(folders));
  for (const { video } of report) {
    expect(video.split('/')).toHaveLength(2);
    const folder = await readdir(join(here, 'videos', video.split('/')[0] ?? ''));
    expect(folder.sort()).toEqual(['task.json', 'video.webm']);
  }
});

test('the list is long, and holds no id twice', () => {
  expect(hostileIds.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostileIds.map((id) => id.trim())).size).toBe(hostileIds.length);
});

test.each([
  ...[
    '',
    '.',
    '..',
    '...',
    'a/b',
    'a\\b',
    'a:b',
    'a.',
    'a ',
    'CON',
    'con.txt',
    'nul',
    'LPT\u00b9',
    'e\u0301',
    '\u00e9',
  ],
  ...['a\u202eb', 'a b', '-rf', '~', '.git', '$HOME', 'batch.sqlite', '\ud800'],
])('the rules know that this is no portable name: %j', (name) => {
  expect(whyNotPortable(name)).not.toBeNull();
});

test.each(['x', '题', '🎬'])('the rules know that 256 letters %s are too long for a name', (letter) => {
  expect(whyNotPortable(letter.repeat(256))).toMatch(/longer/);
});

test.each([
  ['same', 'SAME'],
  ['\u00e9', 'E\u0301'],
  ['\uff21', 'a'],
  ['a.', 'a'],
  ['\u03c2', '\u03c3'],
])('the rules know that %j and %j may be one file', (one, other) => {
  expect(foldedName(one)).toBe(foldedName(other));
});
