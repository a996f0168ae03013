/** Placements of a test, with a record of who believed to hold which slice, and when. */

import { openPlacement } from '../../src/app/fleet/pg-boss-placement.ts';
import { systemClock } from '../../src/app/system-clock.ts';
import type { Clock, Log, Placement } from '../../src/ports.ts';

/** From a change of view to the next one. */
export interface View {
  readonly worker: string;
  /** Epoch ms. */
  readonly at: number;
  readonly slices: readonly number[];
  readonly isKeeper: boolean;
}

export interface JoinOptions {
  /** Another way to the same database. */
  readonly address?: string;
  readonly clock?: Clock;
  readonly isWorking?: () => boolean;
}

/** Several workers in this process, over one database. */
export class Fleet {
  readonly #address: string;
  readonly #workers = new Map<string, Placement>();
  readonly #waiting = new Set<() => void>();
  readonly views: View[] = [];
  readonly logged: string[] = [];
  /** What `liveWorkers` says; null for the number of workers that are open. */
  live: number | null = null;

  constructor(address: string) {
    this.#address = address;
  }

  async join(worker: string, options: JoinOptions = {}): Promise<Placement> {
    const { address = this.#address, clock = systemClock, isWorking = () => true } = options;
    const placement = await openPlacement({
      connection: { connectionString: address },
      schema: 'batch_my-run_jobs',
      worker,
      liveWorkers: async () => this.live ?? this.#workers.size,
      isWorking,
      clock,
      log: this.#log,
    });
    this.#workers.set(worker, placement);
    const note = (): void => {
      const { slices, isKeeper } = placement;
      this.views.push({ worker, at: Date.now(), slices: [...slices], isKeeper });
      this.#look();
    };
    placement.onChange(note);
    note();
    return placement;
  }

  async leave(worker: string): Promise<void> {
    const placement = this.#workers.get(worker);
    this.#workers.delete(worker);
    await placement?.[Symbol.asyncDispose]();
  }

  /** Slices held now by each worker, in the order in which they came. */
  get shares(): readonly number[] {
    return [...this.#workers.values()].map(({ slices }) => slices.size);
  }

  /** All slices are held once, nobody has more than the fair share, and there is one keeper. */
  get isFair(): boolean {
    const most = Math.ceil(64 / this.#workers.size);
    const held = [...this.#workers.values()].flatMap(({ slices }) => [...slices]);
    const keepers = [...this.#workers.values()].filter(({ isKeeper }) => isKeeper);
    return (
      held.length === 64 &&
      new Set(held).size === 64 &&
      this.shares.every((share) => share <= most) &&
      keepers.length === 1
    );
  }

  /** Resolves after the change of a view, or the line of the log, that makes this true. */
  reach(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isReached()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#workers.keys()].map((worker) => this.leave(worker)));
  }

  get #log(): Log {
    const line = (fields: object, message: string): void => {
      this.logged.push(`${message} ${JSON.stringify(fields)}`);
      this.#look();
    };
    return { info: line, warn: line };
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

/** The longest time (ms) for which two workers believed to hold the same slice; `from` leaves out what was before. */
export function longestOverlapMs(views: readonly View[], from = 0): number {
  const holds = Array.from({ length: 64 }, (_, slice) => spansOf(views, slice));
  const overlaps = holds.flatMap((spans) =>
    spans.flatMap((one) =>
      spans
        .filter(({ worker }) => worker !== one.worker)
        .map((other) => Math.min(one.to, other.to) - Math.max(one.from, other.from, from)),
    ),
  );
  return Math.max(0, ...overlaps);
}

interface Span {
  readonly worker: string;
  readonly from: number;
  readonly to: number;
}

function spansOf(views: readonly View[], slice: number): Span[] {
  const since = new Map<string, number>();
  const spans: Span[] = [];
  for (const { worker, at, slices } of views) {
    const from = since.get(worker);
    const isInUse = slices.includes(slice);
    if (isInUse && from === undefined) since.set(worker, at);
    if (!isInUse && from !== undefined) {
      since.delete(worker);
      spans.push({ worker, from, to: at });
    }
  }
  const last = views.at(-1)?.at ?? 0;
  return [...spans, ...[...since].map(([worker, from]) => ({ worker, from, to: last }))];
}

/** A clock that can be stopped, as a process is by SIGSTOP, and set forward. */
export class PausableClock implements Clock {
  #aheadMs = 0;
  #pause: Promise<void> | null = null;
  #resume = (): void => {};

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  steady(): number {
    return systemClock.steady() + this.#aheadMs;
  }

  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    await systemClock.wait(ms, signal);
    await this.#pause;
  }

  pause(): void {
    this.#pause = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  resume(): void {
    this.#pause = null;
    this.#resume();
  }
}
