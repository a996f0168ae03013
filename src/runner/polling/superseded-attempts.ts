/**
 * Superseded attempts with a known task but unknown points: lost and retried, or answered after their row had moved on.
 * The service is polled about them for free, so that the report shows what they cost.
 */

import type { PollEnd } from '../../money/answers/status-answer.ts';
import { judgeWatch, openWatch, type PriceWatch, pointsAfter, watchTick } from '../../money/late-price.ts';
import type { Policy } from '../../money/policy.ts';
import type { AttemptTask, Clock } from '../../ports.ts';
import type { Checkpoint, UnpricedAttempt } from '../../stores/port/checkpoint.ts';
import { saveLateTasks } from '../late-tasks.ts';

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
  saved(): void;
  ended(): void;
  failed(error: unknown): void;
}

export class SupersededAttempts {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #policy: Pick<Policy, 'maxPoints'>;
  readonly #outlet: SupersededAttemptOutlet;
  /** What the service has said of the points of completed tasks, and since when (steady ms), by token. */
  readonly #watches = new Map<string, { readonly watch: PriceWatch; readonly since: number }>();
  #tasks: readonly UnpricedAttempt[] = [];
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
    const saved = await saveLateTasks(this.#checkpoint, [task], this.#clock.now());
    if (saved.length > 0) this.#tasks = [...this.#tasks, { ...task, endedAt: null }];
    return saved.length > 0;
  }

  /**
   * The task of an attempt that its row has left has ended. Its row does not wait for what it cost: under a points cap, where
   * one answer is no price, it is asked about like the others.
   */
  async price(task: AttemptTask, end: TaskEnd): Promise<void> {
    const isPrice = end.type === 'task-failed' || this.#policy.maxPoints === null;
    await this.#save(task, end, isPrice ? end.ending.points : null);
    if (!isPrice) this.isLoaded = false;
    this.#outlet.saved();
  }

  async #save(task: AttemptTask, { type }: TaskEnd, points: number | null): Promise<void> {
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

  /** What a task cost that was just said to be completed for `said` points; null where that stays unknown. */
  #priceOf({ token, endedAt }: UnpricedAttempt, said: number | null): number | null | 'not yet' {
    const now = this.#clock.steady();
    const { watch, since } = this.#watches.get(token) ?? { watch: openWatch(true), since: now };
    const next = watchTick(watch, said);
    this.#watches.set(token, { watch: next, since });
    const isFirst = endedAt === null && watch.answers === 0;
    const points = pointsAfter({ points: null, endedAt: isFirst ? null : now }, said, this.#policy);
    if (said === null || points !== null) return points;
    const judged = judgeWatch(next, now - since, this.#policy);
    return judged === 'goes on' ? 'not yet' : judged === 'over' ? null : judged.price;
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
        const said = 'ending' in answer ? answer.ending.points : null;
        const points = answer.type === 'task-completed' ? this.#priceOf(task, said) : said;
        if (points === 'not yet') {
          // Whoever asks next must know that this was not the first word.
          if (task.endedAt === null && answer.type === 'task-completed') await this.#save(task, answer, null);
          continue;
        }
        // A task that the service does not know or does not price is polled again in the next run.
        settled.add(task);
        if (answer.type === 'task-not-found') continue;
        await this.#save(task, answer, points);
        isAnySaved = true;
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    this.#tasks = this.#tasks.filter((task) => !settled.has(task));
    if (isAnySaved) this.#outlet.saved();
  }
}
