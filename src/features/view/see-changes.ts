/** Detects which rows of a run have changed since the last look, without reading all of them each time. */

import type { Status } from '../../money/item.ts';
import { statusesWith } from '../../money/statuses.ts';
import type { RowMark, RunWatch, StatusSum } from '../../stores/port/reading.ts';

/** Statuses in which a row changes without changing its status, because frames arrive. */
const busyStatuses = statusesWith('under-way');

/** The sums of some rows of one status. */
type Sum = { -readonly [name in 'count' | 'rows' | 'gone' | 'attempts']: StatusSum[name] };

/** The known state of a run, seen from outside. Concurrent looks would report a change twice, or never. */
export class Changes {
  readonly #watch: RunWatch;
  readonly #known = new Map<number, RowMark>();
  /** Busy rows, with everything saved of them. */
  #busy: ReadonlyMap<number, string> = new Map();
  #reviewVersion = 0;
  #standing: ReadonlyMap<number, number> = new Map();

  constructor(watch: RunWatch) {
    this.#watch = watch;
  }

  /** Keys of rows that are or were busy and have changed. A failed look leaves them to the next one. */
  async busyRows(): Promise<readonly number[]> {
    const busy = new Map<number, string>();
    for await (const item of this.#watch.items(busyStatuses)) busy.set(item.key, JSON.stringify(item));
    const all = new Set([...this.#busy.keys(), ...busy.keys()]);
    const changed = [...all].filter((key) => this.#busy.get(key) !== busy.get(key));
    for (const mark of await this.#watch.marksOf(changed)) this.#known.set(mark.key, mark);
    this.#busy = busy;
    return changed;
  }

  /** Keys of rows for which another attempt stands. */
  async restoodRows(): Promise<readonly number[]> {
    const version = await this.#watch.reviewVersion();
    if (version === this.#reviewVersion) return [];
    const before = this.#standing;
    const now = await this.#watch.reviews.standing();
    this.#standing = now;
    this.#reviewVersion = version;
    return [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));
  }

  /** Keys of all other changed rows, in pages; none where the sums are unchanged. */
  async *otherRows(sums: readonly StatusSum[]): AsyncGenerator<readonly number[]> {
    if (this.#knows(sums)) return;
    for await (const page of this.#watch.marks()) {
      const changed = page.filter((mark) => !isSameMark(this.#known.get(mark.key), mark));
      for (const mark of changed) this.#known.set(mark.key, mark);
      yield changed.map(({ key }) => key);
      // Lets other work run between two pages.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #knows(sums: readonly StatusSum[]): boolean {
    const known = new Map<Status, Sum>();
    for (const { status, row, gone, attempt } of this.#known.values()) {
      const sum = known.get(status) ?? { count: 0, rows: 0, gone: 0, attempts: 0 };
      sum.count += 1;
      sum.rows += row;
      sum.gone += gone;
      sum.attempts += attempt;
      known.set(status, sum);
    }
    return sums.length === known.size && sums.every((sum) => isSameSum(known.get(sum.status), sum));
  }
}

function isSameSum(a: Sum | undefined, b: Sum): boolean {
  return a?.count === b.count && a.rows === b.rows && a.gone === b.gone && a.attempts === b.attempts;
}

function isSameMark(a: RowMark | undefined, b: RowMark): boolean {
  return a?.status === b.status && a.attempt === b.attempt && a.row === b.row && a.gone === b.gone;
}
