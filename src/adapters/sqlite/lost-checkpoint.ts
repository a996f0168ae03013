/** Tells a new output folder from one whose checkpoint was lost: only a new one may be started from nothing. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointError, codeOf, DiskError, messageOf } from '../../errors.ts';
import { checkpointName } from './database.ts';

/** Files, together, that only a run leaves at the top of its folder. A user's own file may well be called `report.jsonl`. */
const traces = [['batch.log'], [`${checkpointName}-wal`], ['report.jsonl', 'report.html']] as const;

/**
 * Throws `CheckpointError` where a run was and its checkpoint is not: a new one would know nothing of what was paid, and
 * every row would be paid for again.
 */
export function refuseLostCheckpoint(folder: string): void {
  const isThere = (name: string): boolean => sizeOf(join(folder, name)) > 0;
  if (isThere(checkpointName)) return;
  if (!traces.some((names) => names.every(isThere)) && !hasVideoOfRun(folder)) return;
  throw new CheckpointError(
    `${folder} holds files of a run, but not its ${checkpointName}; nothing was sent. Put that file back; a new --out would pay for every row again`,
  );
}

/** True when any row's folder holds a video beside what the service said of its task. */
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

/** Bytes of a plain file; 0 where there is none, or where nobody may look: no run of this user has written there. */
function sizeOf(path: string): number {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  } catch (error) {
    if (/^(EACCES|EPERM|ENOTDIR)$/.test(codeOf(error))) return 0;
    throw error;
  }
}
