/** Sends claimed creations, each once, and posts how it ended. p-queue limits how many are in flight. */

import PQueue from 'p-queue';
import { fixed } from '../core/policy.ts';
import type { EffectOutlet, EffectPorts } from './effects.ts';
import type { Entry } from './entry.ts';

/** A creation in flight is never aborted, because its outcome would be unknown. Its deadline ends it. */
const uncut = new AbortController().signal;

export class Creations {
  readonly #ports: Pick<EffectPorts, 'clock' | 'service'>;
  readonly #outlet: EffectOutlet;
  readonly #queue = new PQueue({ concurrency: fixed.creationsInFlight });

  constructor(ports: Pick<EffectPorts, 'clock' | 'service'>, outlet: EffectOutlet) {
    this.#ports = ports;
    this.#outlet = outlet;
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
    const event = await this.#ports.service.create(request.body, uncut);
    // At once: by the next tick more of them would have left.
    if ('endsRun' in event) this.#outlet.stop(event.endsRun, event.failure);
    this.#outlet.post(entry, event, token);
  }
}
