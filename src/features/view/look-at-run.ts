/** The state of a run at the last look, and what has changed between looks. */

import type { Status } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import { roundPoints } from '../../money/summary.ts';
import type { Clock } from '../../ports.ts';
import {
  noTotals,
  type PageFacts,
  type PageHeading,
  type PageTotals,
  pageHeading,
} from '../../reports/page.ts';
import type { RunWatch } from '../../stores/port/reading.ts';
import { Changes } from './see-changes.ts';

/** What a look needs from the outside. */
export interface LookWorld {
  readonly watch: RunWatch;
  readonly clock: Clock;
  /** The current facts, except whether the run is active. */
  readonly facts: () => Promise<Omit<PageFacts, 'running'>>;
}

/** Each look that finds a change makes a new version; version 0 is the result of the first look. */
export class RunLook {
  /** Rows the page has no room for. */
  leftOut = 0;
  readonly #world: LookWorld;
  readonly #changes: Changes;
  /** Row -> version in which it last changed. */
  readonly #changedIn = new Map<number, number>();
  #version = 0;
  #totals: PageTotals = noTotals;
  #heading: PageHeading | null = null;
  /** Checkpoint version at the last look at its busy rows. */
  #seen: number | null = null;
  /** True while the sums and the other rows are older than the busy rows. */
  #isStale = true;
  /** Looks to skip before all rows are compared again. */
  #pause = 0;
  #looking: Promise<void> | null = null;

  constructor(world: LookWorld) {
    this.#world = world;
    this.#changes = new Changes(world.watch);
  }

  get version(): number {
    return this.#version;
  }

  /** The page heading at the last look; null before the first. */
  get heading(): PageHeading | null {
    return this.#heading;
  }

  /** A current heading with other totals. */
  async headingOf(totals: PageTotals): Promise<PageHeading> {
    const { watch, facts } = this.#world;
    const now = { ...(await facts()), running: await watch.isInUse() };
    const heading = pageHeading(now, totals, true, this.leftOut);
    const [inputVersion, reviewVersion] = [await watch.inputVersion(), await watch.reviewVersion()];
    return { ...heading, inputVersion, reviewVersion };
  }

  /** Keys of rows that changed after that version. */
  changedSince(version: number): readonly number[] {
    if (version >= this.#version) return [];
    return [...this.#changedIn].filter(([, changedIn]) => changedIn > version).map(([key]) => key);
  }

  /**
   * Looks once for all concurrent callers. Rejects where the checkpoint cannot be read; the next look finds what this
   * one missed.
   */
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
        note(await this.#changes.restoodRows());
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

/** Compares headings, ignoring the time they were written. */
function isSame(a: PageHeading, b: PageHeading): boolean {
  return JSON.stringify({ ...a, writtenAt: 0 }) === JSON.stringify({ ...b, writtenAt: 0 });
}
