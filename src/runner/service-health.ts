/** What answers, and missing ones, say about the service: they reach the circuit breaker and the sweeps here. */

import type { AskedPause } from '../money/answers/retry-after.ts';
import type { ProbeAnswer } from '../money/answers/status-answer.ts';
import { withoutAnswer } from '../money/answers/unread-answer.ts';
import type { CreationEvent } from '../money/event.ts';
import { fixed } from '../money/policy.ts';
import type { Ledger } from '../money/summary.ts';
import type { Log } from '../ports.ts';
import type { Entry } from './entry.ts';
import type { Sweeps } from './polling/sweeps.ts';
import type { CreationBreaker } from './submitting/creation-breaker.ts';

export class ServiceHealth {
  readonly #log: Log;
  readonly #breaker: CreationBreaker;
  readonly #sweeps: Sweeps;
  readonly #wake: () => void;
  /** The service does not answer; its next answer wakes the run, because rows may be waiting for it. */
  #isOutOfReach = false;
  /** Creations accepted among the events that are being saved: the ledger does not count them yet. */
  #acceptedCount = 0;

  constructor(log: Log, breaker: CreationBreaker, sweeps: Sweeps, wake: () => void) {
    this.#log = log;
    this.#breaker = breaker;
    this.#sweeps = sweeps;
    this.#wake = wake;
  }

  /** True while this process does not reach the service: in a shared run its rows are for others. */
  get isAway(): boolean {
    return this.#breaker.state.stopped === 'unreachable' || this.#sweeps.silentMs >= fixed.restAfterMs;
  }

  /**
   * The service answered a poll in any way; `knowsTask` is false where it does not know the task. Wakes rows that wait for an
   * answer at once, not at the end of the sweep.
   */
  noteAnswer(knowsTask: boolean): void {
    this.#breaker.noteAnswer(knowsTask);
    this.#sweeps.noteAnswer();
    if (this.#isOutOfReach) this.#wake();
    this.#isOutOfReach = false;
  }

  /** A poll got no answer, or one that cannot be read; the service may have asked for a pause of polling (ms). */
  noteSilence(retryAfterMs: AskedPause, failure: string, isUnread = false): void {
    this.#sweeps.noteSilence(retryAfterMs, failure, isUnread);
  }

  noteProbe({ outcome }: ProbeAnswer): void {
    if (outcome === 'unreachable') this.#isOutOfReach = true;
    else this.#sweeps.noteAnswer();
  }

  /** The events of the next turn are about to be saved, those of the last one count. */
  beginCommit(): void {
    this.#acceptedCount = 0;
  }

  /**
   * A creation ended; called once, before claims are admitted. The breaker gets the event that will be saved: a creation answered
   * with another row's task is uncertain.
   */
  noteCreationEnd(entry: Entry, event: CreationEvent, { counts }: Pick<Ledger, 'counts'>): void {
    this.#isOutOfReach ||= event.type === 'creation-not-sent';
    if (event.type === 'creation-uncertain' && event.answer) {
      const { answer, failure } = event;
      this.#log.warn({ id: entry.item.id, failure: withoutAnswer(failure), answer }, 'no task id was read');
    }
    this.#breaker.noteCreation(event, entry.item, {
      startedAt: entry.loadedAt,
      open: counts.open + this.#acceptedCount,
      used: counts.open + counts.submitting,
    });
    if (event.type === 'creation-accepted') this.#acceptedCount += 1;
  }
}
