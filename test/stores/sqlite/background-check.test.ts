import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../src/errors.ts';
import { openWithBackgroundCheck } from '../../../src/stores/sqlite/background-check.ts';
import { checkpointName } from '../../../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { accepted, liveOn } from '../../support/saved-lives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder with three rows, one of them open, that nobody has open; and its files as they are. */
async function leftFolder() {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...namedRows(3)));
  await liveOn(folder.checkpoint, 'q1', ...accepted('task-1'));
  folder.db.close();
  const bytesOf = (end: string): Promise<Buffer> => readFile(join(folder.path, checkpointName + end));
  return Object.assign(folder, { bytesOf });
}

/** Makes an attempt another task than its row, as a bit that flips on a disk can; the change stays in the log. */
function damage(path: string): void {
  const db = new Database(join(path, checkpointName));
  db.pragma('wal_autocheckpoint = 0');
  // While there is a reader, the log is not merged.
  const reader = new Database(join(path, checkpointName), { readonly: true });
  reader.prepare('SELECT count(*) FROM items').get();
  db.exec(`UPDATE attempts SET task_id = 'task-2'`);
  db.close();
  reader.close();
}

function openAside(path: string) {
  const aside = openWithBackgroundCheck(path, 0, 0);
  if (aside === null) throw new Error('it is not checked aside');
  return { aside, checkpoint: createSqliteCheckpoint(aside.db, () => {}, aside.sound) };
}

describe('a checkpoint that is checked aside', () => {
  it('is read at once, and saves when it was found sound', async () => {
    await using folder = await leftFolder();
    const { aside, checkpoint } = openAside(folder.path);
    using _closed = aside;
    expect((await checkpoint.ledger()).counts).toMatchObject({ open: 1, pending: 2 });
    await liveOn(checkpoint, 'q2', ...accepted('task-2'));
    await expect(aside.sound).resolves.toBeUndefined();
    expect((await checkpoint.ledger()).counts).toMatchObject({ open: 2, pending: 1 });
  });

  it('saves, reports and gives out nothing when it is damaged, and is left as it was, log and all', async () => {
    await using folder = await leftFolder();
    damage(folder.path);
    const before = [await folder.bytesOf(''), await folder.bytesOf('-wal')];
    expect(before[1]?.length).toBeGreaterThan(0);
    const { aside, checkpoint } = openAside(folder.path);
    await expect(liveOn(checkpoint, 'q2', ...accepted('task-3'))).rejects.toBeInstanceOf(CheckpointError);
    const firstRow = checkpoint.pendingItems({ limit: 1, only: null });
    await expect(firstRow).rejects.toBeInstanceOf(CheckpointError);
    await expect(Array.fromAsync(checkpoint.reportRows())).rejects.toThrow(
      /batch\.sqlite is damaged \(row q1 is not as it was saved\); nothing was sent/,
    );
    aside[Symbol.dispose]();
    expect([await folder.bytesOf(''), await folder.bytesOf('-wal')]).toEqual(before);
  });

  it('is left as it was when it is closed before anything is known of it', async () => {
    await using folder = await leftFolder();
    damage(folder.path);
    const before = [await folder.bytesOf(''), await folder.bytesOf('-wal')];
    const { aside } = openAside(folder.path);
    aside[Symbol.dispose]();
    await expect(aside.sound).rejects.toThrow(/could not be checked/);
    expect([await folder.bytesOf(''), await folder.bytesOf('-wal')]).toEqual(before);
  });

  it('knows as many creations as the folder noted, or is refused', async () => {
    await using folder = await leftFolder();
    const aside = openWithBackgroundCheck(folder.path, 2, 0);
    await expect(aside?.sound).rejects.toThrow(/knows 1 of 2 creations/);
    aside?.[Symbol.dispose]();
  });

  it('is none that is small, new, of another version or kept in another way', async () => {
    await using folder = await leftFolder();
    await using empty = await temporaryFolder();
    expect(openWithBackgroundCheck(folder.path, 0)).toBeNull();
    expect(openWithBackgroundCheck(empty.path, 0, 0)).toBeNull();
    for (const change of ['journal_mode = DELETE', 'user_version = 99']) {
      const db = new Database(join(folder.path, checkpointName));
      db.pragma(change);
      db.close();
      const before = await folder.bytesOf('');
      expect(openWithBackgroundCheck(folder.path, 0, 0)).toBeNull();
      expect(before.equals(await folder.bytesOf(''))).toBe(true);
    }
  });
});
