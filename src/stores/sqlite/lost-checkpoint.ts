/**
 * Distinguishes a new output folder from one whose checkpoint was lost, or lost its place: only in a new one may a run
 * start from nothing.
 */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointError, codeOf, DiskError, saidOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { checkpointName } from './database.ts';

/** Sets of files that only a run leaves at the top of its folder. A user's own file may also be named `report.jsonl`. */
const traces = [
  ['batch.log'],
  ['batch.log.1'],
  [`${checkpointName}-wal`],
  ['report.jsonl', 'report.html'],
] as const;

/** Where a checkpoint is saved whose own file was replaced or removed while it was open. */
const savedForm = /^batch\.sqlite\.saved-\d{8}-\d{4}(-\d+)?$/;

/** A free name of that form: `batch.sqlite.saved-20261127-1051`. */
export function savedName(folder: string, now: Date): string {
  const digits = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${digits(now.getMonth() + 1)}${digits(now.getDate())}`;
  const name = `${checkpointName}.saved-${day}-${digits(now.getHours())}${digits(now.getMinutes())}`;
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (lstatSync(join(folder, free), { throwIfNoEntry: false }) === undefined) return free;
  }
}

/** Throws `CheckpointError` when the folder has a checkpoint that was saved there: no other one knows its creations. */
function refuseSavedCheckpoint(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const saved = readFolder(folder)
    .map(({ name }) => name)
    .filter((name) => savedForm.test(name))
    .sort();
  const last = saved.at(-1);
  if (last === undefined) return;
  const others = saved.slice(0, -1).join(', ');
  const older =
    others === ''
      ? { en: '', zh: '' }
      : { en: `, after moving the older ${others} away`, zh: `先把较旧的 ${others} 移走，再` };
  throw new CheckpointError(
    message('store.saved-copy', { path: join(folder, last), file: checkpointName, older }),
  );
}

/**
 * Throws `CheckpointError` when the folder has files of a run without its checkpoint, or with one that was saved next to it: any
 * other checkpoint would pay for rows again.
 */
export function refuseLostCheckpoint(folder: string): void {
  refuseSavedCheckpoint(folder);
  const isThere = (name: string): boolean => sizeOf(join(folder, name)) > 0;
  if (isThere(checkpointName)) return;
  if (!traces.some((names) => names.every(isThere)) && !hasVideoOfRun(folder)) return;
  throw new CheckpointError(message('store.lost', { folder, file: checkpointName }));
}

/** True when a row's folder contains a video and a `task.json`. */
function hasVideoOfRun(folder: string): boolean {
  return readFolder(folder).some(
    (entry) =>
      entry.isDirectory() &&
      sizeOf(join(folder, entry.name, 'task.json')) > 0 &&
      readFolder(join(folder, entry.name)).some(({ name }) => name.startsWith('video.')),
  );
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw new DiskError(message('store.unopened-folder', { path, failure: saidOf(error) }), error);
  }
}

/** Bytes of a plain file; 0 when it is missing or this user may not see it, since then this user's run did not write it. */
function sizeOf(path: string): number {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  } catch (error) {
    if (/^(EACCES|EPERM|ENOTDIR)$/.test(codeOf(error))) return 0;
    throw error;
  }
}
