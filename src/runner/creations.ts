/** Sends claimed creations, each once, and posts how it ended. p-queue limits how many are in flight. */

import PQueue from 'p-queue';
import type { CreationEvent } from '../core/item.ts';
import { fixed } from '../core/policy.ts';
import type { EffectOutlet, EffectPorts } from './effects.ts';
import type { Entry } from './entry.ts';

/** How long a claim may wait before it is sent; null for ever. */
export interface CreationOptions {
  readonly sendWindowMs: number | null;
}

/** A creation in flight is never aborted, because its outcome would be unknown. Its deadline ends it. */
const uncut = new AbortController().signal;

export class Creations {
  readonly #ports: Pick<EffectPorts, 'clock' | 'service'>;
  readonly #outlet: EffectOutlet;
  readonly #sendWindowMs: number | null;
  readonly #queue = new PQueue({ concurrency: fixed.creationsInFlight });

  constructor(
    ports: Pick<EffectPorts, 'clock' | 'service'>,
    outlet: EffectOutlet,
    { sendWindowMs }: CreationOptions,
  ) {
    this.#ports = ports;
    this.#outlet = outlet;
    this.#sendWindowMs = sendWindowMs;
  }

  /** Sends the request of an item whose intent is saved. */
  send(entry: Entry): Promise<void> {
    return this.#queue.add(() => this.#send(entry));
  }

  /** Resolves when none is in flight. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #send(entry: Entry): Promise<void> {
    const { request } = entry;
    // The item may have another attempt when the answer comes.
    const { token } = entry.item;
    entry.request = null;
    if (request === null || this.#outlet.isStopping()) {
      const at = this.#ports.clock.now();
      const failure = 'the run was stopped before the creation was sent';
      this.#outlet.post(entry, { type: 'creation-not-sent', at, failure }, token);
      return;
    }
    const mayLeave = (): boolean => this.#isInTime(entry);
    const event = mayLeave()
      ? await this.#ports.service.create(request.body, uncut, mayLeave)
      : this.#tooLate();
    // At once: by the next tick more of them would have left.
    if ('endsRun' in event) this.#outlet.stop(event.endsRun, event.failure);
    const isTooLate = event.type === 'creation-not-sent' && !mayLeave();
    this.#outlet.post(entry, isTooLate ? this.#tooLate() : event, token);
  }

  /**
   * False for a process that was paused after its claim: others may have given the creation up by now. By the larger of
   * both clocks, because either may have stood still.
   */
  #isInTime({ claimedAt, item }: Entry): boolean {
    if (this.#sendWindowMs === null) return true;
    const { clock } = this.#ports;
    const waitedMs = Math.max(clock.steady() - claimedAt, clock.now() - (item.submittedAt ?? 0));
    return waitedMs <= this.#sendWindowMs;
  }

  #tooLate(): CreationEvent {
    const at = this.#ports.clock.now();
    const failure = 'this worker was paused, or its store was away, before the creation was sent';
    return { type: 'creation-not-sent', at, failure, isOwnFault: true };
  }
}
