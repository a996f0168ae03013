/** Pure. What a comparison found, in numbers, and the tasks to show. */

import { type Compared, differences, type Verdict, verdicts } from './statement-books.ts';

/** Points of some tasks. */
export interface Sum {
  tasks: number;
  /** As far as they are known. */
  ours: number;
  theirs: number;
}

type Sums = ReadonlyMap<string, Sum>;

export class AuditTally {
  readonly #sums = new Map<Verdict, Sum>(verdicts.map((verdict) => [verdict, noPoints()]));
  readonly #shown = new Map<Verdict, Compared[]>(verdicts.map((verdict) => [verdict, []]));
  readonly #days = new Map<string, Sum>();
  readonly #runs = new Map<string, Sum>();
  readonly #values = new Map<string, Sum>();
  readonly #most: number;

  /** `most` tasks of each verdict are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  add(compared: Compared): void {
    const { verdict, ours, theirs } = compared;
    const shown = this.shown(verdict);
    if (shown.length < this.#most) shown.push(compared);
    addTo(this.sum(verdict), compared);
    addTo(sumAt(this.#days, theirs?.day || ours?.day || ''), compared);
    addTo(sumAt(this.#runs, ours?.run ?? ''), compared);
    if (ours === null || ours.by !== null) addTo(sumAt(this.#values, ours?.by ?? ''), compared);
  }

  sum(verdict: Verdict): Sum {
    return this.#sums.get(verdict) as Sum;
  }

  shown(verdict: Verdict): Compared[] {
    return this.#shown.get(verdict) as Compared[];
  }

  /** '' for tasks without a day. */
  days(): Sums {
    return inOrder(this.#days);
  }

  /** '' for tasks of no run. */
  runs(): Sums {
    return this.#runs;
  }

  /** '' for tasks of no row, and for rows without a value. */
  values(): Sums {
    return inOrder(this.#values);
  }

  get differences(): number {
    return differences.reduce((count, verdict) => count + this.sum(verdict).tasks, 0);
  }

  /** Something was compared, and nothing is left to look into. */
  get isClean(): boolean {
    return this.sum('matched').tasks > 0 && this.differences === 0;
  }
}

function noPoints(): Sum {
  return { tasks: 0, ours: 0, theirs: 0 };
}

function sumAt(sums: Map<string, Sum>, name: string): Sum {
  const sum = sums.get(name) ?? noPoints();
  sums.set(name, sum);
  return sum;
}

function addTo(sum: Sum, { ours, theirs }: Compared): void {
  sum.tasks += 1;
  sum.ours += ours?.points ?? 0;
  sum.theirs += theirs?.points ?? 0;
}

function inOrder(sums: Sums): Sums {
  return new Map([...sums.keys()].sort().map((name) => [name, sums.get(name) as Sum]));
}
