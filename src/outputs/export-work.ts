/** `.batch-export` in the folder of an export: what is under way, and the lock that keeps other exports out. */

import { closeSync, openSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import { guarded, lstatIfThere, makeFolder, segmentsOf, unlinkIfThere } from './guarded-disk.ts';

export const workName = '.batch-export';
const lockName = 'batch.lock';

/** Creates it in this folder if needed. */
export async function openExportWork(root: string): Promise<ExportWork> {
  await guarded(root, workName, async () => makeFolder(root, [workName]));
  return new ExportWork(root);
}

export class ExportWork {
  /** Absolute. */
  readonly path: string;
  readonly #root: string;
  readonly #lock: string;

  constructor(root: string) {
    this.#root = root;
    this.path = join(root, workName);
    this.#lock = join(this.path, lockName);
  }

  /** Removes what a killed export left under way. */
  clear(): Promise<void> {
    return guarded(this.#root, workName, async () => {
      for (const name of await readdir(this.path))
        if (!name.startsWith(lockName)) await rm(join(this.path, name), { recursive: true, force: true });
    });
  }

  /** Keeps bytes at this path until the export ends. */
  keep(path: string, bytes: Uint8Array): Promise<void> {
    return guarded(this.#root, workName, async () => {
      const segments = segmentsOf(path);
      const folder = makeFolder(this.#root, [workName, ...segments.slice(0, -1)]);
      await writeFile(join(folder, segments.at(-1) as string), bytes);
    });
  }

  /** Number of the lock file; creates it and the folder if needed. */
  lockNumber(): number {
    for (;;) {
      const found = lstatIfThere(this.#lock);
      if (found !== null) return found.ino;
      makeFolder(this.#root, [workName]);
      try {
        closeSync(openSync(this.#lock, 'wx'));
      } catch (error) {
        // Another export came first, or removed the folder at its end.
        if (!['EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
      }
    }
  }

  /** Removes the folder and releases its lock. From then on everything there may belong to another export, which waits for nothing else. */
  async remove(lock: Disposable): Promise<void> {
    let isUnlocked = false;
    try {
      await this.clear();
      isUnlocked = this.#removeLock();
    } finally {
      lock[Symbol.dispose]();
    }
    // Windows removes no open file: the lock only after its release, and never one that another export has open.
    if (!isUnlocked) this.#removeLock();
    removeIfEmpty(this.path);
  }

  #removeLock(): boolean {
    try {
      unlinkIfThere(this.#lock);
      return true;
    } catch {
      return false;
    }
  }
}

/** True when there is no folder afterwards. */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}
