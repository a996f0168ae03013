/**
 * The folder that videos are exported to. It may contain other files: nothing is replaced or removed there but what an
 * export put there and nobody changed since. Links that lie in it are never followed. What is under way is in
 * `.batch-export`, on the same disk, so that a rename moves it to its place.
 */

import { createHash, randomUUID } from 'node:crypto';
import { linkSync, type Stats } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ItemFilesError, UsageError } from '../errors.ts';
import { foldedName } from '../files/folded-name.ts';
import { message } from '../messages/message.ts';
import type { FileDigest } from '../ports.ts';
import { type ExportWork, openExportWork, removeIfEmpty, workName } from './export-work.ts';
import {
  guarded,
  isRealFolder,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openAnew,
  replaceFile,
  segmentsOf,
  unlinkIfThere,
} from './guarded-disk.ts';
import { inspectFile, openRoot } from './open-root.ts';

/** How files get there: `link` insists on hard links, `copy` never makes one. */
export type ExportManner = 'either' | 'link' | 'copy';

/** Where a file comes from. */
export interface ExportSource {
  /** Absolute path of a regular file on this machine, and what the system says of it; null for a file elsewhere. */
  readonly local: { readonly path: string; readonly stats: Stats } | null;
  /** The bytes; null where there is no file. */
  open(): Promise<(AsyncDisposable & { readonly body: AsyncIterable<Uint8Array> }) | null>;
}

/** A file to be put at `path` (relative, with `/`). */
export interface ExportFile extends FileDigest {
  readonly path: string;
  readonly source: ExportSource;
}

/** What became of it. `flawed`: the source is missing or has other bytes. `in-the-way`: something else is at its path. */
export type Placing =
  | { readonly is: 'new' | 'replaced'; readonly isLinked: boolean }
  | { readonly is: 'unchanged' | 'flawed' | 'in-the-way' };

/** What is known of the files of earlier exports. */
export interface KnownFiles {
  /** True where a file with this digest may be replaced at this path: an export put it there, or could have. */
  isOurs(path: string, sha256: string): boolean;
  /** True where an export that was not killed since put it there last. */
  isSure(path: string, sha256: string): boolean;
}

/** Error codes of disks and files that cannot be linked. */
const cannotLink: ReadonlySet<string> = new Set([
  ...['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EACCES', 'UNKNOWN'],
]);

/** A file that was saved so short a time before the export may be of a run that continues. */
const youngMs = 2_000;

/** Opens the folder (absolute), creating it if needed. Throws `DiskError` and `UsageError` as an output folder does. */
export async function openExportFolder(
  folder: string,
  { manner, now }: { readonly manner: ExportManner; readonly now: () => number },
): Promise<ExportFolder> {
  const place = await openRoot(folder, now);
  return new ExportFolder(place, await openExportWork(place.root), manner, now());
}

export class ExportFolder {
  /** Absolute. */
  readonly root: string;
  readonly work: ExportWork;
  readonly #place: OpenRoot;
  readonly #manner: ExportManner;
  readonly #startedAt: number;
  /** False once the disk has shown that it takes no links from there. */
  #canLink: boolean;
  /** True for a disk, such as those of Windows and macOS, where a name in capitals is the same name. */
  readonly #ignoresCase: boolean;
  /** Folders with new names. */
  readonly #touched = new Map<string, readonly string[]>();

  constructor(place: OpenRoot, work: ExportWork, manner: ExportManner, startedAt: number) {
    this.root = place.root;
    this.work = work;
    this.#place = place;
    this.#manner = manner;
    this.#startedAt = startedAt;
    this.#canLink = manner !== 'copy';
    this.#ignoresCase = lstatIfThere(join(place.root, workName.toUpperCase())) !== null;
  }

  /** Two paths with the same one of these are one path on this disk. */
  keyOf(path: string): string {
    return this.#ignoresCase ? foldedName(path) : path;
  }

  /** Puts a file there unless it is there already. Throws `UsageError` where a link is insisted on and impossible. */
  place(file: ExportFile, known: KnownFiles): Promise<Placing> {
    return guarded(this.root, file.path, async () => {
      const segments = segmentsOf(file.path);
      const { local } = file.source;
      if (local !== null && local.stats.size !== file.sizeBytes) return { is: 'flawed' };
      const folder = this.#makeFolder(segments.slice(0, -1));
      if (folder === null) return { is: 'in-the-way' };
      const target = join(folder, segments.at(-1) as string);
      const found = lstatIfThere(target);
      const state = found === null ? 'free' : await this.#compare(file, found, known);
      if (state === 'foreign') return { is: 'in-the-way' };
      if (state === 'same') return { is: 'unchanged' };
      if (state === 'ours') this.#place.check();
      this.#touched.set(folder, segments.slice(0, -1));
      const isLinked = await this.#link(file, target, state === 'free');
      if (isLinked === null) return { is: 'in-the-way' };
      if (!isLinked && !(await this.#copy(file, target))) return { is: 'flawed' };
      return { is: state === 'free' ? 'new' : 'replaced', isLinked };
    });
  }

  /** Length and digest of the file at this path; null when there is no regular file. */
  inspect(path: string): Promise<FileDigest | null> {
    return guarded(this.root, path, () => inspectFile(this.root, path));
  }

  /** True where there is a regular file. */
  has(path: string): boolean {
    const segments = segmentsOf(path);
    if (!isRealFolder(this.root, segments.slice(0, -1))) return false;
    return lstatIfThere(join(this.root, ...segments))?.isFile() ?? false;
  }

  /** True where nothing is at this path, and folders may be made for it. */
  isFree(path: string): boolean {
    const segments = segmentsOf(path);
    const isFolder = segments
      .slice(0, -1)
      .every((_, at) => lstatIfThere(join(this.root, ...segments.slice(0, at + 1)))?.isDirectory() !== false);
    return isFolder && lstatIfThere(join(this.root, ...segments)) === null;
  }

  /** Removes the file if it still has this digest, and folders that are empty then; true when it did. */
  remove(path: string, sha256: string): Promise<boolean> {
    return guarded(this.root, path, async () => {
      if ((await inspectFile(this.root, path))?.sha256 !== sha256) return false;
      const segments = segmentsOf(path);
      this.#place.check();
      unlinkIfThere(join(this.root, ...segments));
      this.prune(path);
      return true;
    });
  }

  /** Removes the folders of a path that are empty. */
  prune(path: string): void {
    const folders = segmentsOf(path).slice(0, -1);
    for (let depth = folders.length; depth > 0; depth -= 1) {
      const above = folders.slice(0, depth);
      if (!isRealFolder(this.root, above.slice(0, -1)) || !removeIfEmpty(join(this.root, ...above))) return;
    }
  }

  /** Makes all names survive a power cut. */
  async sync(): Promise<void> {
    // A folder that another program has moved meanwhile needs no sync.
    for (const segments of this.#touched.values())
      if (isRealFolder(this.root, segments)) await this.#place.syncs.syncNames(this.root, segments);
    this.#touched.clear();
  }

  /** Puts a file of the work folder, synced, in place of the one with this name. */
  publish(name: string): Promise<void> {
    return guarded(this.root, name, async () => {
      this.#place.check();
      await replaceFile(join(this.work.path, name), join(this.root, name));
      await this.#place.syncs.syncFolder(this.root);
    });
  }

  /** The folder, created if needed; null where a file or a link is in its place. */
  #makeFolder(segments: readonly string[]): string | null {
    try {
      return makeFolder(this.root, segments);
    } catch (error) {
      if (error instanceof ItemFilesError) return null;
      throw error;
    }
  }

  /** What is at the target: the file itself, one that may be replaced, or something else. */
  async #compare(file: ExportFile, found: Stats, known: KnownFiles): Promise<'same' | 'ours' | 'foreign'> {
    const { path, sha256, sizeBytes, source } = file;
    if (!found.isFile()) return 'foreign';
    const origin = source.local?.stats ?? null;
    if (origin !== null && found.ino === origin.ino && found.dev === origin.dev)
      return this.#manner === 'copy' ? 'ours' : 'same';
    const isUntouched = origin === null || Math.abs(found.mtimeMs - origin.mtimeMs) < 2_000;
    const same = this.#manner === 'link' && origin !== null ? 'ours' : 'same';
    if (found.size === sizeBytes && isUntouched && known.isSure(path, sha256)) return same;
    const actual = await inspectFile(this.root, path);
    if (actual === null) return 'foreign';
    if (actual.sha256 === sha256) return same;
    return known.isOurs(path, actual.sha256) ? 'ours' : 'foreign';
  }

  /** True when linked, false where a copy must do, null where something came in the way. */
  async #link(file: ExportFile, target: string, isFree: boolean): Promise<boolean | null> {
    const { local } = file.source;
    if (local === null || !this.#canLink) return false;
    // A run that continues may replace a file between its reading and the link.
    const isYoung = local.stats.mtimeMs > this.#startedAt - youngMs;
    try {
      if (isYoung || !isFree) return await this.#linkOver(file, local.path, target, isYoung);
      linkSync(local.path, target);
      if (lstatIfThere(target)?.ino === local.stats.ino) return true;
      unlinkIfThere(target);
      return false;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST') return null;
      if (code === 'ENOENT') return false;
      if (!cannotLink.has(code)) throw error;
      if (this.#manner === 'link') throw noLink(file.path, error);
      this.#canLink = code === 'EMLINK';
      return false;
    }
  }

  /** Links by way of a temporary name, which is moved to the target. */
  async #linkOver(file: ExportFile, from: string, target: string, mustCheck: boolean): Promise<boolean> {
    const name = `${randomUUID()}.tmp`;
    const temporary = join(this.work.path, name);
    linkSync(from, temporary);
    try {
      const linked = mustCheck ? await inspectFile(this.root, `${workName}/${name}`) : file;
      if (linked?.sha256 !== file.sha256) return false;
      await replaceFile(temporary, target);
      return true;
    } finally {
      // A rename between two names of one file does nothing.
      unlinkIfThere(temporary);
    }
  }

  /** False where the source is not what it was. */
  async #copy({ source, sizeBytes, sha256 }: ExportFile, target: string): Promise<boolean> {
    await using opened = await source.open();
    if (opened === null) return false;
    const temporary = join(this.work.path, `${randomUUID()}.tmp`);
    try {
      const hash = createHash('sha256');
      let count = 0;
      {
        using copy = openAnew(temporary);
        for await (const bytes of opened.body) {
          hash.update(bytes);
          await copy.write(bytes, count);
          count += bytes.length;
        }
        await copy.sync();
      }
      if (count !== sizeBytes || hash.digest('hex') !== sha256) return false;
      const time = source.local?.stats.mtime;
      if (time !== undefined) await utimes(temporary, time, time);
      this.#place.check();
      await replaceFile(temporary, target);
      return true;
    } finally {
      unlinkIfThere(temporary);
    }
  }
}

function noLink(path: string, error: unknown): UsageError {
  return new UsageError(message('export.no-link', { path }), error);
}
