/** Opens an output folder: to work in it, alone, or only to look. */

import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolderNow } from '../adapters/file-output-tree/directory-sync.ts';
import { journalName, openIdJournal, readIdJournal } from '../adapters/id-journal.ts';
import { type BackgroundCheck, openWithBackgroundCheck } from '../adapters/sqlite/background-check.ts';
import {
  checkpointName,
  closeDatabase,
  type Database,
  openDatabase,
  openDatabaseReadOnly,
  parseSaved,
} from '../adapters/sqlite/database.ts';
import { holdFolder } from '../adapters/sqlite/folder-lock.ts';
import { createSqliteCheckpoint, type SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { codeOf, DiskError, messageOf, UsageError } from '../errors.ts';
import type { KeptId } from '../ports.ts';
import { keepBugsIn } from './bug-record.ts';
import { refuseOthersFolder, refuseUnreadable, refuseUnwritable } from './folder-access.ts';
import { refuseLostCheckpoint } from './lost-checkpoint.ts';
import type { Options, RawOptions } from './options.ts';
import { type Invocation, optionsToSave, refuseUncallable, serviceOf, withSaved } from './settings.ts';

/** An open checkpoint. */
export interface OpenFolder extends Disposable {
  readonly db: Database;
  readonly checkpoint: SqliteCheckpoint;
  /** True when this process made the checkpoint. */
  readonly isNew: boolean;
  /** Takes back a checkpoint that this process made and that holds nothing. */
  abandon(): void;
}

/** The folder for this process alone, made when it is not there. Throws `HeldError` when another one has it. */
export function openFolder(folder: string): OpenFolder {
  refuseOthersFolder(folder);
  const madeFolder = makeFolder(folder);
  refuseLinks(folder, ownFiles);
  refuseLostCheckpoint(folder);
  const lock = holdFolder(folder);
  const isNew = !existsSync(join(folder, checkpointName));
  try {
    const kept = readIdJournal(folder);
    const checked = openChecked(folder, lock.creations, kept.length > 0);
    const { db, sound } = checked;
    const close = (): void => {
      checked[Symbol.dispose]();
      lock[Symbol.dispose]();
    };
    const abandon = (): void => {
      close();
      takeBack(folder, madeFolder);
    };
    const checkpoint = createSqliteCheckpoint(db, lock.note, sound);
    keepBugsIn(folder);
    if (kept.length > 0) takeKept(folder, checkpoint, kept);
    return { db, checkpoint, isNew, abandon, [Symbol.dispose]: close };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/**
 * Removes a checkpoint that holds nothing. Its log first: alone it would stand for a checkpoint that was lost, and every later run
 * be refused. On a full disk it could not be folded into the checkpoint.
 */
function takeBack(folder: string, isFolderOurs: boolean): void {
  for (const name of [...checkpointFiles.toReversed(), 'batch.lock', journalName])
    rmSync(join(folder, name), { force: true });
  if (isFolderOurs && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** What a full disk kept from the checkpoint comes before anything else: a row whose task is known must not be paid again. */
function takeKept(folder: string, checkpoint: SqliteCheckpoint, kept: readonly KeptId[]): void {
  const taken = checkpoint.takeKept(kept, Date.now());
  using journal = openIdJournal(folder);
  journal.forget(taken);
}

/** Checked before it is opened, or, a large one, beside the work. */
function openChecked(folder: string, creations: number, isWrittenAtOnce: boolean): BackgroundCheck {
  const aside = isWrittenAtOnce ? null : openWithBackgroundCheck(folder, creations);
  if (aside !== null) return aside;
  const db = openDatabase(folder, creations);
  return { db, sound: Promise.resolve(), [Symbol.dispose]: () => closeDatabase(db) };
}

/** Files of the tool's own at the top of the output folder; a link among them would lead a write outside. */
const checkpointFiles = ['', '-wal', '-shm', '-journal'].map((end) => checkpointName + end);
const ownFiles = ['batch.lock', journalName, 'batch.log', 'simulator.jsonl', ...checkpointFiles];

function refuseLinks(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new UsageError(
        `${path} is a symbolic link; put the file itself there: nothing outside the folder is written`,
      );
    }
  }
}

/** True when this call made it. Its name lasts before anything in it is paid for, and those of the folders above it. */
function makeFolder(folder: string): boolean {
  try {
    const first = mkdirSync(folder, { recursive: true });
    if (first === undefined) return false;
    for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolderNow(dirname(made));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EEXIST')
      throw new UsageError(`the output folder ${folder} is not a folder; choose another --out`, error);
    const advice = `${messageOf(error)}; choose another --out`;
    throw new DiskError(`the output folder ${folder} cannot be made: ${advice}`, error);
  }
}

/** A file in the place of the folder, or above it, holds no run. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(codeOf(error))) return false;
    throw new DiskError(`${path} cannot be opened (${messageOf(error)}); choose another one`, error);
  }
}

/** The folder of an earlier run, for this process alone. */
export function openExistingFolder(folder: string): OpenFolder {
  refuseOthersFolder(folder);
  if (!isFolder(folder)) throw noRun(folder);
  refuseLostCheckpoint(folder);
  if (!existsSync(join(folder, checkpointName))) throw noRun(folder);
  return openFolder(folder);
}

/** The checkpoint for looking only; null where there is none. Looking makes files too, beside the checkpoint itself. */
export function openToLook(folder: string): Database | null {
  refuseUnreadable(folder);
  if (!isFolder(folder)) return null;
  refuseLinks(folder, checkpointFiles);
  refuseLostCheckpoint(folder);
  try {
    return openDatabaseReadOnly(folder);
  } catch (error) {
    if (error instanceof DiskError) refuseUnwritable(folder);
    throw error;
  }
}

/** The folder of a run for looking only, also while the run goes on. */
export function lookIntoFolder(folder: string): Pick<OpenFolder, 'db' | 'checkpoint'> & Disposable {
  const db = openToLook(folder);
  if (db === null) throw noRun(folder);
  return { db, checkpoint: createSqliteCheckpoint(db), [Symbol.dispose]: () => void db.close() };
}

function noRun(folder: string): UsageError {
  return new UsageError(`there is no run in ${folder}; start one with \`batch run FILE --out DIR\``);
}

/** The options saved with the run. */
export function readSavedOptions(checkpoint: SqliteCheckpoint): RawOptions {
  const saved = checkpoint.setting('options');
  return saved === null ? {} : parseSaved(checkpointName, saved);
}

/** Saves what was given now over what was saved before. The caller has waited for `sound`. */
export function saveOptions(checkpoint: SqliteCheckpoint, invocation: Invocation): void {
  const saved = readSavedOptions(checkpoint);
  const text = JSON.stringify(optionsToSave(invocation, saved));
  if (text !== JSON.stringify(saved)) checkpoint.saveSetting('options', text);
}

function isEmpty(folder: OpenFolder): boolean {
  return folder.db.prepare('SELECT 1 FROM items LIMIT 1').get() === undefined;
}

/**
 * All options of a run, saved ones included. A folder of the embedded service is never mixed with one of the real
 * service: each would take the other's tasks for lost.
 */
export function optionsOfRun(invocation: Invocation, folder: OpenFolder): Options {
  const saved = readSavedOptions(folder.checkpoint);
  const options = withSaved(invocation, saved);
  const wantsReal = invocation.flags['base-url'] !== undefined;
  if (invocation.flags.simulate && wantsReal) {
    throw new UsageError('--simulate and --base-url name two services; use one of them');
  }
  const isRehearsal = saved.simulate === true;
  if (!isEmpty(folder) && (isRehearsal ? wantsReal || !options.simulate : options.simulate)) {
    const kind = isRehearsal ? 'a rehearsal (--simulate)' : 'a run of the real service';
    throw new UsageError(`${invocation.outShown} holds ${kind}; choose another folder`);
  }
  if (!options.simulate) serviceOf(invocation, options);
  refuseUncallable(options);
  return options;
}
