/** Polls the open tasks at each tick, and now and then what earlier runs left. */

import { message } from '../../messages/message.ts';
import type { RunContext } from '../context.ts';
import type { Effects } from '../effects.ts';
import { type Entry, isPolled } from '../entry.ts';
import type { Sweeps } from './sweeps.ts';

export class Ticks {
  readonly #run: RunContext;
  readonly #sweeps: Sweeps;
  readonly #effects: Effects;
  readonly #askLost: () => Promise<void>;

  /** `askLost` polls lost tasks and unpriced superseded attempts again. */
  constructor(run: RunContext, sweeps: Sweeps, effects: Effects, askLost: () => Promise<void>) {
    this.#run = run;
    this.#sweeps = sweeps;
    this.#effects = effects;
    this.#askLost = askLost;
  }

  /** Begins a sweep, if it is time. */
  sweepIfDue(): void {
    const { entries, ports } = this.#run;
    if (!this.#sweeps.beginTick(ports.clock.steady())) return;
    if (this.#sweeps.isForLost) this.#askLost().catch((error: unknown) => this.#run.fail(error));
    const due = [...entries.all()].filter((entry) => this.#isDue(entry));
    if (due.length === 0) return;
    const sweep = this.#sweeps.sweep(this.#stillDue(due), (entry) => this.#effects.pollOnTick(entry));
    sweep.then(() => this.#sweepEnded()).catch((error: unknown) => this.#run.fail(error));
  }

  #sweepEnded(): void {
    const silence = this.#sweeps.newSilence();
    if (silence !== null && !this.#run.isStopping())
      this.#run.ports.reporter.note(
        message(silence.percent === 100 ? 'polls.silence' : 'polls.some', silence),
      );
    this.#run.wake();
  }

  /** Checks each entry again when its turn comes: a callback may have settled it, or the run may be over. */
  *#stillDue(due: readonly Entry[]): Generator<Entry> {
    for (const entry of due) {
      if (this.#run.isStopping()) return;
      if (this.#isDue(entry)) yield entry;
    }
  }

  #isDue(entry: Entry): boolean {
    return isPolled(entry) && this.#run.owns(entry.item.key);
  }
}
