/**
 * The files of an open checkpoint, as its folder has them. A program that syncs folders may replace, rename or remove one:
 * what is saved then goes into a file without a name, and the next process would work on an older one.
 */

import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DiskError, saidOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { checkpointName, type Database, makeOwnFile } from './database.ts';
import { lockName } from './folder-lock.ts';
import { savedName } from './lost-checkpoint.ts';

/** Files next to the checkpoint that stay the same ones while it is open. */
const logFileNames = ['-wal', '-shm'].map((end) => checkpointName + end);

/** Identifies the file at this path; empty when it is missing, or cannot be looked at. */
export function fileAt(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.dev} ${stat.ino}`;
  } catch {
    return '';
  }
}

/** The files of a checkpoint that this process has just opened to write. */
export class HeldFiles {
  readonly #folder: string;
  readonly #db: Database;
  readonly #now: () => number;
  /** By name; the empty one is the folder. */
  readonly #opened: ReadonlyMap<string, string>;
  /** Why nothing may be paid for any more. */
  #lost: DiskError | null = null;
  /** Where the checkpoint is saved; null while its own file is in the folder. */
  #saved: string | null = null;

  constructor(folder: string, db: Database, now: () => number) {
    this.#folder = folder;
    this.#db = db;
    this.#now = now;
    const names = ['', checkpointName, ...logFileNames, lockName];
    this.#opened = new Map(names.map((name) => [name, fileAt(join(folder, name))]));
  }

  /** Throws `DiskError` once one of them is not what was opened: nothing may be paid for from here any more. */
  check(): void {
    this.#lost ??= this.#look();
    if (this.#lost !== null) throw this.#lost;
  }

  /** Saves the last of a checkpoint that has no place in its folder any more, then closes it. Throws `DiskError`. */
  closeWith(close: () => void): void {
    if (!this.#db.open || this.#isThere(checkpointName) || !this.#isThere('')) {
      close();
      return;
    }
    try {
      this.#saved ??= savedName(this.#folder, new Date(this.#now()));
      this.#save(this.#saved);
    } catch (error) {
      throw this.#unsaved(error);
    } finally {
      close();
    }
    // The log belongs to the file that is gone, and would be merged into the one that replaces it.
    for (const name of logFileNames)
      if (this.#isThere(name)) rmSync(join(this.#folder, name), { force: true });
  }

  #isThere(name: string): boolean {
    return fileAt(join(this.#folder, name)) === this.#opened.get(name);
  }

  #look(): DiskError | null {
    const gone = [...this.#opened.keys()].find((name) => !this.#isThere(name));
    if (gone === undefined) return null;
    const path = join(this.#folder, gone);
    if (gone === '') return new DiskError(message('store.folder-replaced', { path }));
    if (gone !== checkpointName) return new DiskError(message('store.file-replaced', { path }));
    this.#saved = savedName(this.#folder, new Date(this.#now()));
    try {
      // At once, and again at the end: the program may be killed while it waits for its last answers.
      this.#save(this.#saved);
    } catch (error) {
      return this.#unsaved(error);
    }
    return new DiskError(message('store.replaced-saved', { path, file: this.#saved }));
  }

  #unsaved(error: unknown): DiskError {
    const path = join(this.#folder, checkpointName);
    return new DiskError(message('store.replaced-unsaved', { path, failure: saidOf(error) }), error);
  }

  #save(name: string): void {
    const temporary = join(this.#folder, `.${name}.tmp`);
    rmSync(temporary, { force: true });
    makeOwnFile(temporary);
    this.#db.prepare('VACUUM INTO ?').run(temporary);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(this.#folder, basename(name)));
  }
}
