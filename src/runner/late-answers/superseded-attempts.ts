/**
 * Superseded attempts with a known task but unknown points: lost and retried, or answered after their row had moved on.
 * The service is polled about them for free, so that the report shows what they cost.
 */

import type { PollEnd } from '../../money/answers/status-answer.ts';
import { judgeWatch, openWatch, type PriceWatch, pointsAfter, watchTick } from '../../money/late-price.ts';
import type { AttemptTask } from '../../ports.ts';
import type { UnpricedAttempt } from '../../stores/port/checkpoint.ts';
import type { RunContext } from '../context.ts';
import type { Effects } from '../effects.ts';
import { saveLateTasks } from './late-tasks.ts';

/** Attempts polled in one run; the rest wait for a later run. */
const mostAttempts = 1_000;

/** Polls at once: few, because rows under way come first. */
const lanes = 4;

type TaskEnd = Extract<PollEnd, { type: 'task-completed' | 'task-failed' }>;

/** What an answer says of the price of a task. */
type PriceVerdict =
  /** It is settled; `points` is null where it stays unknown. */
  | { readonly verdict: 'settled'; readonly points: number | null }
  /** What was said may still change: ask again. */
  | { readonly verdict: 'not-yet' };

export class SupersededAttempts {
  readonly #run: RunContext;
  readonly #effects: Effects;
  /** What the service has said of the points of completed tasks, and since when (steady ms), by token. */
  readonly #watches = new Map<string, { readonly watch: PriceWatch; readonly since: number }>();
  #tasks: readonly UnpricedAttempt[] = [];
  #isLoaded = false;
  #asking: Promise<void> | null = null;
  #isOver = false;

  constructor(run: RunContext, effects: Effects) {
    this.#run = run;
    this.#effects = effects;
  }

  /** True while polls are in flight. */
  get isAsking(): boolean {
    return this.#asking !== null;
  }

  /** Saves a task for a superseded attempt. False when the task belongs to another attempt. */
  async save(task: AttemptTask): Promise<boolean> {
    const { checkpoint, clock } = this.#run.ports;
    const saved = await saveLateTasks(checkpoint, [task], clock.now());
    if (saved.length > 0) this.#tasks = [...this.#tasks, { ...task, endedAt: null }];
    return saved.length > 0;
  }

  /**
   * The task of an attempt that its row has left has ended. Its row does not wait for what it cost: under a points cap, where
   * one answer is no price, it is asked about like the others.
   */
  async price(task: AttemptTask, end: TaskEnd): Promise<void> {
    const isPrice = end.type === 'task-failed' || this.#run.options.policy.maxPoints === null;
    await this.#save(task, end, isPrice ? end.ending.points : null);
    if (!isPrice) this.#isLoaded = false;
    this.#run.countSoon();
  }

  async #save(task: AttemptTask, { type }: TaskEnd, points: number | null): Promise<void> {
    const status = type === 'task-completed' ? 'completed' : 'failed';
    await this.#run.ports.checkpoint.savePoints(task, { status, at: this.#run.ports.clock.now(), points });
  }

  /** Polls each once, unless that is already under way; those that earlier runs left, too. */
  async askAll(): Promise<void> {
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      this.#tasks = await this.#run.ports.checkpoint.unpricedAttempts(mostAttempts);
    }
    if (this.#tasks.length === 0 || this.#asking !== null) return;
    this.#asking = this.#ask()
      .catch((error: unknown) => this.#run.fail(error))
      .finally(() => {
        this.#asking = null;
        this.#run.wake();
      });
  }

  /** Polls no more. Resolves when none is in flight. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  /** What a task cost that was just said to be completed for `said` points. */
  #priceOf({ token, endedAt }: UnpricedAttempt, said: number | null): PriceVerdict {
    const now = this.#run.ports.clock.steady();
    const { watch, since } = this.#watches.get(token) ?? { watch: openWatch(true), since: now };
    const next = watchTick(watch, said);
    this.#watches.set(token, { watch: next, since });
    const isFirst = endedAt === null && watch.answers === 0;
    const points = pointsAfter(
      { points: null, endedAt: isFirst ? null : now },
      said,
      this.#run.options.policy,
    );
    if (said === null || points !== null) return { verdict: 'settled', points };
    const judged = judgeWatch(next, now - since, this.#run.options.policy);
    if (judged === 'goes on') return { verdict: 'not-yet' };
    return { verdict: 'settled', points: judged === 'over' ? null : judged.price };
  }

  #isStopped(): boolean {
    return this.#isOver || this.#run.isStopping();
  }

  async #ask(): Promise<void> {
    const settled = new Set<AttemptTask>();
    let isAnySaved = false;
    const queue = this.#tasks.values();
    const lane = async (): Promise<void> => {
      for (const task of queue) {
        const answer = this.#isStopped() ? null : await this.#effects.askAbout(task.taskId);
        // If one is not answered, the others would not be either.
        if (answer === null || answer.type === 'poll-unanswered' || answer.type === 'poll-refused') return;
        if (answer.type === 'task-progressed') continue;
        const said = 'ending' in answer ? answer.ending.points : null;
        const price: PriceVerdict =
          answer.type === 'task-completed' ? this.#priceOf(task, said) : { verdict: 'settled', points: said };
        if (price.verdict === 'not-yet') {
          // The next process that asks must know that this was not the first answer.
          if (task.endedAt === null && answer.type === 'task-completed') await this.#save(task, answer, null);
          continue;
        }
        // A task that the service does not know or does not price is polled again in the next run.
        settled.add(task);
        if (answer.type === 'task-not-found') continue;
        await this.#save(task, answer, price.points);
        isAnySaved = true;
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    this.#tasks = this.#tasks.filter((task) => !settled.has(task));
    if (isAnySaved) this.#run.countSoon();
  }
}
