/** Random numbers from a seed: the same seed, the same throws, on every machine. */

/** A stream of throws of its own, named, so that more throws in one place move nothing in another. */
export class Dice {
  #state: number;

  constructor(seed: number, name: string) {
    let state = seed | 0;
    for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 0x9e3779b1) + 0x7f4a7c15;
    this.#state = state | 0;
    this.next();
    this.next();
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(rate: number): boolean {
    return this.next() < rate;
  }

  /** A whole number, both ends included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.integer(0, choices.length - 1)] ?? choices[0];
  }
}
