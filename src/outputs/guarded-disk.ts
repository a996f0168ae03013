/**
 * Disk operations that follow no link, never leave the folder, and fail with the errors of the output tree's port. Those on
 * names are synchronous, for the reason in `open-file.ts`.
 */

import { constants, lstatSync, mkdirSync, rename, type Stats, statfsSync, unlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, DiskError, ItemFilesError, messageOf, refusalOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { FolderSyncs } from './directory-sync.ts';
import { OpenFile } from './open-file.ts';
import type { SyncBeat } from './sync-beat.ts';

/** Windows has no such flag; there only the check of the folders before each opening protects. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Flags that never open a link. */
export const openFlags = {
  read: constants.O_RDONLY | noFollow,
  goOn: constants.O_RDWR | noFollow,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow,
} as const;

const readBytes = 1 << 20;

/** Refusals that affect every item. */
const diskCodes: readonly string[] = [
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ESTALE',
  'EUCLEAN',
  'ENOMEDIUM',
  'ENXIO',
];
/** These too, when the output folder itself refuses a new name. */
const folderCodes: readonly string[] = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'];

/**
 * Refusals that pass once another program closes the file. Windows says EPERM and EACCES of such files, too; elsewhere these say
 * that something is not permitted, and stay.
 */
const inUseCodes: readonly string[] = platform() === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'];

/** Waits between tries (ms): virus scanners lock a new file for a second or two. */
const inUsePauses: readonly number[] = [50, 100, 200, 400, 800, 1_600];

/** The segments of a path inside the folder; throws on anything that could lead out of it. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || /[\0\\]/.test(segment)))
    throw new ItemFilesError(`${JSON.stringify(path)} is not a path inside the output folder`);
  return segments;
}

/** An open output folder: what all operations in it share. */
export interface OpenRoot {
  /** Absolute. */
  readonly root: string;
  readonly syncs: FolderSyncs;
  readonly beat: SyncBeat;
  /** Throws `DiskError` once another folder has replaced it; nothing may be written or renamed there any more. */
  check(): void;
  /** Epoch ms. */
  now(): number;
  /** The parts that room is kept for, with the bytes that each still waits for. */
  readonly growing: Set<{ readonly leftBytes: number }>;
}

/** Room that no download takes: a run needs it for its checkpoint and reports, and to start again. */
const spareBytes = 8 * 2 ** 20;

/** How many bytes the disk has for `part`, besides what is kept for others; null where the system does not say. */
export function roomFor(part: object, { root, growing }: OpenRoot): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(root);
    if (blocks === 0) return null;
    const kept = [...growing].reduce((sum, one) => sum + (one === part ? 0 : one.leftBytes), spareBytes);
    return Math.max(0, bavail * bsize - kept);
  } catch {
    return null;
  }
}

/**
 * Creates missing folders; a link or a file in their place is an error. Their names are durable after `syncNames` of these
 * `syncs`.
 */
export function makeFolder(root: string, segments: readonly string[], syncs?: FolderSyncs): string {
  let folder = root;
  for (const segment of segments) {
    folder = `${folder}${sep}${segment}`;
    let found = lstatIfThere(folder);
    if (found === null && mkdirIfMissing(folder)) {
      syncs?.note(folder, null);
      continue;
    }
    found ??= lstatIfThere(folder);
    if (!found?.isDirectory()) throw notAFolder(folder);
    syncs?.note(folder, found);
  }
  return folder;
}

/** The error about a link or a file in the place of a folder. */
export function notAFolder(path: string): ItemFilesError {
  return new ItemFilesError(message('output.no-folder', { path }));
}

/** True when every folder of the path exists and none is a link. */
export function isRealFolder(root: string, segments: readonly string[]): boolean {
  for (const depth of segments.keys()) {
    const found = lstatIfThere(join(root, ...segments.slice(0, depth + 1)));
    if (!found?.isDirectory()) return false;
  }
  return true;
}

/** Hashes the whole file; returns its length in bytes. */
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

/** What is at the path, without following a link; null for nothing. */
export function lstatIfThere(path: string): Stats | null {
  return unless(['ENOTDIR'], null, () => lstatSync(path, { throwIfNoEntry: false }) ?? null);
}

/** Removes a file, or a link itself. */
export function unlinkIfThere(path: string): void {
  if (lstatIfThere(path) !== null) unless(['ENOENT'], undefined, () => unlinkSync(path));
}

/** Opens an empty file. Rarely must an old one be removed, so nothing looks for one first. */
export function openAnew(file: string): OpenFile {
  try {
    return new OpenFile(file, openFlags.create);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    unlinkIfThere(file);
    return new OpenFile(file, openFlags.create);
  }
}

/** Replaces a file with another. Asynchronous: freeing a replaced report of 600 MB takes a tenth of a second. */
export function replaceFile(from: string, to: string): Promise<void> {
  return new Promise((done, fail) => {
    rename(from, to, (error) => (error === null ? done() : fail(error)));
  });
}

/** Tries again for some seconds where another program has a file of this work open. The work can be begun anew. */
export async function untilFree<T>(work: () => T | Promise<T>): Promise<T> {
  for (const waitMs of inUsePauses) {
    try {
      return await work();
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
    await pause(waitMs);
  }
  return work();
}

/** True where another program has the file open. */
export function isInUse(error: unknown): boolean {
  return inUseCodes.includes(codeOf(error));
}

/** Creates one folder; true when this call created it. */
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

/** Runs work on a path; a refusal of the system becomes one of the port's two errors. */
export async function guarded<T>(root: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDiskRefusal(root, error)) throw diskError(root, error);
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new ItemFilesError(message('output.unwritable', { path, failure: messageOf(error) }), error);
  }
}

/** True when the disk refuses, and not just one path on it. */
export function isDiskRefusal(root: string, error: unknown): boolean {
  const code = codeOf(error);
  if (diskCodes.includes(code)) return true;
  if (!folderCodes.includes(code) || !(error instanceof Error) || !('path' in error)) return false;
  const isNewName = 'syscall' in error && (error.syscall === 'mkdir' || error.syscall === 'open');
  return isNewName && (error.path === root || dirname(String(error.path)) === root);
}

/** The refusal, with what to do about it. */
export function diskError(root: string, error: unknown): DiskError {
  return new DiskError(message('disk.refused', { folder: root, ...refusalOf(error) }), error);
}
