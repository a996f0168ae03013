/**
 * The outputs of a run on several machines. A file is received in this worker's scratch folder, whole, synced and
 * hashed; then it is sent to the destination, which must confirm it, and only then it is saved. A file that was received
 * but could not be sent stays in the scratch folder and is sent at the next try. Each attempt of a row has a folder of
 * its own, so a worker that still sends a file of an earlier attempt replaces nothing.
 */

import { type Dirent, lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, saidOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { SavedFile } from '../money/item.ts';
import type { Destination, OutputTree, PartFile, ReportFile } from '../ports.ts';

/** A part that nobody continued for this long is removed at the start. */
const partKeptMs = 7 * 24 * 3_600_000;

/** A tree on a local folder that only this worker uses, and that contains nothing else. */
export interface Scratch {
  /** Absolute. */
  readonly folder: string;
  readonly tree: Pick<OutputTree, 'openPart' | 'writeWhole' | 'createReport' | 'inspect'> & { check(): void };
}

export interface SharedOutputTree extends OutputTree {
  /** Throws `DiskError` if another folder has replaced the scratch folder or the destination. */
  check(): void;
}

/**
 * Opens the outputs, and removes from the scratch folder what an earlier process of this worker has sent. `now` is epoch
 * ms.
 */
export async function openSharedOutputTree(
  scratch: Scratch,
  destination: Destination,
  now: number,
): Promise<SharedOutputTree> {
  const tree = new SharedTree(scratch, destination);
  await tree.clearLeftovers(now);
  return tree;
}

class SharedTree implements SharedOutputTree {
  readonly layout = 'by-attempt';
  readonly #scratch: Scratch;
  readonly #destination: Destination;
  /** By path: the last of those that write it. They share a scratch file, so one follows the other. */
  readonly #writers = new Map<string, Promise<void>>();

  constructor(scratch: Scratch, destination: Destination) {
    this.#scratch = scratch;
    this.#destination = destination;
  }

  check(): void {
    this.#scratch.tree.check();
    this.#destination.check();
  }

  async openPart(path: string): Promise<PartFile> {
    const part = await this.#scratch.tree.openPart(path);
    return {
      get sizeBytes() {
        return part.sizeBytes;
      },
      get validator() {
        return part.validator;
      },
      restart: (validator) => part.restart(validator),
      append: (bytes) => part.append(bytes),
      expect: (wholeBytes) => part.expect(wholeBytes),
      head: () => part.head(),
      digest: () => part.digest(),
      commit: async (target) => this.#send(await part.commit(target)),
      discard: () => part.discard(),
      [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
    };
  }

  async saveReceived(path: string): Promise<SavedFile | null> {
    const start = `${basename(path)}.`;
    const names = await namesIn(join(this.#scratch.folder, dirname(path)));
    const name = names.find((each) => each.startsWith(start) && isReceived(each));
    return name === undefined ? null : this.#sendReceived(`${dirname(path)}/${name}`);
  }

  writeWhole(path: string, text: string): Promise<void> {
    return this.#inTurn(path, async () => {
      await this.#scratch.tree.writeWhole(path, text);
      await this.#sendReceived(path);
    });
  }

  async createReport(name: string): Promise<ReportFile> {
    const file = await this.#scratch.tree.createReport(name);
    return {
      write: (text) => file.write(text),
      commit: () =>
        this.#inTurn(name, async () => {
          await file.commit();
          await this.#sendReceived(name);
        }),
      commitNextTo: async () => {
        const path = await file.commitNextTo();
        await this.#inTurn(path, async () => {
          await this.#sendReceived(path);
        });
        return path;
      },
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    };
  }

  inspect(path: string): ReturnType<OutputTree['inspect']> {
    return this.#destination.inspect(path);
  }

  /** The folder of an attempt is new, so nothing can be in its way. */
  async foreignFile(): Promise<null> {
    return null;
  }

  /** The files of an earlier attempt stay where they are. */
  async setAside(): Promise<null> {
    return null;
  }

  async clearAside(): Promise<void> {}

  /**
   * Removes the received files that the destination has, what this worker left unfinished there, and old parts. Files
   * that the destination does not have were paid for: they stay until they are sent.
   */
  async clearLeftovers(now: number): Promise<void> {
    for await (const path of filesBelow(this.#scratch.folder, '')) {
      if (!isReceived(basename(path))) {
        this.#removeOldPart(path, now);
        continue;
      }
      await this.#destination.clearUnfinished(path);
      const received = await this.#scratch.tree.inspect(path);
      if (isRewritten(path) || (received !== null && (await this.#has({ path, ...received }))))
        this.#removeReceived(path);
    }
  }

  async #sendReceived(path: string): Promise<SavedFile | null> {
    const received = await this.#scratch.tree.inspect(path);
    if (received === null) return null;
    const file = { path, ...received };
    if (isRewritten(path) || !(await this.#has(file))) return this.#send(file);
    this.#removeReceived(path);
    return file;
  }

  /** True where the destination says that it has this file. */
  async #has({ path, sizeBytes, sha256 }: SavedFile): Promise<boolean> {
    const found = await this.#destination.stat(path);
    if (found?.sizeBytes !== sizeBytes) return false;
    return (found.sha256 ?? (await this.#destination.inspect(path))?.sha256) === sha256;
  }

  async #send(file: SavedFile): Promise<SavedFile> {
    await this.#destination.put(join(this.#scratch.folder, file.path), file.path, file);
    this.#removeReceived(file.path);
    return file;
  }

  /** Removes the file from the scratch folder, with the folders that are empty then. What stays is removed at the next start. */
  #removeReceived(path: string): void {
    try {
      unlinkSync(join(this.#scratch.folder, path));
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
        rmdirSync(join(this.#scratch.folder, folder));
    } catch {}
  }

  /** Another worker has finished a part that was not continued for so long. */
  #removeOldPart(path: string, now: number): void {
    const found = lstatSync(join(this.#scratch.folder, path), { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > partKeptMs) this.#removeReceived(path);
  }

  async #inTurn(path: string, write: () => Promise<void>): Promise<void> {
    const before = this.#writers.get(path);
    const work = before === undefined ? write() : before.then(write, write);
    this.#writers.set(path, work);
    try {
      await work;
    } finally {
      if (this.#writers.get(path) === work) this.#writers.delete(path);
    }
  }
}

/** True for a file that is written anew from the store: only the files of tasks must survive in the scratch folder. */
function isRewritten(path: string): boolean {
  return !path.includes('/') || basename(path) === 'task.json';
}

/** True for the name of a whole file, not of a part or a temporary file. */
function isReceived(name: string): boolean {
  return !name.startsWith('.') && !/\.(part|part\.json|tmp)$/.test(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw new UsageError(message('output.scratch-unreadable', { failure: saidOf(error) }), error);
  }
}

async function* filesBelow(root: string, prefix: string): AsyncGenerator<string> {
  for (const entry of await entriesIn(join(root, prefix))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, `${path}/`);
    else if (entry.isFile()) yield path;
  }
}
