import { statSync } from 'node:fs';
import { chmod, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../src/errors.ts';
import {
  checkpointName,
  openDatabase,
  openDatabaseReadOnly,
  openScratchDatabase,
} from '../../../src/stores/sqlite/database.ts';
import { migrate } from '../../../src/stores/sqlite/schema.ts';
import { createSqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { lookAt, openCheckpointFolder, openStoreOver } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const pragma = (db: Database.Database, name: string): unknown => db.pragma(name, { simple: true });

/** What SQLite calls FULL. */
const full = 2;

/** A folder whose checkpoint has rows on many pages and is closed; `roots` are the first bytes of its trees. */
async function closedCheckpoint() {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...namedRows(500)));
  const pageBytes = Number(pragma(folder.db, 'page_size'));
  const roots = folder.db
    .prepare<[], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE rootpage > 1')
    .all()
    .map(({ rootpage }) => (rootpage - 1) * pageBytes);
  folder.db.close();
  return Object.assign(folder, { file: join(folder.path, checkpointName), roots });
}

/** What refuses to open this folder. */
function refusalOf(open: (folder: string) => unknown, folder: string): Error {
  try {
    open(folder);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it was opened');
}

const ways = [
  ['to work in it', openDatabase],
  ['to look at it', openDatabaseReadOnly],
] as const;

describe('opening a checkpoint', () => {
  it('makes every commit durable, each time it is opened', async () => {
    await using folder = await temporaryFolder();
    for (let time = 1; time <= 3; time++) {
      const db = openDatabase(folder.path);
      expect(pragma(db, 'synchronous'), `time ${time}`).toBe(full);
      await openStoreOver(db).settings.save('time', String(time));
      expect(pragma(db, 'synchronous'), `time ${time}`).toBe(full);
      expect(pragma(db, 'journal_mode')).toBe('wal');
      db.close();
    }
  });

  it('can be read by its user alone, with its log, where nobody else can write in its folder', async () => {
    await using folder = await temporaryFolder();
    for (const [mode, own] of [
      [0o755, 0o600],
      [0o775, 0o666],
    ] as const) {
      await chmod(folder.path, mode);
      const db = openDatabase(folder.path);
      const modes = (await readdir(folder.path)).map(
        (name) => statSync(join(folder.path, name)).mode & 0o777,
      );
      expect(modes).toEqual([1, 2, 3].map(() => own & ~process.umask()));
      db.close();
      await rm(join(folder.path, checkpointName));
    }
  });

  it('brings a new one to the current version and keeps it there', async () => {
    await using folder = await temporaryFolder();
    const db = openDatabase(folder.path);
    const version = pragma(db, 'user_version');
    expect(version).toBeGreaterThan(0);
    db.close();
    const again = openDatabase(folder.path);
    expect(pragma(again, 'user_version')).toBe(version);
    again.close();
  });
});

describe.each(ways)('a damaged checkpoint, opened %s', (_, open) => {
  it('is refused in one line and left as it is, wherever its trees are broken', async () => {
    await using folder = await closedCheckpoint();
    const whole = await readFile(folder.file);
    // 0 is the first byte of the file, 100 that of the tree with the schema.
    for (const place of [0, 100, ...folder.roots]) {
      const damaged = Buffer.from(whole);
      damaged[place] = 0xff;
      await writeFile(folder.file, damaged);
      const refusal = refusalOf(open, folder.path);
      expect(refusal, `byte ${place}`).toBeInstanceOf(CheckpointError);
      expect(refusal.message).toContain(`${folder.file} is damaged (`);
      expect(refusal.message).not.toContain('\n');
      expect(damaged.equals(await readFile(folder.file)), `byte ${place}`).toBe(true);
    }
    await writeFile(folder.file, whole);
    expect(() => openDatabase(folder.path).close()).not.toThrow();
  });

  it('is refused and left as it is when its end is missing', async () => {
    await using folder = await closedCheckpoint();
    const { length } = await readFile(folder.file);
    await truncate(folder.file, length / 2);
    const cut = await readFile(folder.file);
    expect(refusalOf(open, folder.path)).toMatchObject({ code: 'CHECKPOINT', exitCode: 2 });
    expect(cut.equals(await readFile(folder.file))).toBe(true);
  });

  it('is refused and left as it is when it is no database at all', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, checkpointName);
    const text = 'id,question\n1,somebody saved a table under this name\n'.repeat(30);
    await writeFile(file, text);
    expect(refusalOf(open, folder.path)).toBeInstanceOf(CheckpointError);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe.each(ways)('a checkpoint of a newer version, opened %s', (_, open) => {
  it('is refused and left as it is', async () => {
    await using folder = await closedCheckpoint();
    const db = new Database(folder.file);
    db.pragma('user_version = 99');
    db.close();
    const newer = await readFile(folder.file);
    const refusal = refusalOf(open, folder.path);
    expect(refusal).toBeInstanceOf(CheckpointError);
    expect(refusal.message).toMatch(/newer version of batch \(schema 99, .*; update batch$/);
    expect(newer.equals(await readFile(folder.file))).toBe(true);
  });
});

describe('looking at a checkpoint', () => {
  it('finds nothing where there is none, and makes nothing', async () => {
    await using folder = await temporaryFolder();
    expect(openDatabaseReadOnly(folder.path)).toBeNull();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('sees what is committed while a writer is in the middle of its next commit', async () => {
    await using folder = await openCheckpointFolder();
    await folder.ingest(incomingRows(...namedRows(3)));
    folder.db.exec(`BEGIN IMMEDIATE; UPDATE items SET status = 'open'`);
    const looking = openDatabaseReadOnly(folder.path);
    expect(looking).not.toBeNull();
    if (looking === null) return;
    const { counts } = await createSqliteCheckpoint(looking).ledger();
    expect(counts).toMatchObject({ pending: 3, open: 0 });
    folder.db.exec('COMMIT');
    expect((await createSqliteCheckpoint(looking).ledger()).counts).toMatchObject({ pending: 0, open: 3 });
    looking.close();
  });

  it('finds what a file would do while a writer is in the middle of its next commit', async () => {
    await using folder = await openCheckpointFolder();
    await folder.ingest(incomingRows(...namedRows(2)));
    folder.db.exec(`BEGIN IMMEDIATE; UPDATE items SET status = 'completed'`);
    expect((await lookAt(folder.path, incomingRows(...namedRows(2)))).known.pending).toBe(2);
    folder.db.exec('COMMIT');
    expect((await lookAt(folder.path, incomingRows(...namedRows(2)))).known.completed).toBe(2);
  });

  it('cannot write', async () => {
    await using folder = await openCheckpointFolder();
    const looking = openDatabaseReadOnly(folder.path);
    expect(() => looking?.exec(`INSERT INTO settings VALUES ('name', 'value')`)).toThrow('readonly');
    looking?.close();
  });

  it('finds no run where a process was killed before it had made one', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, checkpointName), '');
    expect(openDatabaseReadOnly(folder.path)).toBe(null);
  });

  it('reads one of an earlier version, and does not bring it up to date', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, checkpointName);
    const old = new Database(file);
    migrate(old, 1);
    old.close();
    const before = await readFile(file);
    const db = openDatabaseReadOnly(folder.path);
    expect(db?.prepare('SELECT * FROM decisions').all()).toEqual([]);
    db?.close();
    expect(before.equals(await readFile(file))).toBe(true);
  });
});

it('a scratch database is a whole checkpoint that leaves nothing behind', async () => {
  const db = openScratchDatabase();
  expect((await createSqliteCheckpoint(db).ledger()).spent).toBe(0);
  expect(db.name).toBe('');
  db.close();
});
