/**
 * Pure. The lines of an account's statement, by task, and what the books of a run say of the same tasks. The lines are held;
 * attempts pass by.
 */

import type { Status } from '../../money/item.ts';
import { taskKey } from '../../money/task-id.ts';

/** One line of a statement. */
export interface StatementLine {
  /** Where it stands in the file, from 1. */
  readonly line: number;
  readonly taskId: string;
  /** As it is written, with its sign; null where it cannot be read. */
  readonly amount: number | null;
  /** Its amount goes back to the account, whatever its sign. */
  readonly isRefund: boolean;
  /** Epoch ms, and how long (ms) that may last: times often have no seconds. Null where none is known. */
  readonly time: { readonly at: number; readonly span: number } | null;
  /** The same as a day; '' for none. */
  readonly day: string;
  /** Null where there is none, or nobody asks for it. */
  readonly text: string | null;
}

/** All lines of one task. */
export interface StatementTask extends Pick<StatementLine, 'line' | 'taskId' | 'time' | 'day' | 'text'> {
  /** What the lines charge, without what they give back. */
  readonly points: number | null;
  /** Lines that charge, less those that give back. */
  readonly charges: number;
}

/** What the books of a run say of an attempt that has a task. */
export interface BookedAttempt {
  /** As messages name it. */
  readonly run: string;
  readonly row: number;
  readonly id: string;
  readonly attempt: number;
  readonly taskId: string;
  readonly status: Status;
  readonly points: number | null;
  /** Epoch ms. */
  readonly endedAt: number | null;
  /** The day of its end, else of its creation; '' for none. */
  readonly day: string;
  /** Its value in the column of `--by`; null without it. */
  readonly by: string | null;
}

/** What a comparison says of a task, in the order of reports. */
export const verdicts = [
  'matched',
  'nothing',
  'learned',
  'not-yet',
  'price',
  'twice',
  'unreadable',
  'ours-only',
  'theirs-only',
] as const;
export type Verdict = (typeof verdicts)[number];

/** Verdicts that somebody has to look into. */
export const differences: readonly Verdict[] = ['price', 'twice', 'unreadable', 'ours-only', 'theirs-only'];

/** One task, compared. */
export interface Compared {
  readonly verdict: Verdict;
  /** Null for a task of the statement alone. */
  readonly ours: BookedAttempt | null;
  /** Null for a task that the statement does not have. */
  readonly theirs: StatementTask | null;
}

/** How long after the end of a task its points may be missing in a statement. */
export const billingMs = 600_000;

/** Sums of decimals differ in their last digits. */
const tolerance = 1e-6;

export function isSamePoints(one: number, other: number): boolean {
  return Math.abs(one - other) < tolerance;
}

/** The lines of a task until their sign is known. */
interface OpenTask extends Pick<StatementLine, 'line' | 'taskId' | 'time' | 'day' | 'text'> {
  /** Sums and counts of amounts above and below zero, and of refunds. */
  above: number;
  below: number;
  returned: number;
  aboveCount: number;
  belowCount: number;
  returnedCount: number;
  isUnread: boolean;
  isSeen: boolean;
}

export class StatementBooks {
  readonly #tasks = new Map<string, OpenTask>();
  #aboveCount = 0;
  #belowCount = 0;
  /** Lines with a task. */
  lines = 0;
  /** Epoch ms of the first and the last line; null where no line has a time. */
  first: number | null = null;
  last: number | null = null;

  /** Charges are written as negative numbers: those that are more, for each refund follows a charge. */
  get isNegative(): boolean {
    return this.#belowCount > this.#aboveCount;
  }

  get taskCount(): number {
    return this.#tasks.size;
  }

  /** Of all tasks, as far as they can be read. */
  get points(): number {
    let sum = 0;
    for (const task of this.#tasks.values()) sum += this.#closed(task).points ?? 0;
    return sum;
  }

  add(line: StatementLine): void {
    const { taskId, amount, isRefund, time } = line;
    this.lines += 1;
    if (time !== null) {
      this.first = Math.min(this.first ?? time.at, time.at);
      this.last = Math.max(this.last ?? time.at, time.at);
    }
    const key = taskKey(taskId);
    const task = this.#tasks.get(key) ?? openTask(line);
    this.#tasks.set(key, task);
    if (amount === null) task.isUnread = true;
    else if (isRefund) {
      task.returned += Math.abs(amount);
      task.returnedCount += 1;
    } else if (amount > 0) {
      task.above += amount;
      task.aboveCount += 1;
      this.#aboveCount += 1;
    } else if (amount < 0) {
      task.below -= amount;
      task.belowCount += 1;
      this.#belowCount += 1;
    }
  }

  /** Once all lines are added. */
  compare(ours: BookedAttempt): Compared {
    const task = this.#tasks.get(taskKey(ours.taskId));
    if (task === undefined) return { verdict: this.#withoutLine(ours), ours, theirs: null };
    task.isSeen = true;
    const theirs = this.#closed(task);
    return { verdict: verdictOf(ours, theirs), ours, theirs };
  }

  /** Tasks of no attempt that was compared. */
  *left(): Generator<Compared & { readonly theirs: StatementTask }> {
    for (const task of this.#tasks.values())
      if (!task.isSeen) yield { verdict: 'theirs-only', ours: null, theirs: this.#closed(task) };
  }

  #withoutLine({ status, points, endedAt }: BookedAttempt): Verdict {
    if (points !== null && points > 0) {
      const isLate = this.last !== null && endedAt !== null && endedAt > this.last - billingMs;
      return isLate ? 'not-yet' : 'ours-only';
    }
    return status === 'open' || status === 'submitting' ? 'not-yet' : 'nothing';
  }

  #closed(task: OpenTask): StatementTask {
    const { line, taskId, time, day, text, above, below, returned } = task;
    const [charged, back] = this.isNegative ? [below, above] : [above, below];
    const [charges, backs] = this.isNegative
      ? [task.belowCount, task.aboveCount]
      : [task.aboveCount, task.belowCount];
    return {
      line,
      taskId,
      time,
      day,
      text,
      points: task.isUnread ? null : charged - back - returned,
      charges: charges - backs - task.returnedCount,
    };
  }
}

function openTask({ line, taskId, time, day, text }: StatementLine): OpenTask {
  return {
    line,
    taskId,
    time,
    day,
    text,
    above: 0,
    below: 0,
    returned: 0,
    aboveCount: 0,
    belowCount: 0,
    returnedCount: 0,
    isUnread: false,
    isSeen: false,
  };
}

function verdictOf({ points: ours }: BookedAttempt, { points: theirs, charges }: StatementTask): Verdict {
  if (theirs === null) return 'unreadable';
  if (ours !== null && isSamePoints(ours, theirs)) return 'matched';
  if (charges > 1) return 'twice';
  return ours === null ? 'learned' : 'price';
}
