/** One writer per output folder: an exclusive transaction on a tiny database, held for the life of the process. */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, HeldError } from '../../errors.ts';
import { guard } from './database.ts';

/** Two processes that reach for the lock in the same instant refuse each other; a short wait lets one of them win. */
const graceMs = 100;

/**
 * Holds the folder until it is disposed or the process dies; the system frees it even after a kill, so there is no
 * stale lock to clear. Throws `HeldError` after a tenth of a second when another process has it.
 */
export function holdFolder(folder: string): Disposable {
  const path = join(folder, 'batch.lock');
  return guard(path, () => {
    const db = new Database(path, { timeout: graceMs });
    try {
      db.pragma('journal_mode = DELETE');
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) ? new HeldError(folder, error) : error;
    }
    return { [Symbol.dispose]: () => void db.close() };
  });
}
