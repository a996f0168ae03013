/**
 * A file on its way: `NAME.part`, and while its bytes can be gone on with `NAME.part.json`, which holds their validator.
 * The validator is gone from the disk before the bytes it stands for are, so that no crash joins two versions of a file.
 */

import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SavedFile } from '../../core/item.ts';
import { ItemFilesError } from '../../errors.ts';
import type { PartFile } from '../../ports.ts';
import {
  guarded,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openAnew,
  openFlags,
  readInto,
  segmentsOf,
  unlinkIfThere,
} from './guarded-disk.ts';
import { OpenFile } from './open-file.ts';

const headBytes = 4096;

/** Bytes that wait for the disk before whoever brings more has to wait too. */
const waitingMaxBytes = 1 << 20;

/** A part on disk. */
export class FilePart implements PartFile {
  readonly #place: OpenRoot;
  readonly #path: string;
  readonly #file: string;
  readonly #memory: string;
  readonly #open: OpenFile;
  #hash = createHash('sha256');
  #head: Uint8Array = Buffer.alloc(0);
  /** The writes on their way, each behind the one before it. Once the disk has refused one it stays rejected. */
  #writing: Promise<void> = Promise.resolve();
  #waiting: Uint8Array[] = [];
  /** Of all bytes that came, those that are not written yet. */
  #waitingBytes = 0;
  #refusal: 'untold' | 'told' | null = null;
  #isOpen = true;
  sizeBytes = 0;
  validator: string | null = null;

  private constructor(place: OpenRoot, path: string, file: string, open: OpenFile) {
    this.#place = place;
    this.#path = path;
    this.#file = file;
    this.#memory = memoryOf(file);
    this.#open = open;
  }

  /** Goes on with what an earlier process left, or starts anew; `path` is the target without extension. */
  static open(place: OpenRoot, path: string): Promise<FilePart> {
    return guarded(place.root, path, async () => {
      const segments = segmentsOf(path);
      const file = `${join(makeFolder(place.root, segments.slice(0, -1)), basename(path))}.part`;
      if (lstatIfThere(memoryOf(file)) !== null) {
        const validator = await readMemory(file);
        const kept = validator === null ? null : openKept(file, place.now());
        if (kept !== null) {
          const part = new FilePart(place, path, file, kept);
          await part.#readKept(validator);
          return part;
        }
        unlinkIfThere(memoryOf(file));
      }
      return new FilePart(place, path, file, openAnew(file));
    });
  }

  /** Reads what an earlier process left. */
  async #readKept(validator: string | null): Promise<void> {
    try {
      this.validator = validator;
      this.sizeBytes = await readInto(this.#hash, this.#open);
      const head = Buffer.alloc(headBytes);
      this.#head = head.subarray(0, await this.#open.read(head, 0));
    } catch (error) {
      this.#open.close();
      throw error;
    }
  }

  restart(validator: string | null): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      await this.#written();
      unlinkIfThere(this.#memory);
      this.#open.empty();
      this.#hash = createHash('sha256');
      this.#head = Buffer.alloc(0);
      this.sizeBytes = 0;
      this.validator = validator;
      if (validator === null) return;
      using memory = new OpenFile(this.#memory, openFlags.create);
      await memory.write(Buffer.from(JSON.stringify({ validator })), 0);
    });
  }

  /**
   * Hashes while the system writes what came before, and takes more meanwhile. With one after the other, `npm run bench -- download`
   * reaches 243 MB a second instead of 345 MB. What the disk refuses is told by one of the next steps, at the latest by the last.
   */
  append(bytes: Uint8Array): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      this.sizeBytes += bytes.length;
      this.#waitingBytes += bytes.length;
      this.#waiting.push(bytes);
      this.#writing = this.#writing.then(() => this.#writeWaiting());
      this.#writing.catch(() => {
        this.#refusal ??= 'untold';
      });
      this.#hash.update(bytes);
      if (this.#head.length < headBytes)
        this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
      if (this.#waitingBytes >= waitingMaxBytes || this.#refusal !== null) await this.#written();
    });
  }

  /** All that has come while the write before went on, in one step. */
  async #writeWaiting(): Promise<void> {
    const pieces = this.#waiting;
    if (pieces.length === 0) return;
    this.#waiting = [];
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    await this.#open.writeAll(pieces, this.sizeBytes - this.#waitingBytes);
    this.#waitingBytes -= length;
  }

  /** Waits until the system has all bytes; throws where it refused some. */
  async #written(): Promise<void> {
    try {
      await this.#writing;
    } catch (error) {
      this.#refusal = 'told';
      throw error;
    }
  }

  head(): Promise<Uint8Array> {
    return guarded(this.#place.root, this.#path, async () => {
      await this.#written();
      return this.#head;
    });
  }

  commit(path: string): Promise<SavedFile> {
    return guarded(this.#place.root, path, async () => {
      const segments = segmentsOf(path);
      const target = join(this.#place.root, ...segments);
      if (dirname(target) !== dirname(this.#file))
        throw new ItemFilesError(`${path} is not in the folder of its part`);
      await this.#written();
      await this.#sync();
      await this.#close();
      this.#place.check();
      const folders = segments.slice(0, -1);
      makeFolder(this.#place.root, folders);
      renameSync(this.#file, target);
      if (this.validator !== null) unlinkIfThere(this.#memory);
      await this.#place.syncs.syncNames(this.#place.root, folders);
      return { path, sizeBytes: this.sizeBytes, sha256: this.#hash.digest('hex') };
    });
  }

  /** After a refused sync the system takes what it did not write for written: such a part is not gone on with. */
  async #sync(): Promise<void> {
    await this.#place.beat.wait();
    try {
      await this.#open.sync();
    } catch (error) {
      this.validator = null;
      throw error;
    }
  }

  discard(): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      await this.#close();
      unlinkIfThere(this.#memory);
      unlinkIfThere(this.#file);
    });
  }

  /**
   * Keeps what can be gone on with; other bytes would only lie about. What cannot be removed is no trouble: without a
   * validator the next opening starts anew. An error here would hide the one that ended the download: only a refused write
   * that nobody knows of yet is one.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    const isKept = this.validator !== null && this.sizeBytes > 0;
    await (isKept ? this.#close() : this.discard()).catch(() => {});
    if (this.#refusal === 'untold') await guarded(this.#place.root, this.#path, () => this.#written());
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#writing.catch(() => {});
    this.#open.close();
  }
}

function memoryOf(file: string): string {
  return `${file}.json`;
}

/** The validator a part was left with; null when there is none to rely on. */
async function readMemory(file: string): Promise<string | null> {
  if (!lstatIfThere(memoryOf(file))?.isFile()) return null;
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
function openKept(file: string, now: number): OpenFile | null {
  if (!lstatIfThere(file)?.isFile()) return null;
  const kept = new OpenFile(file, openFlags.goOn);
  const { size, nlink, mtimeMs } = kept.look();
  if (size > 0 && nlink === 1 && mtimeMs > now - uptime() * 1000) return kept;
  kept.close();
  return null;
}
