/**
 * Takes files of one output folder into another: a hard link, or a copy where the disk has none. A file is taken only if its
 * bytes are those that were saved, and its name is durable when it is said to be there.
 */

import { linkSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf } from '../errors.ts';
import type { SavedFile } from '../money/item.ts';
import type { FileDigest } from '../ports.ts';
import { cannotLink } from './earlier-files.ts';
import { openFolderDestination } from './folder-destination.ts';
import { isNameOfRun } from './foreign-files.ts';
import {
  guarded,
  isRealFolder,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openFlags,
  segmentsOf,
} from './guarded-disk.ts';
import { OpenFile } from './open-file.ts';
import { inspectFile, openRoot } from './open-root.ts';

/** A saved file of another folder (absolute). */
interface ForeignSaved extends FileDigest {
  readonly root: string;
  readonly path: string;
}

/** An output folder that takes files. */
export interface TakeOver {
  /** Null, and nothing is taken, where the file is not as it was saved. Nothing may be at `path`. */
  take(from: ForeignSaved, path: string): Promise<SavedFile | null>;
  /** Removes the files of a run from the folder of a row: a killed process left them. */
  clear(folder: string): Promise<void>;
}

/** `now` is epoch ms. */
export async function openTakeOver(folder: string, now: () => number): Promise<TakeOver> {
  const place = await openRoot(folder, now);
  const copies = await openFolderDestination(folder, { worker: 'reuse', now });
  return {
    async take(from, path) {
      const { sizeBytes, sha256 } = from;
      const isTaken = await guarded(place.root, path, async () => {
        place.check();
        const linked = await link(place, from, path);
        if (linked !== 'no-links') return linked === 'taken';
        await copies.put(join(from.root, ...segmentsOf(from.path)), path, { sizeBytes, sha256 });
        return true;
      });
      return isTaken ? { path, sizeBytes, sha256 } : null;
    },
    clear: (item) => guarded(place.root, item, async () => clear(place, item)),
  };
}

/** The link is made first: what it names is what is compared, whatever happens to the other name. */
async function link(
  place: OpenRoot,
  from: ForeignSaved,
  path: string,
): Promise<'taken' | 'flawed' | 'no-links'> {
  const segments = segmentsOf(from.path);
  const source = join(from.root, ...segments);
  const isFile = isRealFolder(from.root, segments.slice(0, -1)) && lstatIfThere(source)?.isFile() === true;
  if (!isFile) return 'flawed';
  const folders = segmentsOf(path).slice(0, -1);
  const target = join(makeFolder(place.root, folders, place.syncs), basename(path));
  try {
    linkSync(source, target);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' && !cannotLink.has(codeOf(error))) throw error;
    return isSame(await inspectFile(from.root, from.path), from) ? 'no-links' : 'flawed';
  }
  if (!isSame(await inspectFile(place.root, path), from)) {
    rmSync(target);
    return 'flawed';
  }
  await syncFile(target);
  await place.syncs.syncNames(place.root, folders);
  return 'taken';
}

function isSame(found: FileDigest | null, { sizeBytes, sha256 }: FileDigest): boolean {
  return found?.sizeBytes === sizeBytes && found.sha256 === sha256;
}

/** Systems that cannot sync a file that is open to be read only. */
const cannotSync: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBADF', 'EINVAL']);

async function syncFile(path: string): Promise<void> {
  try {
    using file = new OpenFile(path, openFlags.read);
    await file.sync();
  } catch (error) {
    if (!cannotSync.has(codeOf(error))) throw error;
  }
}

function clear({ root }: OpenRoot, item: string): void {
  const segments = segmentsOf(item);
  if (!isRealFolder(root, segments)) return;
  const folder = join(root, ...segments);
  for (const name of readdirSync(folder).filter(isNameOfRun))
    rmSync(join(folder, name), { recursive: true, force: true });
}
