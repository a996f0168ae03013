/** Pure. Finds what rows of different questions have in common, such as the bytes of their videos. Keeps only numbers. */

/** Two rows with the same value and different questions, by their keys. */
interface Pair {
  readonly first: number;
  readonly second: number;
  /** Rows with this value. */
  readonly count: number;
}

export interface Repeats {
  /** Rows that share their value with another question. */
  readonly rows: number;
  /** The rows of all pairs. */
  readonly keys: ReadonlySet<number>;
  /** Null where all rows with this value ask the same question. */
  pairOf(value: number): Pair | null;
}

export class RepeatFinder {
  readonly #values: number[] = [];
  readonly #questions: number[] = [];
  readonly #keys: number[] = [];

  add(value: number, question: number, key: number): void {
    this.#values.push(value);
    this.#questions.push(question);
    this.#keys.push(key);
  }

  find(): Repeats {
    const values = this.#values;
    const order = Uint32Array.from(values, (_, at) => at);
    order.sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
    const pairs = new Map<number, Pair>();
    for (let from = 0; from < order.length; ) {
      const value = values[order[from] as number] as number;
      let to = from + 1;
      while (to < order.length && values[order[to] as number] === value) to += 1;
      const pair = to - from < 2 ? null : this.#pairOf(order.subarray(from, to));
      if (pair !== null) pairs.set(value, pair);
      from = to;
    }
    const found = [...pairs.values()];
    return {
      rows: found.reduce((sum, { count }) => sum + count, 0),
      keys: new Set(found.flatMap(({ first, second }) => [first, second])),
      pairOf: (value) => pairs.get(value) ?? null,
    };
  }

  /** Null where all of these rows ask the same question. */
  #pairOf(places: Uint32Array): Pair | null {
    const [start] = places as unknown as [number];
    const firstQuestion = this.#questions[start] as number;
    const other = places.find((place) => this.#questions[place] !== firstQuestion);
    if (other === undefined) return null;
    return {
      first: this.#keys[start] as number,
      second: this.#keys[other] as number,
      count: places.length,
    };
  }
}
