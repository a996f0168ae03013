/**
 * Files that are somebody else's and may be written while they are read. What was read then is half of one text and half of
 * another, and nobody sees where: a question that was cut in its middle looks like any other.
 */

import { type BigIntStats, fstatSync, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** What tells a file from what it was before. */
export type FileState = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** Thrown for a file that is not as it was when its reading began. The message says what to do. */
export class ChangedFileError extends Error {
  constructor(name: string) {
    super(`${name} changed while it was read; wait until it is complete, then run the same line again`);
  }
}

/** The state of a regular file, by its path or its descriptor; null for all else, which has no state that could be compared. */
export function fileState(file: string | number): FileState | null {
  return stateOf(() => (typeof file === 'number' ? fstatSync(file, exact) : statSync(file, exact)));
}

/** True where the file was neither written, replaced nor touched in between. */
export function isSameState(one: FileState | null, other: FileState | null): boolean {
  if (one === null || other === null) return one === other;
  const { dev, ino, size, mtimeNs, ctimeNs } = one;
  return (
    dev === other.dev &&
    ino === other.ino &&
    size === other.size &&
    mtimeNs === other.mtimeNs &&
    ctimeNs === other.ctimeNs
  );
}

/** All bytes of a file. Rejects with `ChangedFileError`, where it is no regular file, and where it cannot be read. */
export async function readSteadily(path: string): Promise<Uint8Array> {
  const before = await stat(path, exact);
  // Opening a pipe would wait for somebody to write into it.
  if (!before.isFile()) throw new Error(`${path} is not a file`);
  const bytes = await readFile(path);
  const after = await stat(path, exact).catch(() => null);
  if (!isSameState(before, after)) throw new ChangedFileError(path);
  return bytes;
}

/** The same for a small file, at once; a pipe is read to its end. */
export function readSteadilyNow(path: string): Uint8Array {
  const before = fileState(path);
  const bytes = readFileSync(path);
  if (!isSameState(before, fileState(path))) throw new ChangedFileError(path);
  return bytes;
}

const exact = { bigint: true } as const;

function stateOf(look: () => BigIntStats): FileState | null {
  try {
    const stats = look();
    return stats.isFile() ? stats : null;
  } catch {
    return null;
  }
}
