/** Deterministic chance: the same seed and subject always give the same number. */

import { createHash } from 'node:crypto';

/** Lower-case hex. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const digits = 12;

/** A number in 0..1 (excluding 1), uniform, that depends only on the arguments. */
export function seededRandom(seed: number, ...subject: readonly (string | number)[]): number {
  return Number.parseInt(sha256(JSON.stringify([seed, ...subject])).slice(0, digits), 16) / 16 ** digits;
}
