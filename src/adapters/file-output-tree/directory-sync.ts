/**
 * Makes names survive a power cut: that of a file, and those of the folders on its way. A folder is synced once for all that was
 * done in it before: with three frames and a video an item, that is a third of the syncs.
 */

import { constants } from 'node:fs';
import { sep } from 'node:path';
import { codeOf, ItemFilesError } from '../../errors.ts';
import { OpenFile } from './open-file.ts';
import { syncBeat } from './sync-beat.ts';

/** By folder: the sync that has not begun, and the one that is going. */
const waiting = new Map<string, Promise<void>>();
const going = new Map<string, Promise<void>>();

/** Folders whose own names last, by path. */
const lasting = new Map<string, Promise<void>>();

/** Folders that are known to last: far more than are at work at once. One that is forgotten is synced once more. */
const lastingMax = 1_000;

/** Makes all that was renamed or made in the folder last, on systems that can sync a folder. */
export function syncFolder(folder: string): Promise<void> {
  const sync = waiting.get(folder) ?? syncInTurn(folder);
  waiting.set(folder, sync);
  return sync;
}

/**
 * Makes what was renamed or made in a folder of the tree last, and the names of the folders that lead to it. Those of
 * an earlier process too: it may have been killed before it came to sync them.
 */
export async function syncNames(root: string, segments: readonly string[]): Promise<void> {
  const syncs: Promise<void>[] = [];
  let folder = root;
  for (const segment of segments) {
    const parent = folder;
    folder = `${parent}${sep}${segment}`;
    syncs.push(syncName(parent, folder));
  }
  try {
    await Promise.all([...syncs, syncFolder(folder)]);
  } catch (error) {
    const isGone = ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) && folder !== root;
    if (!isGone) throw error;
    throw new ItemFilesError(
      `${folder} was moved away while its files were written; run the same command again`,
    );
  }
}

/** The folder was made anew: that its name lasted before says nothing. */
export function forgetName(folder: string): void {
  lasting.delete(folder);
}

function syncName(parent: string, folder: string): Promise<void> {
  const known = lasting.get(folder);
  if (known !== undefined) return known;
  const sync = syncFolder(parent);
  lasting.set(folder, sync);
  sync.catch(() => forgetName(folder));
  const [oldest] = lasting.keys();
  if (lasting.size > lastingMax && oldest !== undefined) lasting.delete(oldest);
  return sync;
}

/** Waits for the beat, and for the end of the sync that is going: whoever comes meanwhile shares this one. */
async function syncInTurn(folder: string): Promise<void> {
  await syncBeat();
  await going.get(folder);
  waiting.delete(folder);
  const sync = syncOnce(folder);
  const ended = sync.catch(() => {}).finally(() => going.delete(folder));
  going.set(folder, ended);
  await sync;
}

/** Whatever else stands there now is not opened: a pipe would wait for its other end. */
const onlyFolder = constants.O_DIRECTORY ?? 0;

/** What systems answer that cannot sync a folder. */
const cannotSync: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EISDIR', 'EACCES', 'ENOTSUP', 'EBADF']);

async function syncOnce(folder: string): Promise<void> {
  try {
    using opened = new OpenFile(folder, constants.O_RDONLY | onlyFolder);
    await opened.sync();
  } catch (error) {
    if (!cannotSync.has(codeOf(error))) throw error;
  }
}

/** `syncFolder` for one folder at a start, where nobody else waits. */
export function syncFolderNow(folder: string): void {
  try {
    using opened = new OpenFile(folder, constants.O_RDONLY | onlyFolder);
    opened.syncNow();
  } catch (error) {
    if (!cannotSync.has(codeOf(error))) throw error;
  }
}
