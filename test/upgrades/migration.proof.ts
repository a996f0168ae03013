import { once } from 'node:events';
import { statSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrationNames } from './fixture.ts';
import { openOldRun } from './old-run.ts';
import { installTomorrow } from './tomorrow.ts';

const today = migrationNames().length;

const newColumn = `ALTER TABLE items ADD COLUMN mood TEXT; UPDATE items SET mood = 'fresh ' || id;`;
const mistaken = `UPDATE items SET status = 'pending'; SELECT no_such_function();`;
/** Changes every row, and then takes longer than any test waits. */
const endless = `UPDATE items SET status = 'pending', task_id = NULL;
  CREATE TABLE heap AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, randomblob(1000) FROM n;`;

/** Resolves once the log of the checkpoint holds this many bytes: the migration is in the middle of its work. */
async function untilLogHolds(folder: string, bytes: number): Promise<void> {
  const size = (): number => statSync(join(folder, 'batch.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0;
  const changes = watch(folder);
  if (size() >= bytes) return;
  for await (const _ of changes) if (size() >= bytes) return;
}

describe.concurrent('a folder of today, met by the program of tomorrow', () => {
  it('is only looked at by a command that looks, and it says what brings it up to date', async () => {
    await using run = await openOldRun(`schema-${today}`);
    const tomorrow = installTomorrow(run, newColumn);
    const before = await run.checkpoint();
    for (const command of ['status', 'report', 'verify']) {
      const ending = await tomorrow.batch(command);
      expect(ending).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/older version of batch; `batch resume` brings it up to date\n$/),
      });
    }
    expect(before.equals(await run.checkpoint())).toBe(true);
  });

  it('is brought up to date by resume, goes on, and is a newer one for today', async () => {
    await using run = await openOldRun(`schema-${today}`);
    const tomorrow = installTomorrow(run, newColumn, 'CREATE INDEX items_by_mood ON items (mood);');
    expect((await tomorrow.batch('resume')).code).toBe(5);
    expect(run.query(`SELECT count(*) AS n FROM items WHERE mood = 'fresh ' || id`)).toEqual(
      run.query('SELECT count(*) AS n FROM items'),
    );
    expect((await tomorrow.batch('status')).code).toBe(0);
    expect((await run.batch(['status'])).stderr).toContain(
      `schema ${today + 2}, this one knows ${today}); update batch`,
    );
  });

  it('stays one of today when the last of several migrations fails', async () => {
    await using run = await openOldRun(`schema-${today}`);
    const before = run.query('SELECT * FROM items');
    const tomorrow = installTomorrow(run, newColumn, mistaken);
    expect((await tomorrow.batch('resume')).code).not.toBe(0);
    expect(run.query('SELECT * FROM items')).toEqual(before);
    expect(run.query('PRAGMA user_version')).toEqual([{ user_version: today }]);
    expect((await run.batch(['status'])).code).toBe(0);
    expect(run.service.creations).toHaveLength(run.expected.tasks.length);
  });

  it('stays one of today when tomorrow is killed in the middle', async () => {
    await using run = await openOldRun(`schema-${today}`);
    const before = run.query('SELECT * FROM items');
    const tomorrow = installTomorrow(run, newColumn, endless);
    const program = tomorrow.start('resume');
    await untilLogHolds(join(run.folder, 'videos'), 8 * 1024 * 1024);
    program.kill('SIGKILL');
    await once(program, 'close');
    expect((await run.batch(['status'])).code).toBe(0);
    expect(run.query('SELECT * FROM items')).toEqual(before);
    expect((await run.batch(['resume'])).code).toBe(5);
  });
});
