/**
 * Superseded attempts with a known task but unknown points: lost and retried, or answered after their row had moved on.
 * The service is polled about them for free, so that the report shows what they cost.
 */

import type { PollEnd } from '../core/status-answer.ts';
import type { AttemptTask, Clock } from '../ports.ts';
import type { Checkpoint } from '../store.ts';

/** Attempts polled in one run; the rest wait for a later run. */
const mostAttempts = 1_000;

/** What superseded attempts need from the runner. */
export interface LeftAttemptOutlet {
  isStopping(): boolean;
  askAbout(taskId: string): Promise<PollEnd>;
  /** The points of an attempt were saved. */
  priced(): Promise<void>;
  ended(): void;
  failed(error: unknown): void;
}

export class LeftAttempts {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #outlet: LeftAttemptOutlet;
  #tasks: readonly AttemptTask[] = [];
  #asking: Promise<void> | null = null;

  constructor(
    { checkpoint, clock }: { readonly checkpoint: Checkpoint; readonly clock: Clock },
    outlet: LeftAttemptOutlet,
  ) {
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#outlet = outlet;
  }

  /** True while polls are in flight. */
  get isAsking(): boolean {
    return this.#asking !== null;
  }

  /** Loads what earlier runs left. */
  async recover(): Promise<void> {
    this.#tasks = await this.#checkpoint.unpricedAttempts(mostAttempts);
  }

  /** Saves a task for a superseded attempt. False when the task belongs to another attempt. */
  async save(task: AttemptTask): Promise<boolean> {
    const saved = await this.#checkpoint.saveLateTasks([task], this.#clock.now());
    if (saved.length > 0) this.#tasks = [...this.#tasks, task];
    return saved.length > 0;
  }

  /** Polls each once, unless that is already under way. */
  ask(): void {
    if (this.#tasks.length === 0 || this.#asking !== null) return;
    this.#asking = this.#ask()
      .catch((error: unknown) => this.#outlet.failed(error))
      .finally(() => {
        this.#asking = null;
        this.#outlet.ended();
      });
  }

  /** Resolves when no poll is in flight. */
  async idle(): Promise<void> {
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const priced = new Set<AttemptTask>();
    for (const task of this.#tasks) {
      const answer = this.#outlet.isStopping() ? null : await this.#outlet.askAbout(task.taskId);
      // If one is not answered, the others would not be either.
      if (answer === null || answer.type === 'poll-unanswered' || answer.type === 'poll-refused') break;
      if (answer.type !== 'task-completed' && answer.type !== 'task-failed') continue;
      const { points } = answer.ending;
      const status = answer.type === 'task-completed' ? 'completed' : 'failed';
      await this.#checkpoint.savePoints(task, { status, at: this.#clock.now(), points });
      if (points !== null) priced.add(task);
    }
    if (priced.size === 0) return;
    this.#tasks = this.#tasks.filter((task) => !priced.has(task));
    await this.#outlet.priced();
  }
}
