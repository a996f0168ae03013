/** The one time of a simulated world: it passes only while everybody waits for it. */

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** Jumps; a world that makes more of them is stuck in a loop. */
const mostJumps = 200_000;

/** Jumps in a row that take no time, or a single ms, as a loop does that never rests. */
const mostRestless = 1_000;

export class SimClock {
  readonly #startedAt: number;
  #now: number;
  /** Earliest first; those of one time in the order they were set. */
  #alarms: Alarm[] = [];
  #willJump = false;
  #jumps = 0;
  #restless = 0;
  #onStuck: (why: string) => void = () => {};

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
    this.#now = startedAt;
  }

  /** Epoch ms. */
  now(): number {
    return this.#now;
  }

  /** Time since the start, as `1d 02:03:04.567`. */
  stamp(): string {
    const ms = this.#now - this.#startedAt;
    const days = Math.floor(ms / 86_400_000);
    const clock = new Date(ms % 86_400_000).toISOString().slice(11, 23);
    return days === 0 ? clock : `${days}d ${clock}`;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const alarm = { at: this.#now + Math.max(0, ms), ring: resolve };
      const later = this.#alarms.findIndex((each) => each.at > alarm.at);
      this.#alarms.splice(later === -1 ? this.#alarms.length : later, 0, alarm);
      signal?.addEventListener(
        'abort',
        () => {
          const index = this.#alarms.indexOf(alarm);
          if (index !== -1) this.#alarms.splice(index, 1);
          resolve();
        },
        { once: true },
      );
      this.#jumpLater();
    });
  }

  /** Resolves with the reason when time cannot go on from here: nobody waits for anything, or everybody always does. */
  stuck(): Promise<string> {
    return new Promise((resolve) => {
      this.#onStuck = resolve;
      this.#jumpLater();
    });
  }

  /** The computer sleeps: time passes, and nobody is woken meanwhile. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** All that can be done without time passing is done before the next alarm rings. */
  #jumpLater(): void {
    if (this.#willJump) return;
    this.#willJump = true;
    setImmediate(() => {
      this.#willJump = false;
      const next = this.#alarms[0];
      if (next === undefined) return this.#onStuck('nobody waits for anything any more');
      this.#jumps += 1;
      if (this.#jumps > mostJumps) return this.#onStuck(`it goes on for ever (${mostJumps} steps)`);
      this.#restless = next.at - this.#now > 1 ? 0 : this.#restless + 1;
      if (this.#restless > mostRestless)
        return this.#onStuck(`it turns without a rest (${mostRestless} steps in as many ms)`);
      this.#now = Math.max(this.#now, next.at);
      const due = this.#alarms.findIndex((each) => each.at > this.#now);
      const ringing = this.#alarms.splice(0, due === -1 ? this.#alarms.length : due);
      for (const alarm of ringing) alarm.ring();
      this.#jumpLater();
    });
  }
}
