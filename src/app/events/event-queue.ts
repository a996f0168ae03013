/** Queues events for a program that may read slowly: the run never waits for it, and memory is bounded. */

import type { BatchEvent, RowEvent } from './events.ts';

/** Most events queued; beyond this they are thinned out. About 5 MB. */
const mostWaiting = 10_000;

/** Events in order. */
export class EventQueue {
  #waiting: BatchEvent[] = [];
  #isClosed = false;
  #wake: () => void = () => {};

  /** Adds an event; no effect once the queue is closed. */
  push(event: BatchEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(event);
    if (this.#waiting.length > mostWaiting) this.#waiting = thinOut(this.#waiting, mostWaiting / 2);
    this.#wake();
  }

  /** No more events follow; queued ones can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The reader has left. */
  discard(): void {
    this.#waiting = [];
    this.close();
  }

  /** The next event; null after the last one. For one reader. */
  async take(): Promise<BatchEvent | null> {
    await this.#filled();
    return this.#waiting.shift() ?? null;
  }

  /** All queued events, at least one; none after the last one. For one reader. */
  async takeAll(): Promise<readonly BatchEvent[]> {
    await this.#filled();
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }

  async #filled(): Promise<void> {
    while (this.#waiting.length === 0 && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }
}

/**
 * Keeps about `most` of the events, in order. First only the latest event of each row is kept; then frames and notes
 * go; then the oldest of the rest, except the plan. `missed` counts what was dropped.
 */
export function thinOut(events: readonly BatchEvent[], most: number): BatchEvent[] {
  const merged = mergeRows(events);
  if (merged.length <= most) return merged;
  const plan = merged.filter(({ type }) => type === 'plan');
  const earlier = merged.filter((event) => event.type === 'missed');
  const kept = merged
    .filter(({ type }) => type === 'row' || type === 'warning' || type === 'end')
    .slice(-most);
  const gone = merged.length - plan.length - earlier.length - kept.length;
  const count = earlier.reduce((sum, missed) => sum + missed.count, gone);
  return [...plan, { type: 'missed', count }, ...kept];
}

/** One event per row: the last one, with the status before the first. */
function mergeRows(events: readonly BatchEvent[]): BatchEvent[] {
  const first = new Map<string, RowEvent>();
  const last = new Map<string, RowEvent>();
  for (const event of events) {
    if (event.type !== 'row') continue;
    if (!first.has(event.id)) first.set(event.id, event);
    last.set(event.id, event);
  }
  return events
    .filter((event) => event.type !== 'row' || last.get(event.id) === event)
    .map((event) =>
      event.type === 'row' ? { ...event, from: first.get(event.id)?.from ?? event.from } : event,
    );
}
