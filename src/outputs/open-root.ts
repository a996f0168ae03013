/** Opens a folder that files are written to, creating it if needed. */

import { createHash } from 'node:crypto';
import { opendir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { saidOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { FolderSyncs } from './directory-sync.ts';
import {
  diskError,
  isDiskRefusal,
  isRealFolder,
  lstatIfThere,
  type OpenRoot,
  openFlags,
  readInto,
  segmentsOf,
  unlinkIfThere,
} from './guarded-disk.ts';
import { makeFolders } from './make-folders.ts';
import { OpenFile } from './open-file.ts';
import { watchFolder } from './same-folder.ts';
import { SyncBeat } from './sync-beat.ts';

/** A temporary file untouched for this long was left by a killed process. */
const abandonedAfterMs = 3_600_000;

/**
 * Opens the folder. Throws `DiskError` where the disk refuses, `UsageError` where something else is in the way.
 * `now` is epoch ms.
 */
export async function openRoot(folder: string, now: () => number): Promise<OpenRoot> {
  const root = resolve(folder);
  try {
    makeFolders(root);
    await removeAbandoned(root, now());
  } catch (error) {
    if (isDiskRefusal(root, error)) throw diskError(root, error);
    throw new UsageError(message('output.no-root', { folder: root, failure: saidOf(error) }), error);
  }
  const beat = new SyncBeat();
  return { root, check: watchFolder(root), now, beat, syncs: new FolderSyncs(beat), growing: new Set() };
}

/** Removes temporary files of killed processes; streams the names, because there may be a million items. */
async function removeAbandoned(root: string, now: number): Promise<void> {
  for await (const { name } of await opendir(root)) {
    if (!/^\..+\.[0-9a-f-]{36}\.tmp$/.test(name)) continue;
    const found = lstatIfThere(join(root, name));
    if (found !== null && now - found.mtimeMs > abandonedAfterMs) unlinkIfThere(join(root, name));
  }
}

/** Length and digest of the file at this path; null when there is no regular file. */
export async function inspectFile(
  root: string,
  path: string,
): Promise<{ readonly sizeBytes: number; readonly sha256: string } | null> {
  const segments = segmentsOf(path);
  const file = join(root, ...segments);
  if (!isRealFolder(root, segments.slice(0, -1))) return null;
  if (!lstatIfThere(file)?.isFile()) return null;
  using opened = new OpenFile(file, openFlags.read);
  const hash = createHash('sha256');
  const sizeBytes = await readInto(hash, opened);
  return { sizeBytes, sha256: hash.digest('hex') };
}
