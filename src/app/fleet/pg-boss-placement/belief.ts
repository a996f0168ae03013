/**
 * What this process believes to hold. It believes only for a while after a heartbeat was sent that arrived: less than the
 * engine waits before it gives the jobs to another process. Both clocks count, the one that says more: the steady one may
 * leave out the time a machine was asleep, the other one may be set back.
 */

import { fixed } from '../../../money/policy.ts';
import type { Clock } from '../../../ports.ts';
import type { ClaimedJob } from './slice-jobs.ts';

/** The engine calls a worker silent from a moment after its heartbeat was sent; this ends before. */
const beliefMs = fixed.workerSilenceMs - 1_000;

/** How often the end of the belief is looked for while nothing is held (ms). */
const idleMs = 1_000;

export interface Moment {
  readonly steady: number;
  readonly wall: number;
}

type Jobs = ReadonlyMap<string, ClaimedJob & { readonly takenAt: number }>;

const none: ReadonlySet<number> = new Set();

export class Belief {
  readonly #clock: Clock;
  readonly #listeners: (() => void)[] = [];
  #jobs: Jobs = new Map();
  #asOf: Moment;
  #slices = none;
  #hasKeeper = false;
  /** The slices and the keeper's job as last announced. */
  #announced = '';

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#asOf = this.now();
  }

  now(): Moment {
    return { steady: this.#clock.steady(), wall: this.#clock.now() };
  }

  get slices(): ReadonlySet<number> {
    return this.isOlderThan(beliefMs) ? none : this.#slices;
  }

  get isKeeper(): boolean {
    return this.#hasKeeper && !this.isOlderThan(beliefMs);
  }

  /** Taken, and neither lost nor given back as far as this process knows; oldest first. */
  get jobs(): readonly ClaimedJob[] {
    return [...this.#jobs.values()];
  }

  /** The slices among `jobs`. */
  get sliceCount(): number {
    return this.#slices.size;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** True when something is held, and its last heartbeat was sent longer ago (ms). */
  isOlderThan(ms: number): boolean {
    return this.#jobs.size > 0 && this.#ageMs() >= ms;
  }

  claimedLongerThan(ms: number): readonly ClaimedJob[] {
    const before = this.#clock.steady() - ms;
    return [...this.#jobs.values()].filter(({ takenAt }) => takenAt < before);
  }

  /** A heartbeat sent at `asOf` arrived for these ids alone. */
  renew(asOf: Moment, ids: ReadonlySet<string>): void {
    this.#asOf = asOf;
    this.#change(new Map([...this.#jobs].filter(([id]) => ids.has(id))));
  }

  /** Jobs that were asked for at `asOf`. The older ones keep their own, earlier heartbeat. */
  add(asOf: Moment, taken: readonly ClaimedJob[]): void {
    if (taken.length === 0) return;
    if (this.#jobs.size === 0) this.#asOf = asOf;
    const takenAt = asOf.steady;
    const added = taken.map((job) => [job.id, { ...job, takenAt }] as const);
    this.#change(new Map([...this.#jobs, ...added]));
  }

  drop(jobs: readonly ClaimedJob[]): void {
    const ids = new Set(jobs.map(({ id }) => id));
    this.#change(new Map([...this.#jobs].filter(([id]) => !ids.has(id))));
  }

  /** Announces to the listeners when the belief ends by itself. Never rejects. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const leftMs = beliefMs - this.#ageMs();
      await this.#clock.wait(this.#jobs.size > 0 && leftMs > 0 ? leftMs : idleMs, signal);
      this.#announce();
    }
  }

  #ageMs(): number {
    const { steady, wall } = this.now();
    return Math.max(steady - this.#asOf.steady, wall - this.#asOf.wall);
  }

  #change(jobs: Jobs): void {
    this.#jobs = jobs;
    const slices = [...this.#jobs.values()].flatMap(({ slice }) => (slice === null ? [] : [slice]));
    this.#slices = new Set(slices);
    this.#hasKeeper = slices.length < this.#jobs.size;
    this.#announce();
  }

  #announce(): void {
    const state = JSON.stringify([[...this.slices].sort((a, b) => a - b), this.isKeeper]);
    if (state === this.#announced) return;
    this.#announced = state;
    for (const listener of this.#listeners) listener();
  }
}
