/** Somebody who tunes and pauses the run of a simulated world while it goes, from another terminal. */

import type { Policy } from '../../src/money/policy.ts';
import { pauseAt, type Steering, steered, unsteered } from '../../src/money/steering.ts';
import type { SteeringSource } from '../../src/runner/steering.ts';
import { steeringSetting } from '../../src/stores/port/settings.ts';
import { SqliteSettings } from '../../src/stores/sqlite/sqlite-settings.ts';
import type { Dice } from './dice.ts';
import type { World } from './sim-process.ts';

/** What of the policy is tuned. */
type Tuned = Partial<Pick<Policy, 'concurrency' | 'maxPoints'>>;

const minute = 60_000;

/** How often somebody does it, of steps. */
const rate = 0.01;

export class Tuner {
  readonly #dice: Dice;
  readonly #world: World;
  readonly #settings: SqliteSettings;
  /** What holds for the process that runs. */
  #tuned: Tuned = {};
  #steering: Steering = unsteered;

  constructor(world: World, dice: Dice) {
    this.#dice = dice;
    this.#world = world;
    this.#settings = new SqliteSettings(world.db, { sound: Promise.resolve() });
  }

  /** A step of the process: it knows nothing of what is done here, and its next claim is held against it. */
  mayTune(now: number): void {
    if (this.#world.weather.isClear || !this.#dice.chance(rate)) return;
    const dice = this.#dice;
    const kind = dice.pick(['cap', 'cap', 'points', 'pause', 'continue'] as const);
    if (kind === 'cap') this.#tuned = { ...this.#tuned, concurrency: dice.pick([1, 2, 4, 20]) };
    if (kind === 'points')
      this.#tuned = { ...this.#tuned, maxPoints: dice.pick([null, dice.integer(0, 80)]) };
    const pause = kind === 'pause' ? { until: now + dice.integer(1, 40) * minute } : null;
    const isPause = kind === 'pause' || kind === 'continue';
    this.#save(steered(this.#steering, { isLimitNew: false, ...(isPause && { pause }) }));
    this.#world.note(`somebody steers: ${kind} ${JSON.stringify(this.#tuned)} ${JSON.stringify(pause)}`);
  }

  /** Another process begins, with options of its own; a pause holds for it, too. */
  begins(): void {
    this.#tuned = {};
  }

  /** Nobody pauses it any more. */
  ends(): void {
    this.#save(steered(this.#steering, { isLimitNew: false, pause: null }));
  }

  #save(steering: Steering): void {
    this.#steering = steering;
    this.#settings.saveNow(steeringSetting, JSON.stringify(steering));
  }

  /** The policy that claims are held against. */
  policyNow(policy: Policy): Policy {
    return { ...policy, ...this.#tuned };
  }

  isPaused(now: number): boolean {
    return pauseAt(this.#steering.pause, now) !== null;
  }

  source(policy: Policy): SteeringSource {
    // What was tuned since the process began is news, too.
    let number = -1;
    return {
      look: async () => {
        const saved: Steering = JSON.parse(
          (await this.#settings.get(steeringSetting)) ?? JSON.stringify(unsteered),
        );
        const isNews = saved.number !== number;
        number = saved.number;
        const { pause } = saved;
        return { number, pause, policy: isNews ? this.policyNow(policy) : null, isLimitNew: false };
      },
    };
  }
}
