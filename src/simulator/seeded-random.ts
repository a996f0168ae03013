/** Chance without randomness: the same seed and the same subject always draw the same lot. */

import { createHash } from 'node:crypto';

/** Lower-case hex. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const digits = 12;

/** A number of 0..1 (1 excluded), evenly spread, that depends on nothing but the arguments. */
export function seededRandom(seed: number, ...subject: readonly (string | number)[]): number {
  return Number.parseInt(sha256(JSON.stringify([seed, ...subject])).slice(0, digits), 16) / 16 ** digits;
}
