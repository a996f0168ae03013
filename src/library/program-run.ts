/** A run followed by a program: its events in a queue, its end in a promise. */

import { EventQueue } from '../app/events/event-queue.ts';
import type { BatchEvent, BatchRun, BatchSummary, PlanEvent } from '../app/events/events.ts';
import { queueEvents, queueInvalid } from '../app/events/run-events.ts';
import { readSummary } from '../app/offers/offers.ts';
import { runSession } from '../app/run-session.ts';
import type { RunObserver, RunSetup, Stop } from '../app/session.ts';
import { mendedTables } from '../features/import/mended-tables.ts';

/** The handle of a run that `start` carries out; null from `start` means that the plan was declined. */
export class ProgramRun implements BatchRun {
  readonly summary: Promise<BatchSummary>;
  readonly #queue = new EventQueue();
  readonly #planRead = Promise.withResolvers<void>();
  #reader: AsyncIterator<BatchEvent, void, undefined> | null = null;
  #stop: Stop | null = null;
  #isStopping = false;

  constructor(signal: AbortSignal | undefined, start: (run: ProgramRun) => Promise<BatchSummary>) {
    this.summary = this.#carry(signal, start);
    // Readers of the events receive a failure there; those who await the summary still receive it too.
    this.summary.catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<BatchEvent, void, undefined> {
    if (this.#reader !== null) return this.#reader;
    const events = this.#read();
    let isBegun = false;
    this.#reader = {
      next: () => {
        isBegun = true;
        return events.next();
      },
      // Called at once: a reader may leave before it has read anything, or while it waits for an event.
      return: async () => {
        this.#requestStop();
        const left = await events.return();
        if (isBegun) return left;
        // Leaving an unstarted loop does not wait for the end of the run.
        this.#queue.discard();
        await this.summary;
        return left;
      },
    };
    return this.#reader;
  }

  /** Emits the plan, and waits until a reader has read it. False when the run must not continue. */
  async agree(plan: PlanEvent): Promise<boolean> {
    this.#queue.push(plan);
    if (this.#reader !== null) await this.#planRead.promise;
    return !this.#isStopping;
  }

  /** Carries out the run. */
  async session(setup: RunSetup): Promise<BatchSummary> {
    const events = queueEvents(this.#queue, setup.invocation.out);
    const observer: RunObserver = { ...events, started: () => {}, ended: () => {} };
    await queueInvalid(this.#queue, setup);
    const ending = await runSession({
      setup,
      observer,
      mended: mendedTables,
      hook: ({ stop }) => this.#hook(stop),
    });
    return readSummary(setup, ending);
  }

  async #carry(
    signal: AbortSignal | undefined,
    start: (run: ProgramRun) => Promise<BatchSummary>,
  ): Promise<BatchSummary> {
    const stop = (): void => this.#requestStop();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    try {
      // Lets the caller enter its loop before anything happens.
      await Promise.resolve();
      const summary = await start(this);
      this.#queue.push({ type: 'end', summary });
      return summary;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#queue.close();
    }
  }

  async *#read(): AsyncGenerator<BatchEvent, void, undefined> {
    try {
      for (let event = await this.#queue.take(); event !== null; event = await this.#queue.take()) {
        yield event;
        if (event.type === 'plan') this.#planRead.resolve();
      }
    } finally {
      this.#requestStop();
      this.#queue.discard();
      await this.summary;
    }
  }

  #hook(stop: Stop): () => void {
    this.#stop = stop;
    if (this.#isStopping) stop('interrupted');
    return () => {
      this.#stop = null;
    };
  }

  #requestStop(): void {
    this.#isStopping = true;
    this.#stop?.('interrupted');
    this.#planRead.resolve();
  }
}
