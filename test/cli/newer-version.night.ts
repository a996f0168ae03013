import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { checkpointName } from '../../src/stores/sqlite/database.ts';
import { afterFirstWords } from './support/program.ts';
import { openStage, questions, runLine } from './support/stage.ts';

/** What SQLite and the lock leave beside a checkpoint that was only looked at. */
const besides = /^batch\.(lock|sqlite-wal|sqlite-shm)$/;

it('a folder of a newer version is refused and left as it is, by every command', async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('a', 'b'));
  expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  const path = join(stage.folder, 'videos', checkpointName);
  const db = new Database(path);
  const known = Number(db.pragma('user_version', { simple: true }));
  db.pragma(`user_version = ${known + 1}`);
  db.close();
  const [before, files, paid] = [
    await readFile(path),
    await stage.list('videos'),
    stage.service.creations.length,
  ];
  for (const line of [
    'run q.csv',
    'check q.csv',
    'resume',
    'collect',
    'status',
    'report',
    'verify --fix',
    'retry --failed',
    'resolve a --not-created',
  ]) {
    const ending = await stage.batch(line.split(' '));
    expect(ending, line).toMatchObject({ code: 2, stdout: '' });
    expect(afterFirstWords(ending), line).toMatch(
      new RegExp(
        `^batch: .*written by a newer version of batch \\(schema ${known + 1}, this one knows ${known}\\); .*update batch\n$`,
      ),
    );
  }
  expect(before.equals(await readFile(path))).toBe(true);
  expect((await stage.list('videos')).filter((file) => !besides.test(file))).toEqual(
    files.filter((file) => !besides.test(file)),
  );
  expect(stage.service.creations).toHaveLength(paid);
});
