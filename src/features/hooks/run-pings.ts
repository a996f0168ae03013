/** `--ping`: reports to a dead man's switch that a run starts, continues, and how it ends. Failures are warnings. */

import { saidOf } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import type { EndingReason } from '../../money/summary.ts';
import type { Clock, Ping, RunView } from '../../ports.ts';

/**
 * Time between two signs of life. A switch that receives `start` counts its grace time from then, so one that is
 * repeated moves the alarm on, and one that stops raises it.
 */
const heartbeatMs = 5 * 60_000;

/** Why a run ended that has no summary. */
type Failed = 'error';

export class RunPings {
  readonly #ping: Ping;
  readonly #clock: Clock;
  readonly #warn: (said: Message) => void;
  readonly #ended = new AbortController();
  readonly #beating: Promise<void>;
  #view: Pick<RunView, 'ledger'> | null = null;
  #hasWarned = false;

  /** Sends the first ping; `warn` receives the first one that fails. */
  constructor(ping: Ping, clock: Clock, warn: (said: Message) => void) {
    this.#ping = ping;
    this.#clock = clock;
    this.#warn = warn;
    this.#beating = this.#beat();
  }

  /** The numbers come from this run from now on. */
  follow(view: Pick<RunView, 'ledger'>): void {
    this.#view = view;
  }

  /** Sends the last ping. Resolves within the deadline of two. */
  async end(reason: EndingReason | Failed, exitCode: number): Promise<void> {
    this.#ended.abort();
    // A start that arrives after the end would raise an alarm.
    await this.#beating;
    await this.#send(String(exitCode), { reason, exitCode });
  }

  async #beat(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#send('start', {});
      await this.#clock.wait(heartbeatMs, this.#ended.signal);
    }
  }

  async #send(signal: string, facts: object): Promise<void> {
    try {
      await this.#ping.send(signal, JSON.stringify({ ...facts, ...this.#numbers() }));
    } catch (error) {
      if (!this.#hasWarned) this.#warn(message('ping.failed', { failure: saidOf(error) }));
      this.#hasWarned = true;
    }
  }

  #numbers(): object {
    if (this.#view === null) return {};
    const { counts, spent } = this.#view.ledger;
    return { statuses: counts, points: spent };
  }
}
