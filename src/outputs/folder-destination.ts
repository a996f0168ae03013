/**
 * A folder that all machines of a run see. A file is copied under a temporary name of this worker, synced, read again,
 * renamed, and then its folder is synced: other machines see the whole file or none.
 */

import { createHash, randomUUID } from 'node:crypto';
import { opendir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DiskError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { ByteRange, Destination, FileDigest } from '../ports.ts';
import {
  guarded,
  isRealFolder,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openAnew,
  openFlags,
  replaceFile,
  segmentsOf,
  unlinkIfThere,
} from './guarded-disk.ts';
import { OpenFile } from './open-file.ts';
import { inspectFile, openRoot } from './open-root.ts';
import { openSavedFile } from './saved-file.ts';

const copyBytes = 1 << 20;

/**
 * Opens the folder (absolute), creating it if needed; the errors are those of an output tree. `worker` is the same
 * whenever this worker starts, and no other worker has it.
 */
export async function openFolderDestination(
  folder: string,
  {
    worker,
    now,
    check: checkMore = () => {},
  }: {
    readonly worker: string;
    readonly now: () => number;
    /** A further check, after that of the folder being the same one. Throws `DiskError`. */
    readonly check?: () => void;
  },
): Promise<Destination> {
  const opened = await openRoot(folder, now);
  const check = (): void => {
    opened.check();
    checkMore();
  };
  const place = { ...opened, check };
  const { root } = place;
  const mark = createHash('sha256').update(worker).digest('hex').slice(0, 12);
  const temporaryStart = (path: string): string => `.${basename(path)}.${mark}.`;
  const temporaryOf = (parent: string, path: string): string =>
    join(parent, `${temporaryStart(path)}${randomUUID()}.tmp`);
  return {
    name: root,
    check,
    put: (file, path, expected) =>
      guarded(root, path, async () => {
        check();
        const folders = segmentsOf(path).slice(0, -1);
        const temporary = temporaryOf(makeFolder(root, folders), path);
        await putBy(place, { file, path, expected, temporary });
        await place.syncs.syncNames(root, folders);
      }),
    checkWritable: () =>
      guarded(root, 'batch', async () => {
        const temporary = temporaryOf(root, 'batch');
        using file = openAnew(temporary);
        await file.write(Buffer.from('batch'), 0);
        await file.sync();
        unlinkIfThere(temporary);
      }),
    stat: (path) =>
      guarded(root, path, async () => {
        const segments = segmentsOf(path);
        const found = isRealFolder(root, segments.slice(0, -1)) ? lstatIfThere(join(root, path)) : null;
        return found?.isFile() ? { sizeBytes: found.size, sha256: null } : null;
      }),
    inspect: (path) => guarded(root, path, () => inspectFile(root, path)),
    read: (path, range) => guarded(root, path, () => openToRead(root, path, range)),
    list: (prefix) => listFiles(root, prefix),
    signedLink: async () => null,
    clearUnfinished: (path) =>
      guarded(root, path, async () => {
        const folders = segmentsOf(path).slice(0, -1);
        if (!isRealFolder(root, folders)) return;
        const parent = dirname(join(root, path));
        for (const name of await readdir(parent))
          if (name.startsWith(temporaryStart(path)) && name.endsWith('.tmp'))
            unlinkIfThere(join(parent, name));
      }),
    close: () => {},
  };
}

/** One file on its way to its path. */
interface Put {
  readonly file: string;
  readonly path: string;
  readonly expected: FileDigest;
  readonly temporary: string;
}

async function putBy(place: OpenRoot, { file, path, expected, temporary }: Put): Promise<void> {
  const { root } = place;
  try {
    if (!isSame(await copy(place, file, temporary), expected))
      throw new DiskError(message('output.changed-file', { file }));
    const written = await inspectFile(root, join(dirname(path), basename(temporary)).replaceAll('\\', '/'));
    if (written === null || !isSame(written, expected))
      throw new DiskError(message('output.not-as-written', { folder: root, path }));
    place.check();
    await replaceFile(temporary, join(root, path));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Copies and syncs; returns what was copied. */
async function copy(place: OpenRoot, from: string, to: string): Promise<FileDigest> {
  using source = new OpenFile(from, openFlags.read);
  using target = openAnew(to);
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(copyBytes);
  let sizeBytes = 0;
  for (;;) {
    const count = await source.read(buffer, sizeBytes);
    if (count === 0) break;
    const bytes = buffer.subarray(0, count);
    hash.update(bytes);
    await target.write(bytes, sizeBytes);
    sizeBytes += count;
  }
  await place.beat.wait();
  await target.sync();
  return { sizeBytes, sha256: hash.digest('hex') };
}

function isSame(one: FileDigest, other: FileDigest): boolean {
  return one.sizeBytes === other.sizeBytes && one.sha256 === other.sha256;
}

/** An error here would hide the one that prevented the copy. */
function removeQuietly(file: string): void {
  try {
    unlinkIfThere(file);
  } catch {}
}

async function openToRead(root: string, path: string, range?: ByteRange): ReturnType<Destination['read']> {
  const handle = await openSavedFile(root, path);
  if (handle === null) return null;
  const { start, end } = range ?? { start: 0, end: (await handle.stat()).size };
  const part = range === undefined ? {} : { start, end: end - 1 };
  const body = handle.createReadStream({ ...part, autoClose: false, highWaterMark: copyBytes });
  return { sizeBytes: end - start, body, [Symbol.asyncDispose]: () => handle.close() };
}

/** Streams the names: there may be a million items. Temporary files and links are left out. */
async function* listFiles(
  root: string,
  prefix: string,
): AsyncGenerator<{ readonly path: string; readonly sizeBytes: number }> {
  const segments = prefix === '' ? [] : segmentsOf(prefix.replace(/\/$/, ''));
  if (!isRealFolder(root, segments)) return;
  for await (const entry of await opendir(join(root, ...segments))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(root, `${path}/`);
    if (!entry.isFile() || /^\..*\.tmp$/.test(entry.name)) continue;
    const found = lstatIfThere(join(root, path));
    if (found !== null) yield { path, sizeBytes: found.size };
  }
}
