/**
 * A file on its way: `NAME.part`, and while its bytes can be gone on with `NAME.part.json`, which holds their validator.
 * The validator is gone from the disk before the bytes it stands for are, so that no crash joins two versions of a file.
 */

import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SavedFile } from '../../core/item.ts';
import { ItemFilesError } from '../../errors.ts';
import type { PartFile } from '../../ports.ts';
import {
  guarded,
  lstatIfThere,
  makeFolder,
  openFlags,
  readInto,
  segmentsOf,
  syncFolder,
  unlinkIfThere,
} from './guarded-disk.ts';

const headBytes = 4096;

/** A part on disk. */
export class FilePart implements PartFile {
  readonly #root: string;
  readonly #path: string;
  readonly #file: string;
  readonly #memory: string;
  readonly #handle: FileHandle;
  #hash = createHash('sha256');
  #isOpen = true;
  sizeBytes = 0;
  validator: string | null = null;

  private constructor(root: string, path: string, file: string, handle: FileHandle) {
    this.#root = root;
    this.#path = path;
    this.#file = file;
    this.#memory = memoryOf(file);
    this.#handle = handle;
  }

  /** Goes on with what an earlier process left, or starts anew; `path` is the target without extension. */
  static open(root: string, path: string): Promise<FilePart> {
    return guarded(root, path, async () => {
      const segments = segmentsOf(path);
      const file = `${join(await makeFolder(root, segments.slice(0, -1)), basename(path))}.part`;
      const validator = await readMemory(file);
      const kept = validator === null ? null : await openKept(file);
      if (kept !== null) {
        const part = new FilePart(root, path, file, kept);
        part.validator = validator;
        part.sizeBytes = await readInto(part.#hash, kept);
        return part;
      }
      await unlinkIfThere(memoryOf(file));
      await unlinkIfThere(file);
      return new FilePart(root, path, file, await open(file, openFlags.create));
    });
  }

  restart(validator: string | null): Promise<void> {
    return guarded(this.#root, this.#path, async () => {
      await unlinkIfThere(this.#memory);
      await this.#handle.truncate(0);
      this.#hash = createHash('sha256');
      this.sizeBytes = 0;
      this.validator = validator;
      if (validator === null) return;
      await using memory = await open(this.#memory, openFlags.create);
      await memory.writeFile(JSON.stringify({ validator }));
    });
  }

  append(bytes: Uint8Array): Promise<void> {
    return guarded(this.#root, this.#path, async () => {
      for (let done = 0; done < bytes.length; ) {
        const rest = bytes.length - done;
        done += (await this.#handle.write(bytes, done, rest, this.sizeBytes + done)).bytesWritten;
      }
      this.#hash.update(bytes);
      this.sizeBytes += bytes.length;
    });
  }

  head(): Promise<Uint8Array> {
    return guarded(this.#root, this.#path, async () => {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    });
  }

  commit(path: string): Promise<SavedFile> {
    return guarded(this.#root, path, async () => {
      const target = join(this.#root, ...segmentsOf(path));
      if (dirname(target) !== dirname(this.#file))
        throw new ItemFilesError(`${path} is not in the folder of its part`);
      await this.#handle.sync();
      await this.#close();
      const folder = await makeFolder(this.#root, segmentsOf(path).slice(0, -1));
      await rename(this.#file, target);
      await unlinkIfThere(this.#memory);
      await syncFolder(folder);
      return { path, sizeBytes: this.sizeBytes, sha256: this.#hash.digest('hex') };
    });
  }

  discard(): Promise<void> {
    return guarded(this.#root, this.#path, async () => {
      await this.#close();
      await unlinkIfThere(this.#memory);
      await unlinkIfThere(this.#file);
    });
  }

  /**
   * Keeps what can be gone on with; other bytes would only lie about. What cannot be removed is no trouble: without a
   * validator the next opening starts anew. An error here would hide the one that ended the download.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    const isKept = this.validator !== null && this.sizeBytes > 0;
    await (isKept ? this.#close() : this.discard()).catch(() => {});
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

function memoryOf(file: string): string {
  return `${file}.json`;
}

/** The validator a part was left with; null when there is none to rely on. */
async function readMemory(file: string): Promise<string | null> {
  if (!(await lstatIfThere(memoryOf(file)))?.isFile()) return null;
  try {
    const memory: unknown = JSON.parse(await readFile(memoryOf(file), 'utf8'));
    if (typeof memory !== 'object' || memory === null || !('validator' in memory)) return null;
    return typeof memory.validator === 'string' ? memory.validator : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Opens a part whose bytes are surely the ones that were written: a plain file, of no other name, and last written
 * since this machine started. A killed process leaves what it wrote to the system, a power cut may leave holes.
 */
async function openKept(file: string): Promise<FileHandle | null> {
  if (!(await lstatIfThere(file))?.isFile()) return null;
  const handle = await open(file, openFlags.goOn);
  const { size, nlink, mtimeMs } = await handle.stat();
  if (size > 0 && nlink === 1 && mtimeMs > Date.now() - uptime() * 1000) return handle;
  await handle.close();
  return null;
}
