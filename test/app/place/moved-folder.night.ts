/** A folder that was copied or moved: two of them would pay for the same rows. */

import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../../cli/support/program.ts';
import { apiKey } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { hasTerminals, startOnTerminal } from '../../cli/support/terminal.ts';

/** A run of which one row is made and two wait; `copy` holds the same. */
async function openCopied(): Promise<Stage> {
  const stage = await openStage();
  await stage.write('q.csv', questions('a', 'b', 'c'));
  await stage.batch(runLine('q.csv', '--limit', '1'));
  cpSync(join(stage.folder, 'videos'), join(stage.folder, 'copy'), {
    recursive: true,
    preserveTimestamps: true,
  });
  return stage;
}

const asked = ({ service }: Stage): string[] => service.creations.map(({ question }) => question);

describe.concurrent('a folder that was copied or moved since rows of it were last paid for', () => {
  it.for([
    ['run', ['run', 'q.csv', '--out', 'copy']],
    ['resume', ['resume', 'copy']],
    ['retry', ['retry', 'copy', '--only', 'a']],
  ] as const)('is not paid from by %s, in one line that names the other one', async ([, line]) => {
    await using stage = await openCopied();
    const ending = await stage.batch(line);
    expect(ending.code).toBe(2);
    expect(afterFirstWords(ending)).toMatch(
      /^batch: copy is a copy of .*\/videos, which is still there; .*--moved\n$/,
    );
    expect(asked(stage)).toEqual(['Question a']);
    // Nothing was changed in it either: what is asked once is asked again.
    expect((await stage.batch(line)).code).toBe(2);
  });

  it('is looked at and collected from all the same', async () => {
    await using stage = await openCopied();
    expect((await stage.batch(['status', 'copy'])).code).toBe(0);
    expect((await stage.batch(['verify', 'copy'])).code).toBe(0);
    expect((await stage.batch(['report', 'copy'])).code).toBe(0);
    expect((await stage.batch(['check', 'q.csv', '--out', 'copy'])).code).toBe(0);
    expect((await stage.batch(['collect', 'copy'])).code).toBe(4);
    expect((await stage.batch(['resume', 'copy'])).code).toBe(2);
    expect(asked(stage)).toEqual(['Question a']);
  });

  it.for(['--moved', '--yes'])('is gone on with by %s, and from then on without it', async (option) => {
    await using stage = await openCopied();
    expect((await stage.batch(['resume', 'copy', option, '--limit', '1'])).code).toBe(4);
    expect((await stage.batch(['resume', 'copy'])).code).toBe(0);
    expect(asked(stage)).toEqual(['Question a', 'Question b', 'Question c']);
  });

  it('is refused under a new name, and in the place of the original', async () => {
    await using stage = await openCopied();
    renameSync(join(stage.folder, 'videos'), join(stage.folder, 'original'));
    renameSync(join(stage.folder, 'copy'), join(stage.folder, 'videos'));
    const renamed = await stage.batch(['resume', 'original']);
    expect(renamed).toMatchObject({ code: 2, stderr: expect.stringContaining('original was last run as') });
    const replaced = await stage.batch(['resume']);
    expect(replaced).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not the folder that was'),
    });
    expect(asked(stage)).toEqual(['Question a']);
  });

  it('is known again in its old place', async () => {
    await using stage = await openCopied();
    renameSync(join(stage.folder, 'videos'), join(stage.folder, 'away'));
    renameSync(join(stage.folder, 'away'), join(stage.folder, 'videos'));
    expect((await stage.batch(['resume'])).code).toBe(0);
  });

  it('is told from that of another computer', async () => {
    await using stage = await openCopied();
    using db = closing(new Database(join(stage.folder, 'videos/batch.sqlite')));
    const place = JSON.parse(readSetting(db.db, 'place') ?? '');
    const elsewhere = JSON.stringify({ ...place, machine: 'another' });
    db.db.prepare("UPDATE settings SET value = ? WHERE name = 'place'").run(elsewhere);
    const ending = await stage.batch(['resume']);
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining('on another computer') });
  });

  it.skipIf(!hasTerminals).for([
    ['y', 0, 3],
    ['n', 2, 1],
  ] as const)('is asked about on a terminal: %s', async ([answer, code, creations]) => {
    await using stage = await openCopied();
    await using program = startOnTerminal(['resume', 'copy'], {
      cwd: stage.folder,
      columns: 200,
      env: { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey },
    });
    await program.said(/is a copy of .*\[y\/N\]/s);
    program.type(`${answer}\n`);
    expect(await program.ended).toBe(code);
    expect(stage.service.creations).toHaveLength(creations);
  });
});

function closing(db: Database.Database) {
  return { db, [Symbol.dispose]: () => void db.close() };
}

function readSetting(db: Database.Database, name: string): string | null {
  const row = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?').get(name);
  return row?.value ?? null;
}
