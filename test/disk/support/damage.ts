/** Damages to the files of a checkpoint, from a seed: bits that flip and ends that are missing. */

import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../../sim/dice.ts';

/** Flips one bit of one of the files, more often than not in a byte that means something; or cuts one. Says what it did. */
export function damageSomewhere(folder: string, names: readonly [string, ...string[]], dice: Dice): string {
  const [first, ...others] = names;
  const there: [string, ...string[]] = [first, ...others.filter((name) => existsSync(join(folder, name)))];
  const name = dice.pick(there);
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (dice.chance(0.1)) {
    const length = dice.integer(0, bytes.length - 1);
    truncateSync(path, length);
    return `${name} cut to ${length} of ${bytes.length} bytes`;
  }
  let at = dice.integer(0, bytes.length - 1);
  // Most of a page may be empty, and a bit that flips there harms nobody.
  for (let tries = 0; bytes[at] === 0 && tries < 20 && dice.chance(0.9); tries++)
    at = dice.integer(0, bytes.length - 1);
  const bit = dice.integer(0, 7);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
  return `${name}: bit ${bit} of byte ${at} flipped`;
}
