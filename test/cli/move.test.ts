/** `batch move`: a run goes from its folder to several machines and back, and is the same run; killed anywhere, too. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import type { Running } from './support/program.ts';
import { bare, reset } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const server = await startPostgres();
const url = `${await server.createDatabase()}?sslmode=disable`;
afterAll(() => server[Symbol.asyncDispose]());

const place = (run: string): string[] => ['--store', url, '--run', run];
const moveIn = (run: string): string[] => ['move', 'videos', ...place(run), '--out', 'shared'];
const moveOut = (run: string): string[] => ['move', ...place(run), '--out', 'back'];

/** What reports say of a run, without paths and with the layout of attempts left out. */
async function reported(stage: Stage, folder: string) {
  const records = parse(await readFile(join(stage.folder, folder, 'report.csv')), {
    bom: true,
    columns: true,
  });
  return (records as Record<string, string>[]).map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, value.replaceAll(/attempt-\d+\//g, '')]),
    ),
  );
}

/** A run with a row of every kind: two are done, one of them at the second try, one is uncertain, one waits. */
async function openRun(): Promise<Stage> {
  const stage = await openStage({
    create: ({ question }) =>
      question === 'Question lost' ? reset : question === 'Question no' ? bare(400) : undefined,
  });
  await stage.write('q.csv', questions('a', 'b', 'lost', 'no'));
  await stage.batch(runLine('q.csv', '--yes'));
  await stage.batch(['retry', '--only', 'b', '--poll-interval', '100ms', '--yes']);
  await stage.write('q.csv', questions('a', 'b', 'lost', 'no', 'late'));
  await stage.batch(runLine('q.csv', '--limit', '1', '--only', 'a', '--yes'));
  await stage.batch(['report']);
  return stage;
}

/** Waits until the program hangs in a statement with this text, and kills it there. */
async function killIn(program: Running, text: string): Promise<void> {
  const hanging = `SELECT pid FROM pg_stat_activity WHERE application_name = 'batch' AND state = 'active'
    AND query LIKE '%${text}%' AND wait_event IN ('PgSleep', 'transactionid', 'tuple')`;
  while ((await server.query(url, hanging)).length === 0) await pause(20);
  program.kill('SIGKILL');
  expect((await program.ended).signal).toBe('SIGKILL');
  await server.query(url, `SELECT pg_terminate_backend(pid) FROM (${hanging}) AS b`);
  // The transaction of a process that died is rolled back, and the process is not waited for.
  while ((await server.query(url, hanging)).length > 0) await pause(20);
  await server.query(url, `DELETE FROM "batch_kill".workers`);
}

/** Makes the server hold up what happens to the mark of a run. */
async function holdUp(when: string): Promise<() => Promise<void>> {
  const schema = 'batch_kill';
  await server.query(
    url,
    `CREATE FUNCTION "${schema}".hold() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
     CREATE TRIGGER hold ${when} EXECUTE FUNCTION "${schema}".hold()`,
  );
  return async () => {
    await server.query(url, `DROP FUNCTION "${schema}".hold CASCADE`);
  };
}

describe('a run that moves', () => {
  it('is the same run elsewhere and, when it is back, in its folder', async () => {
    await using stage = await openRun();
    const before = await reported(stage, 'videos');
    const moved = await stage.batch(moveIn('alg'));
    expect(moved.stderr).toBe('');
    expect(moved.stdout).toMatch(
      /^Moved 5 rows and 2 files\nNext: batch resume --store postgres:\S+ --run alg\n$/,
    );
    expect(moved.stdout).not.toContain(server.password);
    await stage.batch(['report', ...place('alg')]);
    expect(await reported(stage, 'shared')).toEqual(before);
    expect(await stage.list('shared')).toEqual(
      expect.arrayContaining(['a/attempt-1/video.webm', 'b/attempt-2/video.webm']),
    );
    expect((await stage.batch(moveIn('alg'))).stdout).toMatch(/^The run has moved already\n/);

    for (const line of [
      ['resume'],
      runLine('q.csv'),
      ['retry', '--rejected'],
      ['collect'],
      ['resolve', 'lost', '--not-created'],
    ]) {
      const refused = await stage.batch(line);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/has moved: `batch resume --store \S+ --run alg` goes on with it\n$/),
      ]);
    }
    expect((await stage.batch(['status'])).code).toBe(0);
    expect((await stage.batch(['report'])).code).toBe(0);
    expect(await reported(stage, 'videos')).toEqual(before);

    const back = await stage.batch(moveOut('alg'));
    expect([back.code, back.stderr, back.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('Moved 5 rows and 2 files'),
    ]);
    await stage.batch(['report', 'back']);
    expect(await reported(stage, 'back')).toEqual(before);
    const worker = await stage.batch(['worker', ...place('alg'), '--drain']);
    expect([worker.code, worker.stderr]).toEqual([
      2,
      expect.stringMatching(/has moved: `batch resume \S+back` goes on/),
    ]);
    const paid = stage.service.creations.length;
    await stage.batch(['resume', 'back', '--yes']);
    expect(stage.service.creations.slice(paid).map(({ question }) => question)).toEqual(['Question late']);
    expect(await stage.batch(['verify', 'back'])).toMatchObject({ code: 0 });
  });

  it('goes into a store where there is none of that name, and not from under its workers', async () => {
    await using stage = await openRun();
    await stage.batch(moveIn('busy'));
    await stage.write('other.csv', questions('x'));
    await stage.batch(runLine('other.csv', '--out', 'other', '--yes'));
    const second = await stage.batch(['move', 'other', ...place('busy')]);
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining('there is another run already'),
    ]);
    const worker = stage.start(['worker', ...place('busy')]);
    await stage.service.until(({ creations }) =>
      creations.some(({ question }) => question === 'Question late'),
    );
    const refused = await stage.batch(moveOut('busy'));
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/^batch: 1 processes work on this run/),
    ]);
    expect(await stage.list('back')).toEqual([]);
    worker.kill('SIGTERM');
    await worker.ended;
    expect((await stage.batch(moveOut('busy'))).code).toBe(0);
  });

  it('killed in the middle, is never in two places, and is moved by the same command', async () => {
    await using stage = await openRun();
    const before = await reported(stage, 'videos');
    const refusal = async (...line: string[]): Promise<string> => (await stage.batch(line)).stderr;
    // The schema is there, so that the server can be told where to stop.
    await stage.batch([
      'run',
      'q.csv',
      ...place('kill'),
      '--out',
      'shared',
      '--limit',
      '0',
      '--detach',
      '--yes',
    ]);
    await server.query(
      url,
      'TRUNCATE "batch_kill".items, "batch_kill".settings, "batch_kill".questions, "batch_kill".sums',
    );

    const held = await holdUp('BEFORE INSERT ON "batch_kill".items FOR EACH STATEMENT');
    await killIn(stage.start(moveIn('kill')), 'COPY items');
    await held();
    expect((await stage.batch(['status'])).code).toBe(0);

    const marked = await holdUp(
      `BEFORE DELETE ON "batch_kill".settings FOR EACH ROW WHEN (OLD.name = 'moved')`,
    );
    await killIn(stage.start(moveIn('kill')), 'set_mark');
    await marked();
    expect(await refusal('resume')).toContain('has moved');
    expect(await refusal('worker', ...place('kill'))).toContain('type the same `batch move` again');
    expect((await stage.batch(moveIn('kill'))).stdout).toContain('moved already');

    const left = await holdUp(
      `BEFORE INSERT ON "batch_kill".settings FOR EACH ROW WHEN (NEW.value LIKE '{"state":"moved"%')`,
    );
    await killIn(stage.start(moveOut('kill')), 'set_mark');
    await left();
    expect(await refusal('resume', 'back')).toContain('type the same `batch move` again');
    expect(await refusal('worker', ...place('kill'))).toContain('type the same `batch move` again');
    expect((await stage.batch(moveOut('kill'))).code).toBe(0);
    await stage.batch(['report', 'back']);
    expect(await reported(stage, 'back')).toEqual(before);
    expect(stage.service.creations.filter(({ question }) => question === 'Question late')).toEqual([]);
  });
});
