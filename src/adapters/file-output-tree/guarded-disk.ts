/**
 * Steps on a disk that follow no link, leave no folder, and fail with one of the errors of the output tree's port. Those on names
 * are done at once, as in `open-file.ts`.
 */

import { constants, lstatSync, mkdirSync, rename, type Stats, unlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { codeOf, DiskError, ItemFilesError, messageOf } from '../../errors.ts';
import type { FolderSyncs } from './directory-sync.ts';
import { OpenFile } from './open-file.ts';
import type { SyncBeat } from './sync-beat.ts';

/** Windows has no such flag; there the look at the folders before each opening has to do. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Ways to open a file that never end at a link. */
export const openFlags = {
  read: constants.O_RDONLY | noFollow,
  goOn: constants.O_RDWR | noFollow,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow,
} as const;

const readBytes = 1 << 20;

/** Refusals no other item would fare better with. */
const diskCodes: readonly string[] = [
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ESTALE',
];
/** These too, where it is the output folder itself that refuses a new name. */
const folderCodes: readonly string[] = ['EACCES', 'EPERM', 'ENOENT'];

/** The segments of a path inside the folder; throws on everything that could lead out of it. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || /[\0\\]/.test(segment)))
    throw new ItemFilesError(`${JSON.stringify(path)} is no path inside the output folder`);
  return segments;
}

/** An output folder that is open: what all that work in it share. */
export interface OpenRoot {
  /** Absolute. */
  readonly root: string;
  readonly syncs: FolderSyncs;
  readonly beat: SyncBeat;
  /** Throws `DiskError` once another folder is in its place: no file must get its name any more. */
  check(): void;
  /** Epoch ms. */
  now(): number;
}

/** Makes the folders that are missing; one that is a link or a file is in the way. Their names last from `syncNames` on. */
export function makeFolder(root: string, segments: readonly string[]): string {
  let folder = root;
  for (const segment of segments) {
    folder = `${folder}${sep}${segment}`;
    let found = lstatIfThere(folder);
    if (found === null && mkdirIfMissing(folder)) continue;
    found ??= lstatIfThere(folder);
    if (!found?.isDirectory())
      throw new ItemFilesError(`${folder} is not a folder; move it away and run the same command again`);
  }
  return folder;
}

/** True when every folder on the way is there and none is a link. */
export function isRealFolder(root: string, segments: readonly string[]): boolean {
  for (const depth of segments.keys()) {
    const found = lstatIfThere(join(root, ...segments.slice(0, depth + 1)));
    if (!found?.isDirectory()) return false;
  }
  return true;
}

/** Puts the whole file through the hash; returns its length in bytes. */
export async function readInto(
  hash: { update(bytes: Uint8Array): unknown },
  file: OpenFile,
): Promise<number> {
  const buffer = Buffer.alloc(readBytes);
  for (let sizeBytes = 0; ; ) {
    const count = await file.read(buffer, sizeBytes);
    if (count === 0) return sizeBytes;
    hash.update(buffer.subarray(0, count));
    sizeBytes += count;
  }
}

/** What stands at the path itself, links not followed; null for nothing. */
export function lstatIfThere(path: string): Stats | null {
  return unless(['ENOTDIR'], null, () => lstatSync(path, { throwIfNoEntry: false }) ?? null);
}

/** Removes a file, or a link itself. */
export function unlinkIfThere(path: string): void {
  if (lstatIfThere(path) !== null) unless(['ENOENT'], undefined, () => unlinkSync(path));
}

/** Opens an empty file. Most often there is none to remove first, and to look for it would be a step more. */
export function openAnew(file: string): OpenFile {
  try {
    return new OpenFile(file, openFlags.create);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    unlinkIfThere(file);
    return new OpenFile(file, openFlags.create);
  }
}

/** Puts a file in the place of another. Not at once: to free a report of 600 MB that is replaced takes a tenth of a second. */
export function replaceFile(from: string, to: string): Promise<void> {
  return new Promise((done, fail) => {
    rename(from, to, (error) => (error === null ? done() : fail(error)));
  });
}

/** Makes one folder; true when this call made it. */
export function mkdirIfMissing(path: string): boolean {
  return unless(['EEXIST'], false, () => {
    mkdirSync(path);
    return true;
  });
}

function unless<T>(codes: readonly string[], otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (codes.includes(codeOf(error))) return otherwise;
    throw error;
  }
}

/** Runs work on a path; what the system refuses becomes one of the two errors the port may throw. */
export async function guarded<T>(root: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDiskRefusal(root, error)) throw diskError(root, error);
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new ItemFilesError(
      `the files of ${path} cannot be written: ${error.message}; move away what is there and run the same command again`,
      error,
    );
  }
}

/** True for what the disk, and not one path on it, refuses. */
export function isDiskRefusal(root: string, error: unknown): boolean {
  const code = codeOf(error);
  if (diskCodes.includes(code)) return true;
  if (!folderCodes.includes(code) || !(error instanceof Error) || !('path' in error)) return false;
  const isNewName = 'syscall' in error && (error.syscall === 'mkdir' || error.syscall === 'open');
  return isNewName && (error.path === root || dirname(String(error.path)) === root);
}

/** The refusal in words that say what to do. */
export function diskError(root: string, error: unknown): DiskError {
  const remedy = ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'free space' : 'fix that';
  return new DiskError(
    `the disk of ${root} refused a write: ${messageOf(error)}; ${remedy} and run the same command again`,
    error,
  );
}
