/** Opens the checkpoint's database: durable, checked, migrated; or read-only and untouched. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { CheckpointError, codeOf, DiskError, messageOf } from '../../errors.ts';

export type { Database } from 'better-sqlite3';

/** Name of the checkpoint in the output folder. */
export const checkpointName = 'batch.sqlite';

/** Milliseconds a statement waits for a reader or writer of another process. */
const busyTimeoutMs = 10_000;

const migrationsFolder = new URL('./migrations/', import.meta.url);

/** The checkpoint of this folder for a process that holds the folder; made when it is not there. */
export function openDatabase(folder: string): Database.Database {
  const path = join(folder, checkpointName);
  return guard(path, () => {
    const db = new Database(path, { timeout: busyTimeoutMs });
    try {
      checkVersion(db, path);
      checkPages(db, path);
      // The library falls back to NORMAL on every open; NORMAL survives a kill but not a power cut.
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      migrate(db);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/** The checkpoint for looking only: no migration, no write; null when the folder holds none. */
export function openDatabaseReadOnly(folder: string): Database.Database | null {
  const path = join(folder, checkpointName);
  if (!existsSync(path)) return null;
  return guard(path, () => {
    const db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
    try {
      const version = checkVersion(db, path);
      // A process was killed before it had made anything of the file.
      if (version === 0 && isBlank(db)) {
        db.close();
        return null;
      }
      if (version < migrations().length) {
        throw new CheckpointError(
          `${path} is of an older version of batch; \`batch resume\` brings it up to date`,
        );
      }
      checkPages(db, path);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/** An empty checkpoint that is gone when it is closed, for trying a file against nothing. */
export function openScratchDatabase(): Database.Database {
  const db = new Database('');
  migrate(db);
  return db;
}

/** Runs database work and says in the tool's own errors what went wrong. */
export function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(path, error);
  }
}

function translate(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return damaged(path, messageOf(error), error);
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
    return new DiskError(
      `${path} cannot be written or read (${messageOf(error)}); free space or mend the disk and run the same line again`,
      error,
    );
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new DiskError(`${path} is locked by another program; close it and run the same line again`, error);
  }
  return error;
}

function damaged(path: string, detail: string, cause?: unknown): CheckpointError {
  return new CheckpointError(
    `${path} is damaged (${detail}); nothing was sent. Keep the folder, put a good copy of the file in its place, or start in a new --out`,
    cause,
  );
}

function checkVersion(db: Database.Database, path: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > migrations().length) {
    throw new CheckpointError(
      `${path} was written by a newer version of batch (schema ${version}, this one knows ${migrations().length}); update batch`,
    );
  }
  return version;
}

function isBlank(db: Database.Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function checkPages(db: Database.Database, path: string): void {
  const answer = db.pragma('quick_check(1)', { simple: true });
  // The first line of the answer only names the database.
  if (answer !== 'ok') throw damaged(path, String(answer).replace(/^.*\n/s, ''));
}

function migrate(db: Database.Database): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  migrations()
    .slice(version)
    .forEach((sql, i) => {
      db.transaction(() => {
        db.exec(sql);
        db.pragma(`user_version = ${version + i + 1}`);
      }).immediate();
    });
}

/** The numbered migrations in order; a released one is never edited. */
function migrations(): readonly string[] {
  return readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, migrationsFolder), 'utf8'));
}
