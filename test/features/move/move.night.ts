/** `batch move` where it is refused, killed, or goes to a bucket. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { movesOf, openRunToMove, paidFor, reported } from '../../cli/support/moves.ts';
import type { Running } from '../../cli/support/program.ts';
import { questions, runLine } from '../../cli/support/stage.ts';
import { startPostgres } from '../../support/postgres.ts';
import { s3Keys, startS3 } from '../../support/s3.ts';

const server = await startPostgres();
const url = `${await server.createDatabase()}?sslmode=disable`;
afterAll(() => server[Symbol.asyncDispose]());

/** Waits until the program hangs in a statement with this text, and kills it there. */
async function killIn(program: Running, text: string): Promise<void> {
  const hanging = `SELECT pid FROM pg_stat_activity WHERE application_name = 'batch' AND state = 'active'
    AND query LIKE '%${text}%' AND wait_event = 'PgSleep'`;
  while ((await server.query(url, hanging)).length === 0) await pause(20);
  program.kill('SIGKILL');
  expect((await program.ended).signal).toBe('SIGKILL');
  await server.query(url, `SELECT pg_terminate_backend(pid) FROM (${hanging}) AS b`);
  while ((await server.query(url, hanging)).length > 0) await pause(20);
  // A process that died is missed after half a minute.
  await server.query(url, 'DELETE FROM "batch_kill".workers');
}

/** Makes the server sleep when this happens in the run `kill`. */
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
  it('changes no more in its old folder', async () => {
    await using stage = await openRunToMove();
    const { into } = movesOf(url, 'old');
    await stage.batch(into);
    const lines = [
      ['resume'],
      runLine('q.csv', '--yes'),
      ['retry', '--rejected', '--yes'],
      ['collect'],
      ['resolve', 'lost', '--not-created'],
      ['verify', '--fix'],
    ];
    for (const line of lines) {
      const refused = await stage.batch(line);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('--run old` goes on with it'),
      ]);
    }
    expect(await stage.batch(['status'])).toMatchObject({ code: 0 });
    expect((await stage.batch(into)).stdout).toContain('The run has moved already');
  });

  it('goes where no other run is', async () => {
    await using stage = await openRunToMove();
    const { place, into } = movesOf(url, 'busy');
    await stage.batch(into);
    await stage.write('other.csv', questions('x'));
    await stage.batch(runLine('other.csv', '--out', 'other', '--yes'));
    const second = await stage.batch(['move', 'other', ...place]);
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining('there is another run already'),
    ]);
  });

  it('killed in the middle, is never in two places, and is moved by the same command', async () => {
    await using stage = await openRunToMove();
    const { place, into } = movesOf(url, 'kill');
    const before = await reported(stage, 'videos');
    const refusal = async (...line: string[]): Promise<string> => (await stage.batch(line)).stderr;
    // An empty run, so that the server can be told where to sleep.
    await stage.batch(['run', 'q.csv', ...place, '--out', 'shared', '--detach', '--yes']);
    await server.query(
      url,
      'TRUNCATE "batch_kill".items, "batch_kill".settings, "batch_kill".questions, "batch_kill".sums',
    );

    const held = await holdUp('BEFORE INSERT ON "batch_kill".items FOR EACH STATEMENT');
    await killIn(stage.start(into), 'COPY items');
    await held();
    expect(await refusal('status')).toBe('');

    const marked = await holdUp(
      `BEFORE DELETE ON "batch_kill".settings FOR EACH ROW WHEN (OLD.name = 'moved')`,
    );
    await killIn(stage.start(into), 'set_mark');
    await marked();
    expect(await refusal('resume')).toContain('has moved');
    expect(await refusal('worker', ...place)).toContain('type the same `batch move` again');
    expect((await stage.batch(into)).stdout).toContain('moved already');

    await stage.batch(['report', ...place]);
    expect(await reported(stage, 'shared')).toEqual(before);
    expect(paidFor(stage, 'Question late')).toBe(0);
  });

  it('has its files in a bucket, whole', async () => {
    await using stage = await openRunToMove();
    await using s3 = await startS3();
    const { place } = movesOf(url, 'bucket');
    const before = await reported(stage, 'videos');
    const env = { ...s3Keys, AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: s3.endpoint };
    const moved = await stage.batch(['move', 'videos', ...place, '--out', `s3://${s3.bucket}/alg`], { env });
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expect(await stage.batch(['verify', ...place], { env })).toMatchObject({ code: 0 });
    await stage.batch(['report', ...place, '--to', 'away'], { env });
    const withoutVideo = (rows: typeof before) => rows.map(({ video: _, ...row }) => row);
    expect(withoutVideo(await reported(stage, 'away'))).toEqual(withoutVideo(before));
  });
});
