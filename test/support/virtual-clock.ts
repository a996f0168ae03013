/** Time that passes only while everybody waits for it. */

import type { Clock } from '../../src/ports.ts';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** No run of a test goes on for longer (ms): one that does is stuck. */
const patienceMs = 1_000 * 3_600_000;

/**
 * The time jumps to the next alarm as soon as nothing else is left to do. What is done in between must end without real
 * timers, sockets or files.
 */
export class VirtualClock implements Clock {
  readonly startedAt: number;
  #now: number;
  /** How far what it says is off the time that passes (ms). */
  #offMs = 0;
  #alarms: readonly Alarm[] = [];
  #willRing = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
    this.#now = startedAt;
  }

  now(): number {
    return this.#now + this.#offMs;
  }

  /** As a machine that counts its sleep, too. */
  steady(): number {
    return this.elapsedMs;
  }

  /** Time since the start (ms). */
  get elapsedMs(): number {
    return this.#now - this.startedAt;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const alarm = { at: this.#now + Math.max(0, ms), ring: resolve };
      const onAbort = (): void => {
        this.#alarms = this.#alarms.filter((each) => each !== alarm);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#alarms = [...this.#alarms, alarm];
      this.#ringLater();
    });
  }

  /** Resolves this long (ms) after the start. */
  reach(elapsedMs: number): Promise<void> {
    return this.wait(elapsedMs - this.elapsedMs);
  }

  /** The computer sleeps: time has passed, and nobody was woken meanwhile. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** Somebody sets the clock: it says another time, and none has passed. */
  set(byMs: number): void {
    this.#offMs += byMs;
  }

  /** All microtasks are done before the next alarm rings; alarms of the same time ring together. */
  #ringLater(): void {
    if (this.#willRing) return;
    this.#willRing = true;
    setImmediate(() => {
      this.#willRing = false;
      const next = Math.min(...this.#alarms.map((alarm) => alarm.at));
      if (next === Number.POSITIVE_INFINITY) return;
      this.#now = Math.max(this.#now, next);
      if (this.elapsedMs > patienceMs) throw new Error('the run does not end');
      const due = this.#alarms.filter((alarm) => alarm.at <= this.#now);
      this.#alarms = this.#alarms.filter((alarm) => alarm.at > this.#now);
      for (const alarm of due) alarm.ring();
      if (this.#alarms.length > 0) this.#ringLater();
    });
  }
}
