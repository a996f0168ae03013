/**
 * The output folder on a real disk.
 *
 * (1) Nothing outside the folder is ever written: paths are checked segment by segment, the folders on the way must be
 * real ones, files are opened without following links, and a rename replaces what is at the target. (2) Nothing is
 * visible half written: bytes go to a file next to the target, which is synced and renamed, and then the folder is
 * synced. (3) A refusal that affects every item is a `DiskError`; one that affects only this path is an
 * `ItemFilesError`.
 */

import { randomUUID } from 'node:crypto';
import { basename, join, parse } from 'node:path';
import { FileInUseError } from '../errors.ts';
import type { OutputTree, ReportFile } from '../ports.ts';
import { clearAside, setAside } from './earlier-files.ts';
import { FilePart } from './file-part.ts';
import { findForeignFile } from './foreign-files.ts';
import {
  guarded,
  isInUse,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openAnew,
  replaceFile,
  segmentsOf,
  unlinkIfThere,
  untilFree,
} from './guarded-disk.ts';
import type { OpenFile } from './open-file.ts';
import { inspectFile, openRoot } from './open-root.ts';

/** Reports come in many short texts; they are written in pieces of this many characters. */
const pieceLength = 1 << 18;

export interface FileOutputTree extends OutputTree {
  /** Throws `DiskError` if another folder has replaced the opened one. */
  check(): void;
}

/**
 * Opens the output folder (absolute), creating it if needed. Throws `DiskError` where the disk refuses, `UsageError`
 * where something else is in the way. Every later operation fails with `DiskError` once another folder has replaced it.
 * `now` is epoch ms.
 */
export async function openFileOutputTree(folder: string, now: () => number): Promise<FileOutputTree> {
  const place = await openRoot(folder, now);
  const { root, check } = place;
  const here = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    return work();
  };
  /** By path: the last of those that write it. They share a temporary name, so one follows the other. */
  const writers = new Map<string, Promise<void>>();
  return {
    check,
    layout: 'by-item',
    // A part is received where it stays, so a whole one is saved or is a part again.
    saveReceived: async () => null,
    openPart: (path) => here(() => FilePart.open(place, path)),
    writeWhole: (path, text) => here(() => inTurn(writers, path, () => writeWhole(place, path, text))),
    createReport: (name) => here(() => WholeFile.create(place, name, `.${randomUUID()}`)),
    inspect: (path) => here(() => guarded(root, path, () => inspectFile(root, path))),
    foreignFile: (item) => here(() => findForeignFile(root, item)),
    setAside: (item, attempt) =>
      here(() => guarded(root, item, () => untilFree(() => setAside(place, item, attempt)))),
    clearAside: (item) => here(() => guarded(root, item, () => untilFree(() => clearAside(place, item)))),
  };
}

async function writeWhole(place: OpenRoot, path: string, text: string): Promise<void> {
  await using file = await WholeFile.create(place, path, '');
  await file.write(text);
  await file.commit();
}

async function inTurn(
  writers: Map<string, Promise<void>>,
  path: string,
  write: () => Promise<void>,
): Promise<void> {
  const before = writers.get(path);
  const work = before === undefined ? write() : before.then(write, write);
  writers.set(path, work);
  try {
    await work;
  } finally {
    if (writers.get(path) === work) writers.delete(path);
  }
}

/** A file under a temporary name until `commit` moves it to its target. */
class WholeFile implements ReportFile {
  readonly #place: OpenRoot;
  readonly #path: string;
  readonly #temporary: string;
  readonly #open: OpenFile;
  #pending = '';
  #isCommitted = false;

  private constructor(place: OpenRoot, path: string, temporary: string, open: OpenFile) {
    this.#place = place;
    this.#path = path;
    this.#temporary = temporary;
    this.#open = open;
  }

  /**
   * `mark` separates the temporary files of processes that may write the same file; without one, the leftover of a
   * killed process is replaced.
   */
  static create(place: OpenRoot, path: string, mark: string): Promise<WholeFile> {
    return guarded(place.root, path, async () => {
      const folder = makeFolder(place.root, segmentsOf(path).slice(0, -1), place.syncs);
      const temporary = join(folder, `.${basename(path)}${mark}.tmp`);
      return new WholeFile(place, path, temporary, openAnew(temporary));
    });
  }

  async write(content: string | Uint8Array): Promise<void> {
    if (typeof content !== 'string') {
      await guarded(this.#place.root, this.#path, async () => {
        await this.#flush();
        await this.#open.write(content, null);
      });
      return;
    }
    this.#pending += content;
    if (this.#pending.length >= pieceLength) await guarded(this.#place.root, this.#path, () => this.#flush());
  }

  commit(): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      await this.#flush();
      await this.#place.beat.wait();
      await this.#open.sync();
      this.#open.close();
      await this.#giveName(this.#path).catch((error: unknown) => {
        throw isInUse(error) ? new FileInUseError(this.#path, error) : error;
      });
    });
  }

  /** As others number a file whose name is taken: `report (2).csv`. */
  commitNextTo(): Promise<string> {
    return guarded(this.#place.root, this.#path, async () => {
      const { dir, name, ext } = parse(this.#path);
      for (let count = 2; ; count += 1) {
        const path = `${dir === '' ? '' : `${dir}/`}${name} (${count})${ext}`;
        if (lstatIfThere(join(this.#place.root, path)) !== null) continue;
        await this.#giveName(path);
        return path;
      }
    });
  }

  async #giveName(path: string): Promise<void> {
    await untilFree(() => {
      this.#place.check();
      return replaceFile(this.#temporary, join(this.#place.root, path));
    });
    this.#isCommitted = true;
    await this.#place.syncs.syncNames(this.#place.root, segmentsOf(path).slice(0, -1));
  }

  /** An error here would hide the one that prevented the commit; leftovers are removed later. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isCommitted) return;
    try {
      this.#open.close();
      unlinkIfThere(this.#temporary);
    } catch {}
  }

  async #flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    await this.#open.write(Buffer.from(text), null);
  }
}
