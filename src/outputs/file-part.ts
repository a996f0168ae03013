/**
 * A partial download: `NAME.part` and, while it can be resumed, `NAME.part.json` with the validator of its bytes. The
 * validator is removed from the disk before the bytes it belongs to, so that no crash joins two versions of a file.
 */

import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, FileRemovedError, ItemFilesError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { SavedFile } from '../money/item.ts';
import { fixed } from '../money/policy.ts';
import type { PartFile } from '../ports.ts';
import { renderByteSize } from '../text/byte-size.ts';
import {
  guarded,
  lstatIfThere,
  makeFolder,
  type OpenRoot,
  openAnew,
  openFlags,
  readInto,
  roomFor,
  segmentsOf,
  unlinkIfThere,
  untilFree,
} from './guarded-disk.ts';
import { OpenFile } from './open-file.ts';

const headBytes = 4096;

/** Unwritten bytes in memory before `append` waits for the disk. */
const waitingMaxBytes = 1 << 20;

/** A part on disk. */
export class FilePart implements PartFile {
  readonly #place: OpenRoot;
  readonly #path: string;
  readonly #file: string;
  readonly #validatorFile: string;
  readonly #open: OpenFile;
  #hash = createHash('sha256');
  #head: Uint8Array = Buffer.alloc(0);
  /** The writes in progress, one after the other. It stays rejected once the disk has refused one. */
  #writing: Promise<void> = Promise.resolve();
  #waiting: Uint8Array[] = [];
  /** Bytes not written yet. */
  #waitingBytes = 0;
  #refusal: 'unreported' | 'reported' | null = null;
  #isOpen = true;
  /** Its length as far as room was found for it. */
  #expectedBytes = 0;
  sizeBytes = 0;
  validator: string | null = null;

  private constructor(place: OpenRoot, path: string, file: string, open: OpenFile) {
    this.#place = place;
    this.#path = path;
    this.#file = file;
    this.#validatorFile = validatorFileOf(file);
    this.#open = open;
  }

  /** Resumes the part of an earlier process, or starts from zero; `path` is the target without extension. */
  static open(place: OpenRoot, path: string): Promise<FilePart> {
    return guarded(place.root, path, async () => {
      const segments = segmentsOf(path);
      const file = `${join(makeFolder(place.root, segments.slice(0, -1), place.syncs), basename(path))}.part`;
      if (lstatIfThere(validatorFileOf(file)) !== null) {
        const validator = await readValidator(file);
        const kept = validator === null ? null : openKept(file, place.now());
        if (kept !== null) {
          const part = new FilePart(place, path, file, kept);
          await part.#readKept(validator);
          return part;
        }
        unlinkIfThere(validatorFileOf(file));
      }
      return new FilePart(place, path, file, openAnew(file));
    });
  }

  /** Reads the part of an earlier process. */
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
      unlinkIfThere(this.#validatorFile);
      this.#open.empty();
      this.#hash = createHash('sha256');
      this.#head = Buffer.alloc(0);
      this.sizeBytes = 0;
      this.validator = validator;
      if (validator === null) return;
      using saved = new OpenFile(this.#validatorFile, openFlags.create);
      await saved.write(Buffer.from(JSON.stringify({ validator })), 0);
    });
  }

  /**
   * Hashes while the system writes earlier bytes, and accepts more meanwhile. With one after the other, `npm run bench --
   * download` reaches 243 MB a second instead of 345 MB. A later step, at the latest the last one, reports a refused write.
   */
  append(bytes: Uint8Array): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      this.sizeBytes += bytes.length;
      this.#waitingBytes += bytes.length;
      this.#waiting.push(bytes);
      this.#writing = this.#writing.then(() => this.#writeWaiting());
      this.#writing.catch(() => {
        this.#refusal ??= 'unreported';
      });
      this.#hash.update(bytes);
      if (this.#head.length < headBytes)
        this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
      if (this.#waitingBytes >= waitingMaxBytes || this.#refusal !== null) await this.#written();
    });
  }

  /** Small files are as nothing beside what a run writes anyway. */
  expect(wholeBytes: number): Promise<void> {
    return guarded(this.#place.root, this.#path, async () => {
      if (wholeBytes <= Math.max(this.#expectedBytes, fixed.smallFileBytes)) return;
      // A file of unknown length grows by so much between two looks.
      this.#expectedBytes = Math.max(wholeBytes, this.sizeBytes + fixed.smallFileBytes);
      const freeBytes = roomFor(this, this.#place);
      if (freeBytes === null || this.leftBytes <= freeBytes) {
        this.#place.growing.add(this);
        return;
      }
      await this.discard();
      const [size, free] = [renderByteSize(wholeBytes), renderByteSize(this.sizeBytes + freeBytes)];
      throw new ItemFilesError(message('file.no-room', { path: this.#path, size, free }));
    });
  }

  /** What is still to come of what is expected. */
  get leftBytes(): number {
    return Math.max(0, this.#expectedBytes - this.sizeBytes);
  }

  /** Writes everything that arrived during the previous write, in one step. */
  async #writeWaiting(): Promise<void> {
    const pieces = this.#waiting;
    if (pieces.length === 0) return;
    this.#waiting = [];
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    await this.#open.writeAll(pieces, this.sizeBytes - this.#waitingBytes);
    this.#waitingBytes -= length;
  }

  /** Waits until the system has all bytes; throws if it refused some. */
  async #written(): Promise<void> {
    try {
      await this.#writing;
    } catch (error) {
      this.#refusal = 'reported';
      throw error;
    }
  }

  head(): Promise<Uint8Array> {
    return guarded(this.#place.root, this.#path, async () => {
      await this.#written();
      return this.#head;
    });
  }

  async digest(): Promise<string> {
    return this.#hash.copy().digest('hex');
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
      const folders = segments.slice(0, -1);
      await untilFree(() => {
        this.#place.check();
        makeFolder(this.#place.root, folders, this.#place.syncs);
        this.#rename(target, path);
      });
      if (this.validator !== null) unlinkIfThere(this.#validatorFile);
      await this.#place.syncs.syncNames(this.#place.root, folders);
      return { path, sizeBytes: this.sizeBytes, sha256: this.#hash.digest('hex') };
    });
  }

  #rename(target: string, path: string): void {
    try {
      renameSync(this.#file, target);
    } catch (error) {
      const isGone = codeOf(error) === 'ENOENT' && lstatIfThere(this.#file) === null;
      throw isGone ? new FileRemovedError(path, error) : error;
    }
  }

  /** After a failed sync the system treats unwritten bytes as written, so such a part is never resumed. */
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
      unlinkIfThere(this.#validatorFile);
      unlinkIfThere(this.#file);
    });
  }

  /**
   * Keeps a part that can be resumed, and removes any other; if that fails, the next opening starts from zero because
   * there is no validator. Throws only a refused write that was not reported yet: another error would hide the one that
   * ended the download.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    const isKept = this.validator !== null && this.sizeBytes > 0;
    await (isKept ? this.#close() : this.discard()).catch(() => {});
    if (this.#refusal === 'unreported') await guarded(this.#place.root, this.#path, () => this.#written());
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#place.growing.delete(this);
    await this.#writing.catch(() => {});
    this.#open.close();
  }
}

function validatorFileOf(file: string): string {
  return `${file}.json`;
}

/** The saved validator of a part; null when it is missing or invalid. */
async function readValidator(file: string): Promise<string | null> {
  if (!lstatIfThere(validatorFileOf(file))?.isFile()) return null;
  try {
    const saved: unknown = JSON.parse(await readFile(validatorFileOf(file), 'utf8'));
    if (typeof saved !== 'object' || saved === null || !('validator' in saved)) return null;
    return typeof saved.validator === 'string' ? saved.validator : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Opens a part whose bytes are certain to be the written ones: a plain file with one name, last written since this machine
 * started. After a kill the system still writes the bytes; a power cut may leave holes.
 */
function openKept(file: string, now: number): OpenFile | null {
  if (!lstatIfThere(file)?.isFile()) return null;
  const kept = new OpenFile(file, openFlags.goOn);
  const { size, nlink, mtimeMs } = kept.look();
  if (size > 0 && nlink === 1 && mtimeMs > now - uptime() * 1000) return kept;
  kept.close();
  return null;
}
