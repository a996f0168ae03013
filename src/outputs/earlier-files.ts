/**
 * Sets the files of an earlier attempt aside. They get a second name before the claim of the new attempt is saved, and lose
 * the first one only when the new attempt has files. So the checkpoint names existing files, whenever the process dies.
 */

import { linkSync, mkdirSync, readdirSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { isNameOfRun } from './foreign-files.ts';
import {
  isRealFolder,
  lstatIfThere,
  mkdirIfMissing,
  notAFolder,
  type OpenRoot,
  segmentsOf,
  unlinkIfThere,
} from './guarded-disk.ts';

/** Error codes of disks without hard links; they vary. */
export const cannotLink: ReadonlySet<string> = new Set([
  ...['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES', 'UNKNOWN', 'EISDIR'],
]);

/**
 * Returns the folder, inside the item's, that now contains the files of this attempt; null when it has none. Throws
 * `ItemFilesError` where the item's folder is none: the video of a new attempt would be paid for and find no place.
 */
export async function setAside(
  { root, syncs }: OpenRoot,
  item: string,
  attempt: number,
): Promise<string | null> {
  const segments = segmentsOf(item);
  const folder = join(root, ...segments);
  if (lstatIfThere(folder) === null) return null;
  if (!isRealFolder(root, segments)) throw notAFolder(folder);
  removeUnfinished(folder);
  // Files already set aside for another attempt are not of this one, which made none.
  const isOfThis = (name: string): boolean => new RegExp(`^attempt-${attempt}(-|$)`).test(name);
  removeNames(
    folder,
    asidesIn(folder).filter((name) => !isOfThis(name)),
  );
  const names = filesOfRun(folder);
  // Without hard links files are moved; an earlier process may have died after that.
  if (names.length === 0) return latestAside(folder, attempt);
  const aside = chooseAside(folder, attempt, names);
  const target = join(folder, aside);
  for (const name of names) giveName(join(folder, name), join(target, name));
  const made = new Set(names.map((name) => dirname(join(target, name))));
  for (const each of [...made, target, folder]) await syncs.syncFolder(each);
  return aside;
}

/** Removes the old names of files that were set aside. */
export async function clearAside({ root, syncs }: OpenRoot, item: string): Promise<void> {
  const segments = segmentsOf(item);
  const folder = join(root, ...segments);
  if (!isRealFolder(root, segments)) return;
  if (removeNames(folder, asidesIn(folder))) await syncs.syncFolder(folder);
}

function asidesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^attempt-\d+(-\d+)?$/.test(name));
}

/** Removes the names of files that have another name in these folders; true if there were any. */
function removeNames(folder: string, asides: readonly string[]): boolean {
  const isAside = (name: string, found: Stats): boolean =>
    asides.some((aside) => isSame(lstatIfThere(join(folder, aside, name)), found));
  const old = filesOfRun(folder).filter((name) => {
    const found = lstatIfThere(join(folder, name));
    return found !== null && isAside(name, found);
  });
  for (const name of old) unlinkSync(join(folder, name));
  return old.length > 0;
}

/** The files of a run in the folder of a row, frames included, as relative paths. */
function filesOfRun(folder: string): string[] {
  return readdirSync(folder)
    .filter(isNameOfRun)
    .flatMap((name) =>
      name === 'frames' && isRealFolder(folder, [name])
        ? readdirSync(join(folder, name)).map((frame) => join(name, frame))
        : [name],
    );
}

/** `attempt-N`, or `attempt-N-2`... if other files use that name: files set aside are never mixed. */
function chooseAside(folder: string, attempt: number, names: readonly string[]): string {
  for (let count = 1; ; count++) {
    const aside = count === 1 ? `attempt-${attempt}` : `attempt-${attempt}-${count}`;
    if (mkdirIfMissing(join(folder, aside)) || hasRoomFor(folder, aside, names)) return aside;
  }
}

/** True for a folder in which each of these names is free or already names the same file. */
function hasRoomFor(folder: string, aside: string, names: readonly string[]): boolean {
  if (!isRealFolder(folder, [aside])) return false;
  return names.every((name) => {
    const there = lstatIfThere(join(folder, aside, name));
    return there === null || isSame(there, lstatIfThere(join(folder, name)));
  });
}

function latestAside(folder: string, attempt: number): string | null {
  const countOf = (name: string): number => Number(name.split('-')[2] ?? 1);
  const asides = readdirSync(folder).filter((name) => new RegExp(`^attempt-${attempt}(-\\d+)?$`).test(name));
  return asides.sort((a, b) => countOf(a) - countOf(b)).at(-1) ?? null;
}

function isSame(one: Stats | null, other: Stats | null): boolean {
  return one?.isFile() === true && one.ino === other?.ino && one.dev === other.dev;
}

function giveName(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (lstatIfThere(to) !== null) return;
  // Anything but a plain file was not made by a run: it is moved as it is.
  if (lstatIfThere(from)?.isFile() !== true || !hasLinked(from, to)) renameSync(from, to);
}

/** False on a disk without hard links. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return false;
    throw error;
  }
}

/** Removes parts and temporary files, which no longer belong to any attempt. */
function removeUnfinished(folder: string): void {
  for (const part of isRealFolder(folder, ['frames']) ? [folder, join(folder, 'frames')] : [folder])
    for (const name of readdirSync(part))
      if (/\.(part|part\.json|tmp)$/.test(name)) unlinkIfThere(join(part, name));
}
