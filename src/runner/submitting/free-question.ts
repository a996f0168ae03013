/**
 * The free question: the status of a task that cannot exist. What the service answers to it counts for every request, so it
 * is asked before an answer to one request is believed to be about all of them.
 */

import type PQueue from 'p-queue';
import type { ProbeAnswer } from '../../money/answers/status-answer.ts';
import type { Policy } from '../../money/policy.ts';
import type { RunnerPorts } from '../context.ts';

/** An answer, and when it was asked for (steady ms). */
interface Asked {
  readonly at: number;
  readonly answer: Promise<ProbeAnswer | null>;
}

export class FreeQuestion {
  readonly #ports: Pick<RunnerPorts, 'clock' | 'service'>;
  readonly #policy: Policy;
  readonly #signal: AbortSignal;
  readonly #queue: PQueue;
  #last: Asked | null = null;

  constructor(
    ports: Pick<RunnerPorts, 'clock' | 'service'>,
    policy: Policy,
    { signal, queue }: { readonly signal: AbortSignal; readonly queue: PQueue },
  ) {
    this.#ports = ports;
    this.#policy = policy;
    this.#signal = signal;
    this.#queue = queue;
  }

  /** Asks it; null when the run stops meanwhile. */
  ask(): Promise<ProbeAnswer | null> {
    const answer = this.#queue.add(async () => {
      const said = await this.#ports.service.probe(this.#signal);
      return this.#signal.aborted ? null : said;
    });
    this.#last = { at: this.#ports.clock.steady(), answer };
    return answer;
  }

  /**
   * What it is answered as of a request that left at `startedAt` (steady ms). Another answer of the same tick is good enough where
   * it says that only single requests are refused: thousands may be, and each would cost another request. One of the tick before
   * is not: an outage may have begun since, and its answers would count as the service's.
   */
  async askFor(startedAt: number): Promise<ProbeAnswer | null> {
    const known = this.#last;
    if (known === null) return this.ask();
    if (known.at >= startedAt) return known.answer;
    const answer = await known.answer;
    const isRecent = this.#ports.clock.steady() - known.at < this.#policy.pollIntervalMs / 2;
    if (answer !== null && answer.outcome !== 'refused' && isRecent) return answer;
    return this.#last === known ? this.ask() : this.askFor(startedAt);
  }
}
