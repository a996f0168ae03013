/** Looks every second whether the user changed the run while it goes. */

import { fixed, type Policy } from '../money/policy.ts';
import type { Pause } from '../money/steering.ts';
import type { Clock } from '../ports.ts';

/** What a look finds. */
export interface SteeringNews {
  /** The last change that this process knows now. A store refuses claims that were decided without a later one. */
  readonly number: number;
  /** Nothing is submitted meanwhile; null for no pause. */
  readonly pause: Pause | null;
  /** The policy that holds from now on; null where it is the same as before. */
  readonly policy: Policy | null;
  /** The limit counts from now on. */
  readonly isLimitNew: boolean;
}

/** Where changes come from. */
export interface SteeringSource {
  /** Called every second, so it costs little where nothing has changed. */
  look(): Promise<SteeringNews>;
}

export class SteeringLook {
  readonly #source: SteeringSource;
  readonly #clock: Clock;
  readonly #found: (news: SteeringNews) => Promise<void>;
  #lookAt = Number.NEGATIVE_INFINITY;

  constructor(source: SteeringSource, clock: Clock, found: (news: SteeringNews) => Promise<void>) {
    this.#source = source;
    this.#clock = clock;
    this.#found = found;
  }

  /** When to look next (steady ms). */
  get nextAt(): number {
    return this.#lookAt;
  }

  async lookIfDue(): Promise<void> {
    if (this.#clock.steady() < this.#lookAt) return;
    this.#lookAt = this.#clock.steady() + fixed.steeringLookMs;
    await this.#found(await this.#source.look());
  }

  /** The store refused claims: the user may have changed the run. */
  lookSoon(): void {
    this.#lookAt = Number.NEGATIVE_INFINITY;
  }
}
