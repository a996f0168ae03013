import { execFileSync } from 'node:child_process';
import { rmdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { apiKey, picture, reset } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

describe.concurrent('a run that was told to do little', () => {
  it('ends when none of the --only rows can be submitted, though an uncertain one holds the only slot', async () => {
    await using stage = await openStage({
      create: ({ question }) => (question === 'Question a' ? reset : undefined),
    });
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '-j', '1', '--limit', '1'));
    const ending = await stage.batch(['resume', 'videos', '-j', '1', '--only', 'a']);
    expect(ending.code).toBe(5);
    expect(await stage.statuses()).toEqual({ a: 'uncertain', b: 'pending' });
    expect(stage.service.creations).toHaveLength(1);
  });

  it('looks again, when it resumes, at rows that could not be sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,images\na,Look,i.png\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
    await stage.write('i.png', picture);
    expect((await stage.batch(['resume', 'videos', '--poll-interval', '100ms'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(1);
  });
});

describe.concurrent('a row that left the file', () => {
  it('gets no new attempt, and its points stay in the report', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const ending = await stage.batch(['retry', 'videos', '--only', 'b', '--poll-interval', '100ms']);
    expect(ending).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no row of the file has the id b'),
    });
    expect(stage.service.creations).toHaveLength(2);
    const points = (await stage.report()).map((row) => [row.id, Number(row.points) > 0]);
    expect(points).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });
});

describe.concurrent('what lies in the way', () => {
  it('is refused where it is a link: nothing is written outside the output folder', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('outside.txt', 'mine');
    await stage.write('videos/keep.txt', '');
    await symlink(join(stage.folder, 'outside.txt'), join(stage.folder, 'videos/batch.log'));
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('batch.log is a symbolic link'),
    });
    expect(await stage.read('outside.txt')).toBe('mine');
    expect(stage.service.creations).toEqual([]);
  });

  it('is no image where it is a pipe, and nobody waits for it', async () => {
    await using stage = await openStage();
    execFileSync('mkfifo', [join(stage.folder, 'pipe.png')]);
    await stage.write('q.csv', 'question,images\nLook,pipe.png\n');
    expect((await stage.batch(['check', 'q.csv'])).code).toBe(1);
  });
});

it('a key file that was named from here is found from elsewhere', async () => {
  await using stage = await openStage();
  const env = { BATCH_API_KEY: undefined };
  await stage.write('key.txt', `${apiKey}\n`);
  await stage.write('q.csv', questions('a', 'b'));
  await stage.batch(runLine('q.csv', '--api-key-file', 'key.txt', '--limit', '1'), { env });
  await stage.write('elsewhere/empty', '');
  const videos = join(stage.folder, 'videos');
  const ending = await stage.batch(['resume', videos], { env, cwd: join(stage.folder, 'elsewhere') });
  expect(ending.code).toBe(0);
});

describe.concurrent('a run whose reports cannot be written', () => {
  it('does not end as if all were well, and says how to write them', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    await stage.remove('videos/report.csv');
    await stage.write('videos/report.csv/mine.txt', 'a folder in the way');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the reports could not be written'),
      stdout: expect.stringMatching(/^Next: batch report \.\/videos /m),
    });
    await stage.remove('videos/report.csv/mine.txt');
    await rmdir(join(stage.folder, 'videos/report.csv'));
    expect((await stage.batch(['report', 'videos'])).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'completed' });
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  });
});

describe.concurrent('an output folder that holds no run', () => {
  it.each([
    ['status', 'q.csv'],
    ['resume', 'q.csv'],
    ['collect', 'q.csv/deeper'],
    ['report', 'q.csv'],
    ['verify', 'q.csv'],
    ['retry', 'q.csv', '--failed'],
    ['resolve', 'q.csv', 'a', '--not-created'],
    ['run', 'q.csv', '--out', 'q.csv'],
  ])('because it is a file is refused in one line: %s %s', async (...args) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch(args);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toMatch(/^batch: .*q\.csv.*\n$/);
    expect(stage.service.creations).toEqual([]);
  });

  it('but files of the user with names as a run may give them is used', async () => {
    await using stage = await openStage();
    await stage.write('questions.jsonl', '{"id":"a","question":"Question a"}\n');
    await stage.write('problem-1/task.json', '{"mine":true}');
    const ending = await stage.batch(runLine('questions.jsonl', '--out', '.'));
    expect(ending.code).toBe(0);
    expect(await stage.read('problem-1/task.json')).toBe('{"mine":true}');
  });
});

describe.concurrent('a checkpoint that a database viewer has looked at', () => {
  it('is still sound when the viewer had statistics collected', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const db = new Database(join(stage.folder, 'videos/batch.sqlite'));
    db.exec('ANALYZE');
    db.close();
    expect((await stage.batch(['status', 'videos'])).code).toBe(0);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  });
});
