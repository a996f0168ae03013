/** Pure. Who joined a shared run, who left it, and who took over from whom, seen from what each worker says of itself. */

/** What a worker said of itself last. Times are epoch ms. */
export interface WorkerSign {
  readonly name: string;
  readonly slices: readonly number[];
  readonly lastSeenAt: number;
  /** False for one that is silent: the store says so. */
  readonly isAlive: boolean;
}

/** What happened to the workers since the last look. */
export type CrewNews =
  | { readonly type: 'joined' | 'left' | 'returned'; readonly name: string }
  /** `slices`: how many of them. */
  | {
      readonly type: 'took-over';
      readonly name: string;
      readonly from: string;
      readonly slices: number;
      readonly silentMs: number;
    };

/** Compares one look at the workers with the next. */
export class Takeovers {
  /** Slices of each worker that nobody was seen to take over yet; null before the first look. */
  #left: Map<string, Set<number>> | null = null;
  #silent: ReadonlySet<string> = new Set();

  /** The news since the last look; the first look is none. `now` is epoch ms by the workers' clock. */
  look(workers: readonly WorkerSign[], now: number): readonly CrewNews[] {
    const before = this.#left;
    const left = new Map<string, Set<number>>();
    const silent = new Set<string>();
    const news: CrewNews[] = [];
    for (const { name, slices, isAlive } of workers) {
      const isSilent = !isAlive;
      if (isSilent) silent.add(name);
      left.set(name, isSilent ? (before?.get(name) ?? new Set()) : new Set(slices));
      if (before === null || isSilent) continue;
      if (!before.has(name)) news.push({ type: 'joined', name });
      else if (this.#silent.has(name)) news.push({ type: 'returned', name });
    }
    for (const name of before?.keys() ?? []) {
      // One that died is forgotten after a day, which is no news.
      if (!left.has(name) && !this.#silent.has(name)) news.push({ type: 'left', name });
    }
    const alive = workers.filter(({ name }) => !silent.has(name));
    for (const { name: from, lastSeenAt } of workers.filter(({ name }) => silent.has(name)))
      for (const { name, slices } of alive) {
        const remaining = left.get(from);
        const taken = slices.filter((slice) => remaining?.delete(slice));
        if (taken.length > 0)
          news.push({ type: 'took-over', name, from, slices: taken.length, silentMs: now - lastSeenAt });
      }
    this.#left = left;
    this.#silent = silent;
    return before === null ? [] : news;
  }
}
