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
  /** Epoch ms; null where none is known. */
  readonly at: number | null;
  /** How long (ms) that may last: times often have no seconds. */
  readonly span: number;
  /** The same as a day; '' for none. */
  readonly day: string;
  /** Null where there is none, or nobody asks for it. */
  readonly text: string | null;
}

/** All lines of one task. */
export interface StatementTask
  extends Pick<StatementLine, 'line' | 'taskId' | 'at' | 'span' | 'day' | 'text'> {
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

/** The first line of a task, and the others: nearly all have one. Its sign is known when all lines are. */
interface HeldTask {
  readonly first: StatementLine;
  more: readonly StatementLine[] | null;
  isSeen: boolean;
}

export class StatementBooks {
  readonly #tasks = new Map<string, HeldTask>();
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
    const { taskId, amount, isRefund, at } = line;
    this.lines += 1;
    if (at !== null) {
      this.first = Math.min(this.first ?? at, at);
      this.last = Math.max(this.last ?? at, at);
    }
    if (!isRefund && (amount ?? 0) > 0) this.#aboveCount += 1;
    if (!isRefund && (amount ?? 0) < 0) this.#belowCount += 1;
    const key = taskKey(taskId);
    const task = this.#tasks.get(key);
    if (task === undefined) this.#tasks.set(key, { first: line, more: null, isSeen: false });
    else task.more = [...(task.more ?? []), line];
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

  #closed({ first, more }: HeldTask): StatementTask {
    const { line, taskId, at, span, day, text } = first;
    let points: number | null = 0;
    let charges = 0;
    for (const each of more === null ? [first] : [first, ...more]) {
      const charged = this.#chargeOf(each);
      points = charged === null || points === null ? null : points + charged;
      charges += Math.sign(charged ?? 0);
    }
    return { line, taskId, at, span, day, text, points, charges };
  }

  /** Null where it cannot be read; below zero for what comes back. */
  #chargeOf({ amount, isRefund }: StatementLine): number | null {
    if (amount === null) return null;
    if (isRefund) return -Math.abs(amount);
    return this.isNegative ? -amount : amount;
  }
}

function verdictOf({ points: ours }: BookedAttempt, { points: theirs, charges }: StatementTask): Verdict {
  if (theirs === null) return 'unreadable';
  if (ours !== null && isSamePoints(ours, theirs)) return 'matched';
  if (charges > 1) return 'twice';
  return ours === null ? 'learned' : 'price';
}
