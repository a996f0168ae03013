/**
 * Detects foreign files that change while they are read. Such a read mixes two versions, and nobody would notice: a
 * question cut in the middle looks like any other.
 */

import { type BigIntStats, fstatSync, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { inBoth, message } from '../../messages/message.ts';

/** The state of a file, to detect changes. */
export type FileState = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** Thrown for a file that changed since reading began. The message says what to do. */
export class ChangedFileError extends Error {
  constructor(name: string) {
    super(message('picture.flawed', { image: name, what: inBoth(message('picture.incomplete')) }).text);
  }
}

/** The state of a regular file, by path or descriptor; null for anything else, whose state cannot be compared. */
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

/** All bytes of a file. Rejects with `ChangedFileError`, and where it is not a readable regular file. */
export async function readSteadily(path: string): Promise<Uint8Array> {
  const before = await stat(path, exact);
  // Opening a pipe would block until something writes into it.
  if (!before.isFile()) throw new Error(`${path} is not a file`);
  const bytes = await readFile(path);
  const after = await stat(path, exact).catch(() => null);
  if (!isSameState(before, after)) throw new ChangedFileError(path);
  return bytes;
}

/** The same for a small file, synchronously; a pipe is read to its end. */
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
