/** Tells a new output folder from one whose checkpoint was lost: only a new one may be started from nothing. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointName } from '../adapters/sqlite/database.ts';
import { CheckpointError } from '../errors.ts';

/** Files that only a run leaves, at the top of the output folder; a user's own files may well be called `report.csv`. */
const traces = ['batch.log', 'report.jsonl', `${checkpointName}-wal`];

/**
 * Throws `CheckpointError` where a run was and its checkpoint is not: a new one would know nothing of what was paid, and
 * every row would be paid for again.
 */
export function refuseLostCheckpoint(folder: string): void {
  if (sizeOf(join(folder, checkpointName)) > 0) return;
  if (!traces.some((name) => sizeOf(join(folder, name)) > 0) && !hasTaskFile(folder)) return;
  throw new CheckpointError(
    `${folder} holds files of a run, but not its ${checkpointName}; nothing was sent. Put that file back; a new --out would pay for every row again`,
  );
}

/** True when any row's folder holds what the service said of its task. */
function hasTaskFile(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && sizeOf(join(folder, entry.name, 'task.json')) > 0,
  );
}

/** Bytes of a plain file; 0 where there is none. */
function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}
