/** Represents a text where only equality matters, in both stores. */

import { hash } from 'node:crypto';
import { CheckpointError } from '../errors.ts';
import { message } from '../messages/message.ts';

/** For names derived from ids. */
export function hexDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The first 16 bytes of the sha256, enough that no two of a million rows ever collide. Through hex digits it takes
 * 1.1 µs, with `createHash` and a slice of its buffer 2.4 µs, and each row needs three.
 */
export function digest(text: string): Buffer {
  return Buffer.from(hexDigest(text).slice(0, 32), 'hex');
}

/** The saved question of a row, which must be exactly what was read from the file; `place` is the database. */
export function asSaved<T extends { readonly input: string; readonly inputDigest: Uint8Array }>(
  row: T | undefined,
  place: string,
): T {
  if (row !== undefined && digest(row.input).equals(row.inputDigest)) return row;
  throw new CheckpointError(message('store.other-question', { path: place }));
}
