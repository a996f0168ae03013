/** Represents a text in the checkpoint where only equality matters. */

import { hash } from 'node:crypto';

/**
 * The first 16 bytes of the sha256, enough that no two of a million rows ever collide. Through hex digits it takes
 * 1.1 µs, with `createHash` and a slice of its buffer 2.4 µs, and each row needs three.
 */
export function digest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 32), 'hex');
}
