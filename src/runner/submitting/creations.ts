/** Sends claimed creations, each once, and posts how it ended. p-queue limits how many are in flight. */

import PQueue from 'p-queue';
import { DiskError } from '../../errors.ts';
import type { CreationEvent } from '../../money/event.ts';
import { fixed } from '../../money/policy.ts';
import { subjectOf } from '../../money/subject.ts';
import type { RunContext } from '../context.ts';
import type { Entry } from '../entry.ts';

/** A creation in flight is never aborted, because its outcome would be unknown. Its deadline ends it. */
const uncut = new AbortController().signal;

export class Creations {
  readonly #run: RunContext;
  readonly #queue = new PQueue({ concurrency: fixed.creationsInFlight });

  constructor(run: RunContext) {
    this.#run = run;
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
    const about = subjectOf(entry.item);
    entry.request = null;
    if (request === null || this.#run.isStopping()) {
      this.#run.post(entry, this.#stopped(), about);
      return;
    }
    const mayLeave = (): boolean => this.#isInPlace() && this.#isInTime(entry);
    const event = mayLeave()
      ? await this.#run.ports.service.create(request.body, uncut, mayLeave)
      : this.#unsent(entry);
    // At once: by the next tick more of them would have left.
    if ('endsRun' in event) this.#run.stop(event.endsRun, event.failure);
    const isKeptBack = event.type === 'creation-not-sent' && !mayLeave();
    this.#run.post(entry, isKeptBack ? this.#unsent(entry) : event, about);
  }

  /** False, and the run stops, where its place is not what was opened: the checkpoint may be one that is never found again. */
  #isInPlace(): boolean {
    try {
      this.#run.ports.checkPlace?.();
      return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#run.stop('disk', error.message);
      return false;
    }
  }

  /**
   * False for a process that was paused after its claim: others may have given up the creation by now, and the age of its
   * task and the time at which it is looked for count from the claim. By the larger of both clocks, because either may
   * have stood still.
   */
  #isInTime({ claimedAt, item }: Entry): boolean {
    const { clock } = this.#run.ports;
    const waitedMs = Math.max(clock.steady() - claimedAt, clock.now() - (item.submittedAt ?? 0));
    return waitedMs <= fixed.sendWindowMs;
  }

  /** Why a creation did not leave. */
  #unsent(entry: Entry): CreationEvent {
    return this.#isInTime(entry) ? this.#stopped() : this.#tooLate();
  }

  #stopped(): CreationEvent {
    const at = this.#run.ports.clock.now();
    return { type: 'creation-not-sent', at, failure: 'the run was stopped before the creation was sent' };
  }

  #tooLate(): CreationEvent {
    const at = this.#run.ports.clock.now();
    const failure = 'the program was paused, or its store was away, before the creation was sent';
    return { type: 'creation-not-sent', at, failure, isOwnFault: true };
  }
}
