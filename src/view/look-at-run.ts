/** A run as it was at the last look, and what has changed in it from look to look. */

import type { Status } from '../core/item.ts';
import { fixed } from '../core/policy.ts';
import { roundPoints } from '../core/summary.ts';
import type { Clock } from '../ports.ts';
import { noTotals, type PageFacts, type PageHeading, type PageTotals, pageHeading } from '../report/page.ts';
import type { RunWatch } from '../store.ts';
import { Changes } from './see-changes.ts';

/** What a look needs of the world. */
export interface LookWorld {
  readonly watch: RunWatch;
  readonly clock: Clock;
  /** The facts as of now, but for whether the run goes on. */
  readonly facts: () => Promise<Omit<PageFacts, 'running'>>;
}

/** Each look that finds something makes a new version; version 0 is what the first look found. */
export class RunLook {
  /** Rows that the page has no room for. */
  leftOut = 0;
  readonly #world: LookWorld;
  readonly #changes: Changes;
  /** Row -> version in which it changed last. */
  readonly #changedIn = new Map<number, number>();
  #version = 0;
  #totals: PageTotals = noTotals;
  #heading: PageHeading | null = null;
  /** Of the checkpoint, when its busy rows were looked at. */
  #seen: number | null = null;
  /** True while sums and other rows are older than the busy ones. */
  #isStale = true;
  /** Looks that are left before all rows are looked at again. */
  #pause = 0;
  #looking: Promise<void> | null = null;

  constructor(world: LookWorld) {
    this.#world = world;
    this.#changes = new Changes(world.watch);
  }

  get version(): number {
    return this.#version;
  }

  /** The heading of the page as of the last look; null before the first. */
  get heading(): PageHeading | null {
    return this.#heading;
  }

  /** A heading as of now with other totals. */
  async headingOf(totals: PageTotals): Promise<PageHeading> {
    const { watch, facts } = this.#world;
    const now = { ...(await facts()), running: await watch.isHeld() };
    const heading = pageHeading(now, totals, true, this.leftOut);
    return { ...heading, inputVersion: await watch.inputVersion() };
  }

  /** Keys of rows that changed after that version. */
  changedSince(version: number): readonly number[] {
    if (version >= this.#version) return [];
    return [...this.#changedIn].filter(([, changedIn]) => changedIn > version).map(([key]) => key);
  }

  /** Looks once, for all who ask meanwhile. Rejects where the checkpoint cannot be read; the next look finds what this one missed. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const before = this.#heading;
    const isFirst = before === null;
    const next = this.#version + 1;
    let isNews = false;
    const note = (keys: readonly number[]): void => {
      if (isFirst) return;
      for (const key of keys) this.#changedIn.set(key, next);
      isNews ||= keys.length > 0;
    };
    try {
      const seen = await this.#world.watch.version();
      if (seen !== this.#seen) {
        note(await this.#changes.busyRows());
        this.#isStale = true;
        this.#seen = seen;
      }
      if (this.#pause > 0) this.#pause -= 1;
      else if (this.#isStale) await this.#lookAtAll(note);
      const heading = await this.headingOf(this.#totals);
      isNews ||= before !== null && !isSame(heading, before);
      this.#heading = heading;
    } finally {
      if (isNews) this.#version = next;
    }
  }

  async #lookAtAll(note: (keys: readonly number[]) => void): Promise<void> {
    const { watch, clock } = this.#world;
    const startedAt = clock.now();
    const sums = await watch.sums();
    for await (const keys of this.#changes.otherRows(sums)) note(keys);
    const { points, ...prices } = await watch.prices();
    const counts: Partial<Record<Status, number>> = {};
    for (const { status, shown } of sums) if (shown > 0) counts[status] = shown;
    this.#totals = { counts, ...prices, points: roundPoints(points) };
    this.#isStale = false;
    const tookMs = Math.max(0, clock.now() - startedAt);
    this.#pause = Math.floor(tookMs / fixed.lookTimeShare / fixed.lookIntervalMs);
  }
}

/** The same but for the time it was written. */
function isSame(a: PageHeading, b: PageHeading): boolean {
  return JSON.stringify({ ...a, writtenAt: 0 }) === JSON.stringify({ ...b, writtenAt: 0 });
}
