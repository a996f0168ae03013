/**
 * Superseded attempts with a known task but unknown points: lost and retried, or answered after their row had moved on.
 * The service is polled about them for free, so that the report shows what they cost.
 */

import { fixed, type Policy } from '../core/policy.ts';
import type { PollEnd } from '../core/status-answer.ts';
import type { AttemptTask, Clock } from '../ports.ts';
import type { Checkpoint } from '../store.ts';

/** Attempts polled in one run; the rest wait for a later run. */
const mostAttempts = 1_000;

/** Polls at once: few, because rows under way come first. */
const lanes = 4;

type TaskEnd = Extract<PollEnd, { type: 'task-completed' | 'task-failed' }>;

/** What superseded attempts need from the runner. */
export interface SupersededAttemptOutlet {
  isStopping(): boolean;
  askAbout(taskId: string): Promise<PollEnd>;
  /** The end of an attempt was saved, with or without points. */
  saved(): Promise<void>;
  ended(): void;
  failed(error: unknown): void;
}

export class SupersededAttempts {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #policy: Pick<Policy, 'maxPoints'>;
  readonly #outlet: SupersededAttemptOutlet;
  /** How often the service has said 0 for a completed task, and since when (steady ms). */
  readonly #zeros = new Map<string, { readonly times: number; readonly since: number }>();
  #tasks: readonly AttemptTask[] = [];
  isLoaded = false;
  #asking: Promise<void> | null = null;
  #isOver = false;

  constructor(
    { checkpoint, clock }: { readonly checkpoint: Checkpoint; readonly clock: Clock },
    policy: Pick<Policy, 'maxPoints'>,
    outlet: SupersededAttemptOutlet,
  ) {
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#policy = policy;
    this.#outlet = outlet;
  }

  /** True while polls are in flight. */
  get isAsking(): boolean {
    return this.#asking !== null;
  }

  /** Loads what earlier runs left. */
  async recover(): Promise<void> {
    this.isLoaded = true;
    this.#tasks = await this.#checkpoint.unpricedAttempts(mostAttempts);
  }

  /** Saves a task for a superseded attempt. False when the task belongs to another attempt. */
  async save(task: AttemptTask): Promise<boolean> {
    const saved = await this.#checkpoint.saveLateTasks([task], this.#clock.now());
    if (saved.length > 0) this.#tasks = [...this.#tasks, task];
    return saved.length > 0;
  }

  /** The task of an attempt that its row has left has ended. Its row does not wait for what it cost. */
  async price(task: AttemptTask, end: TaskEnd): Promise<void> {
    await this.#save(task, end);
    await this.#outlet.saved();
  }

  async #save(task: AttemptTask, { type, ending: { points } }: TaskEnd): Promise<void> {
    const status = type === 'task-completed' ? 'completed' : 'failed';
    await this.#checkpoint.savePoints(task, { status, at: this.#clock.now(), points });
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

  /** Polls no more. Resolves when none is in flight. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  /** Under a cap a task has no price while the service has said only lately that it costs nothing. */
  #isPriced({ token }: AttemptTask): boolean {
    const now = this.#clock.steady();
    const { times, since } = this.#zeros.get(token) ?? { times: 0, since: now };
    this.#zeros.set(token, { times: times + 1, since });
    const isSettled = times + 1 >= fixed.priceSettleTicks && now - since >= fixed.priceSettleMs;
    return this.#policy.maxPoints === null || isSettled;
  }

  #isStopped(): boolean {
    return this.#isOver || this.#outlet.isStopping();
  }

  async #ask(): Promise<void> {
    const settled = new Set<AttemptTask>();
    let isAnySaved = false;
    const queue = this.#tasks.values();
    const lane = async (): Promise<void> => {
      for (const task of queue) {
        const answer = this.#isStopped() ? null : await this.#outlet.askAbout(task.taskId);
        // If one is not answered, the others would not be either.
        if (answer === null || answer.type === 'poll-unanswered' || answer.type === 'poll-refused') return;
        if (answer.type === 'task-progressed') continue;
        if (answer.type === 'task-completed' && answer.ending.points === 0 && !this.#isPriced(task)) continue;
        // A task that the service does not know or does not price is polled again in the next run.
        settled.add(task);
        if (answer.type === 'task-not-found') continue;
        await this.#save(task, answer);
        isAnySaved = true;
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    this.#tasks = this.#tasks.filter((task) => !settled.has(task));
    if (isAnySaved) await this.#outlet.saved();
  }
}
