/** Pure. Chance that can be repeated. */

/** A number in 0..1 (excluding 1) that depends only on the arguments: FNV-1a with the finalizer of MurmurHash3. */
export function chance(seed: number, subject: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed} ${subject}`) {
    hash = Math.imul(hash ^ Number(character.codePointAt(0)), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
