/** Distinguishes a new output folder from one whose checkpoint was lost: only in a new one may a run start from nothing. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointError, codeOf, DiskError, messageOf } from '../../errors.ts';
import { checkpointName } from './database.ts';

/** Sets of files that only a run leaves at the top of its folder. A user's own file may also be named `report.jsonl`. */
const traces = [['batch.log'], [`${checkpointName}-wal`], ['report.jsonl', 'report.html']] as const;

/**
 * Throws `CheckpointError` when the folder holds files of a run without its checkpoint: a new checkpoint would pay for
 * every row again.
 */
export function refuseLostCheckpoint(folder: string): void {
  const isThere = (name: string): boolean => sizeOf(join(folder, name)) > 0;
  if (isThere(checkpointName)) return;
  if (!traces.some((names) => names.every(isThere)) && !hasVideoOfRun(folder)) return;
  throw new CheckpointError(
    `${folder} holds files of a run, but not its ${checkpointName}; nothing was sent. Put that file back; a new --out would pay for every row again`,
  );
}

/** True when a row's folder holds a video and a `task.json`. */
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
    throw new DiskError(`${path} cannot be opened (${messageOf(error)}); choose another --out`, error);
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
