/** An output folder in memory. */

import { createHash } from 'node:crypto';
import type { SavedFile } from '../../src/money/item.ts';
import type { OutputTree, PartFile } from '../../src/ports.ts';

interface Part {
  bytes: Uint8Array;
  validator: string | null;
}

export class MemoryTree implements OutputTree {
  readonly layout: OutputTree['layout'];
  /** What is there, by path. */
  readonly files: Map<string, Uint8Array>;
  /** What is on its way, by target without extension. */
  readonly parts = new Map<string, Part>();

  /** `files`: those that workers of a shared run see in common; each has parts of its own. */
  constructor(files = new Map<string, Uint8Array>(), layout: OutputTree['layout'] = 'by-item') {
    this.files = files;
    this.layout = layout;
  }

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
      expect: async () => {},
      head: async () => part.bytes.subarray(0, 4_096),
      digest: async () => describe(part.bytes).sha256,
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

  async saveReceived(): Promise<null> {
    return null;
  }

  async createReport(): Promise<never> {
    throw new Error('a run writes no reports by itself');
  }

  async inspect(path: string): Promise<{ sizeBytes: number; sha256: string } | null> {
    const bytes = this.files.get(path);
    return bytes === undefined ? null : describe(bytes);
  }

  async foreignFile(folder: string): Promise<string | null> {
    if (this.layout === 'by-attempt') return null;
    return [...this.files.keys()].find((path) => path.startsWith(`${folder}/`)) ?? null;
  }

  async setAside(folder: string, attempt: number): Promise<string | null> {
    if (this.layout === 'by-attempt') return null;
    for (const path of [...this.parts.keys()]) if (path.startsWith(`${folder}/`)) this.parts.delete(path);
    this.#removeNames(folder, (path) => !path.startsWith(`${folder}/attempt-${attempt}`));
    const own = [...this.files].filter(([path]) => isOwn(path, folder));
    if (own.length === 0) return null;
    for (let count = 1; ; count++) {
      const aside = count === 1 ? `attempt-${attempt}` : `attempt-${attempt}-${count}`;
      const targetOf = (path: string): string => path.replace(folder, `${folder}/${aside}`);
      const isFree = own.every(([path, bytes]) =>
        [undefined, bytes].includes(this.files.get(targetOf(path))),
      );
      if (!isFree) continue;
      for (const [path, bytes] of own) this.files.set(targetOf(path), bytes);
      return aside;
    }
  }

  async clearAside(folder: string): Promise<void> {
    this.#removeNames(folder, () => true);
  }

  /** Removes names of files that have another one aside, as far as that one is among these. */
  #removeNames(folder: string, isMeant: (path: string) => boolean): void {
    const aside = [...this.files].filter(([path]) => path.startsWith(`${folder}/attempt-`) && isMeant(path));
    const named = new Set(aside.map(([, bytes]) => bytes));
    for (const [path, bytes] of [...this.files])
      if (isOwn(path, folder) && named.has(bytes)) this.files.delete(path);
  }
}

/** True for a file of the current attempt. */
function isOwn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && !path.startsWith(`${folder}/attempt-`);
}

function describe(bytes: Uint8Array): { sizeBytes: number; sha256: string } {
  return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
