/** An output folder in memory. */

import { createHash } from 'node:crypto';
import type { SavedFile } from '../../src/core/item.ts';
import type { OutputTree, PartFile } from '../../src/ports.ts';

interface Part {
  bytes: Uint8Array;
  validator: string | null;
}

export class MemoryTree implements OutputTree {
  /** What is there, by path. */
  readonly files = new Map<string, Uint8Array>();
  /** What is on its way, by target without extension. */
  readonly parts = new Map<string, Part>();

  async openPart(path: string): Promise<PartFile> {
    const part = this.parts.get(path) ?? { bytes: new Uint8Array(), validator: null };
    this.parts.set(path, part);
    return {
      get sizeBytes() {
        return part.bytes.length;
      },
      get validator() {
        return part.validator;
      },
      restart: async (validator) => {
        Object.assign(part, { bytes: new Uint8Array(), validator });
      },
      append: async (bytes) => {
        part.bytes = Buffer.concat([part.bytes, bytes]);
      },
      head: async () => part.bytes.subarray(0, 4_096),
      commit: async (target) => {
        this.parts.delete(path);
        return this.#save(target, part.bytes);
      },
      discard: async () => void this.parts.delete(path),
      [Symbol.asyncDispose]: async () => {
        if (part.validator === null) this.parts.delete(path);
      },
    };
  }

  #save(path: string, bytes: Uint8Array): SavedFile {
    this.files.set(path, bytes);
    return { path, ...describe(bytes) };
  }

  async writeWhole(path: string, text: string): Promise<void> {
    this.files.set(path, Buffer.from(text));
  }

  async createReport(): Promise<never> {
    throw new Error('a run writes no reports by itself');
  }

  async inspect(path: string): Promise<{ sizeBytes: number; sha256: string } | null> {
    const bytes = this.files.get(path);
    return bytes === undefined ? null : describe(bytes);
  }

  async foreignFile(folder: string): Promise<string | null> {
    return [...this.files.keys()].find((path) => path.startsWith(`${folder}/`)) ?? null;
  }

  async setAside(folder: string, attempt: number): Promise<void> {
    for (const [path, bytes] of [...this.files]) {
      if (!path.startsWith(`${folder}/`) || path.startsWith(`${folder}/attempt-`)) continue;
      this.files.delete(path);
      this.files.set(path.replace(folder, `${folder}/attempt-${attempt}`), bytes);
    }
    for (const path of [...this.parts.keys()]) if (path.startsWith(`${folder}/`)) this.parts.delete(path);
  }
}

function describe(bytes: Uint8Array): { sizeBytes: number; sha256: string } {
  return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
