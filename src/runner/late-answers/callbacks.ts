/** Follows callbacks: each announces news about an item, and may name the task of an uncertain one. */

import { messageOf, stackOf } from '../../errors.ts';
import type { Item } from '../../money/item.ts';
import type { RunContext } from '../context.ts';
import type { Effects } from '../effects.ts';
import { type Entry, isPolled } from '../entry.ts';
import { CallbackPolls } from '../polling/callback-polls.ts';
import type { Sweeps } from '../polling/sweeps.ts';
import { CallbackTasks } from './callback-tasks.ts';

export class Callbacks {
  readonly #run: RunContext;
  readonly #effects: Effects;
  readonly #sweeps: Sweeps;
  readonly #tasks: CallbackTasks;
  readonly #polls: CallbackPolls;

  constructor(run: RunContext, effects: Effects, sweeps: Sweeps) {
    this.#run = run;
    this.#effects = effects;
    this.#sweeps = sweeps;
    this.#tasks = new CallbackTasks(run, effects);
    this.#polls = new CallbackPolls(run.ports.clock, {
      poll: (entry) => this.#poll(entry),
      tryTask: (key, taskId) => this.#tasks.tryTask(key, taskId),
      logLost: (error) => this.#logLost(error),
    });
  }

  /** A callback about the item with this key came; `taskId` is the task that it names. Never rejects. */
  async note(key: number, taskId: string | null): Promise<void> {
    const entry = this.#run.entries.get(key);
    try {
      if (entry?.item.status === 'submitting') this.#polls.keepNamedTask(key, taskId);
      else if (entry !== undefined) await this.#polls.noteNews(entry);
      else if (taskId !== null) await this.#polls.noteNamedTask(key, taskId);
    } catch (error) {
      this.#logLost(error);
    }
  }

  /** An item changed its status. */
  noteChange(before: Item, after: Item): void {
    this.#tasks.noteKnown(after);
    if (before.status === 'submitting') this.#polls.release(after.key, after.status === 'uncertain');
  }

  #poll(entry: Entry): void {
    const { clock } = this.#run.ports;
    if (this.#run.isStopping() || !isPolled(entry) || this.#sweeps.isPaused(clock.steady())) return;
    this.#effects.start(entry, { type: 'poll' });
  }

  #logLost(error: unknown): void {
    this.#run.ports.log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a callback was lost');
  }
}
