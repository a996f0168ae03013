/**
 * Pure. Shows that many texts all differ, without keeping them: a number of 53 bits stands for each. Two that are the same have
 * the same one; where two have it, they may differ all the same, which happens once in ten thousand files of a million rows.
 */

const firstLength = 1 << 10;

export class Marks {
  #marks = new Float64Array(firstLength);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(mark: number): void {
    if (this.#count === this.#marks.length) {
      const more = new Float64Array(this.#count * 2);
      more.set(this.#marks);
      this.#marks = more;
    }
    this.#marks[this.#count] = mark;
    this.#count += 1;
  }

  /** True where no two are the same for certain. */
  areApart(): boolean {
    const sorted = this.#marks.subarray(0, this.#count).sort();
    return sorted.every((mark, at) => at === 0 || mark !== sorted[at - 1]);
  }
}

const bitsOfLow = 21;

/** Of a digest. */
export function markOfDigest(digest: Buffer): number {
  return digest.readUInt32BE(0) * 2 ** bitsOfLow + (digest.readUInt32BE(4) >>> (32 - bitsOfLow));
}

/** Of a short text: two runs of FNV-1a with other factors, mixed as MurmurHash3 does. */
export function markOfText(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x27d4eb2f;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high >>> 0) * 2 ** bitsOfLow + (low >>> (32 - bitsOfLow));
}
