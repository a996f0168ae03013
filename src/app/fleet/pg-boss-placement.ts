/**
 * Places the slices of a shared run. Every second: renew the heartbeats if it is time, give back what is above the fair
 * share, take what is missing. pg-boss frees the jobs of a process that has been silent for ten seconds. A process whose
 * own heartbeats do not arrive stops believing in its slices before that, by its own clocks: the check is made whenever
 * `slices` is read, so a process that was paused cannot act on old belief. It has again what a later heartbeat confirms.
 */

import { raise } from '../../errors.ts';
import type { Clock, Log, Placement } from '../../ports.ts';
import { sliceCount } from '../../stores/port/sharing.ts';
import { Belief } from './pg-boss-placement/belief.ts';
import { type ClaimedJob, type Connection, SliceJobs } from './pg-boss-placement/slice-jobs.ts';
import { StrandedSlices } from './pg-boss-placement/stranded-slices.ts';

const beatMs = 1_000;

/** Until the number of processes is known for the first time. */
const firstBeatMs = 50;

/** Each renewal writes 65 rows in the whole run. One that fails is repeated twice before the belief ends. */
const touchIntervalMs = 6_000;

/** How often the fair share is calculated again, and a free keeper's job looked for. */
const shareIntervalMs = 2_000;

/** How often missing jobs are made, and silent holders looked for: while slices are missing here, and otherwise. */
const hungryIntervalMs = 2_000;
const contentIntervalMs = 5_000;

/** pg-boss ends a job after 24 hours; half of that ends it here, in good order. */
const longestClaimMs = 12 * 3_600_000;

/** How long the end of a process waits for the engine. */
const gracePeriodMs = 3_000;

export interface PlacementOptions {
  readonly connection: Connection;
  /** pg-boss's own schema, `batch_RUN_jobs`; at most 50 bytes. */
  readonly schema: string;
  /** Name of this process, for the server's list of connections. */
  readonly worker: string;
  /**
   * How many processes want slices now, this one included: those whose heartbeat came in the last ten seconds or so and that can work.
   * One that is counted in vain keeps its share from the others for about ten seconds. May fail or take its time.
   */
  readonly liveWorkers: () => Promise<number>;
  /** False while this process cannot work: it gives everything back. */
  readonly isWorking: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Starts to take slices. Throws `UsageError` or `StoreAwayError`. */
export async function openPlacement(options: PlacementOptions): Promise<Placement> {
  const { connection, schema, worker, log } = options;
  const onNotice = (message: string): void =>
    log.warn({ placement: message }, 'the engine of the run has a problem');
  const jobs = await SliceJobs.open(connection, { schema, worker, onNotice });
  return new PgBossPlacement(jobs, options);
}

class PgBossPlacement implements Placement {
  readonly #jobs: SliceJobs;
  readonly #options: PlacementOptions;
  readonly #clock: Clock;
  readonly #belief: Belief;
  readonly #stranded = new StrandedSlices();
  readonly #ended = new AbortController();
  readonly #loop: Promise<void>;
  #live: number | null = null;
  #isCounting = false;
  /** When each duty was done last, by the steady clock (ms). */
  #countedAt = -Infinity;
  #soughtKeeperAt = -Infinity;
  #keptHouseAt = -Infinity;
  /** Statements fail. */
  #isAway = false;

  constructor(jobs: SliceJobs, options: PlacementOptions) {
    this.#jobs = jobs;
    this.#options = options;
    this.#clock = options.clock;
    this.#belief = new Belief(options.clock);
    this.#belief.onChange(() => this.#note());
    this.#loop = this.#beatUntilEnd();
    this.#belief.watch(this.#ended.signal).catch(raise);
  }

  get slices(): ReadonlySet<number> {
    return this.#belief.slices;
  }

  get isKeeper(): boolean {
    return this.#belief.isKeeper;
  }

  onChange(listener: () => void): void {
    this.#belief.onChange(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    const done = new AbortController();
    const end = async (): Promise<void> => {
      await this.#loop;
      await this.#giveBack(this.#belief.jobs).catch(() => {});
      await this.#jobs.close().catch(() => {});
      done.abort();
    };
    await Promise.race([end(), this.#clock.wait(gracePeriodMs, done.signal)]);
    this.#belief.drop(this.#belief.jobs);
  }

  async #beatUntilEnd(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await this.#beat();
        this.#hearOfEngine(null);
      } catch (error) {
        this.#hearOfEngine(error);
        // The tables of the run are the only truth: what hands out its slices is made anew.
        await this.#jobs
          .repair(error, this.#options.liveWorkers)
          .catch((failure: unknown) => this.#hearOfEngine(failure));
      }
      await this.#clock.wait(this.#live === null ? firstBeatMs : beatMs, this.#ended.signal);
    }
  }

  async #beat(): Promise<void> {
    this.#countWorkers();
    if (this.#belief.isOlderThan(touchIntervalMs)) await this.#touch();
    if (!this.#options.isWorking()) {
      await this.#giveBack(this.#belief.jobs);
      return;
    }
    const share = this.#share();
    if (share === null) return;
    await this.#giveBack(this.#surplus(share));
    await this.#take(share);
    await this.#keepHouse(share);
  }

  async #touch(): Promise<void> {
    const asked = this.#belief.jobs;
    const asOf = this.#belief.now();
    const still = await this.#jobs.touch(asked);
    this.#belief.renew(asOf, still);
  }

  /** Slices this process may hold; null while the count of processes is not known. */
  #share(): number | null {
    if (this.#live === null) return null;
    const fair = Math.ceil(sliceCount / Math.max(1, this.#live));
    return Math.min(sliceCount, fair + this.#stranded.extra(this.#clock.steady()));
  }

  /** Does not wait: the store may be away for hours. */
  #countWorkers(): void {
    if (this.#isCounting || this.#clock.steady() - this.#countedAt < shareIntervalMs) return;
    this.#isCounting = true;
    this.#countedAt = this.#clock.steady();
    this.#options
      .liveWorkers()
      .then((live) => {
        if (live !== this.#live) this.#stranded.forget();
        this.#live = live;
      })
      // The last number stays good enough; the store says itself that it is away.
      .catch(() => {})
      .finally(() => {
        this.#isCounting = false;
      });
  }

  #surplus(share: number): readonly ClaimedJob[] {
    const slices = this.#belief.jobs.filter(({ slice }) => slice !== null);
    const above = slices.slice(share);
    const old = this.#belief.claimedLongerThan(longestClaimMs);
    return [...new Set([...above, ...old])];
  }

  async #giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    // First here, so that no slice has two holders. What does not reach the engine becomes free by this silence.
    this.#belief.drop(jobs);
    await this.#jobs.giveBack(jobs);
  }

  async #take(share: number): Promise<void> {
    const missing = share - this.#belief.sliceCount;
    if (missing > 0) {
      const asOf = this.#belief.now();
      this.#belief.add(asOf, await this.#jobs.takeSlices(missing));
    }
    if (this.#belief.isKeeper || this.#clock.steady() - this.#soughtKeeperAt < shareIntervalMs) return;
    this.#soughtKeeperAt = this.#clock.steady();
    const asOf = this.#belief.now();
    const keeper = await this.#jobs.takeKeeper();
    if (keeper !== null) this.#belief.add(asOf, [keeper]);
  }

  async #keepHouse(share: number): Promise<void> {
    const isHungry = this.#belief.sliceCount < share;
    const now = this.#clock.steady();
    if (now - this.#keptHouseAt < (isHungry ? hungryIntervalMs : contentIntervalMs)) return;
    this.#keptHouseAt = now;
    await this.#jobs.freeSilent();
    await this.#jobs.ensure();
    this.#stranded.look(await this.#jobs.freeSlices(), now);
    if (isHungry) await this.#take(share);
  }

  #hearOfEngine(error: unknown): void {
    const isAway = error !== null;
    // Whatever is missing now is made at the next beat.
    if (isAway) this.#keptHouseAt = -Infinity;
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway)
      this.#options.log.warn({ failure: this.#jobs.describe(error) }, 'the engine of the run is away');
    else this.#options.log.info({}, 'the engine of the run is back');
  }

  #note(): void {
    this.#options.log.info({ slices: this.slices.size, isKeeper: this.isKeeper }, 'slices changed hands');
  }
}
