/**
 * Pure. The lines of an account's statement, by task, and what the books of a run say of the same tasks. The lines are held;
 * attempts pass by.
 */

import type { Status } from '../../money/item.ts';
import { taskKey } from '../../money/task-id.ts';
import type { DecimalMark } from './read-amount.ts';
import {
  type BilledLine,
  billingMs,
  isSamePoints,
  type PaidTask,
  StatementClues,
} from './statement-clues.ts';

/** One line of a statement. */
export interface StatementLine extends BilledLine {
  readonly taskId: string;
  /** Its time as a day; '' for none. */
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
export interface BookedAttempt extends PaidTask {
  /** As messages name it. */
  readonly run: string;
  readonly row: number;
  readonly id: string;
  readonly attempt: number;
  readonly taskId: string;
  readonly status: Status;
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
  'spoiled',
  'ours-only',
  'theirs-only',
] as const;
export type Verdict = (typeof verdicts)[number];

/** Verdicts that somebody has to look into. */
export const differences = verdicts.slice(verdicts.indexOf('price'));

/** One task, compared. */
export interface Compared {
  readonly verdict: Verdict;
  /** Null for a task of the statement alone. */
  readonly ours: BookedAttempt | null;
  /** Null for a task that the statement does not have. */
  readonly theirs: StatementTask | null;
}

/** What a spreadsheet shows of an id that it took for a number, and what it saves of one: the digits after the 15th are lost. */
const spoiledId = /^\d([.,]\d+)?e\+\d+$|^[1-9]\d{14}0{2,}$/i;

/** The first line of a task, and the others: nearly all have one. Its sign is known when all lines are. */
interface HeldTask {
  readonly first: StatementLine;
  more: StatementLine[] | null;
  isSeen: boolean;
}

export class StatementBooks {
  readonly clues: StatementClues;
  readonly #tasks = new Map<string, HeldTask>();
  /** Lines with a task. */
  lines = 0;
  /** Epoch ms of the first and the last line; null where no line has a time. */
  first: number | null = null;
  last: number | null = null;

  /** `decimals` is the mark that the user names; null for none. */
  constructor(decimals: DecimalMark | null = null) {
    this.clues = new StatementClues(decimals);
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
    const { taskId, at } = line;
    this.lines += 1;
    if (at !== null) {
      this.first = Math.min(this.first ?? at, at);
      this.last = Math.max(this.last ?? at, at);
    }
    this.clues.add(line);
    const key = taskKey(taskId);
    const task = this.#tasks.get(key);
    if (task === undefined) this.#tasks.set(key, { first: line, more: null, isSeen: false });
    else if (task.more === null) task.more = [line];
    else task.more.push(line);
  }

  /** Once all lines are added, and before any attempt is compared. */
  learn(ours: BookedAttempt): void {
    const task = this.#tasks.get(taskKey(ours.taskId));
    if (task !== undefined) this.clues.learn(ours, linesOf(task));
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
      if (!task.isSeen && !spoiledId.test(task.first.taskId))
        yield { verdict: 'theirs-only', ours: null, theirs: this.#closed(task) };
      else if (!task.isSeen)
        // One spoiled id may stand for many tasks.
        for (const first of linesOf(task))
          yield { verdict: 'spoiled', ours: null, theirs: this.#closed({ ...task, first, more: null }) };
  }

  #withoutLine({ status, points, endedAt }: BookedAttempt): Verdict {
    if (points !== null && points > 0) {
      // By times of another zone, what is missing would look late.
      const isSure = this.clues.zone === 'sure';
      const isLate = isSure && this.last !== null && endedAt !== null && endedAt > this.last - billingMs;
      return isLate ? 'not-yet' : 'ours-only';
    }
    return status === 'open' || status === 'submitting' ? 'not-yet' : 'nothing';
  }

  #closed(task: HeldTask): StatementTask {
    const { line, taskId, at, span, day, text } = task.first;
    let points: number | null = 0;
    let charges = 0;
    for (const each of linesOf(task)) {
      const charged = this.clues.chargeOf(each);
      points = charged === null || points === null ? null : points + charged;
      charges += Math.sign(charged ?? 0);
    }
    return { line, taskId, at, span, day, text, points, charges };
  }
}

function linesOf({ first, more }: HeldTask): readonly [StatementLine, ...StatementLine[]] {
  return more === null ? [first] : [first, ...more];
}

function verdictOf({ points: ours }: BookedAttempt, { points: theirs, charges }: StatementTask): Verdict {
  if (theirs === null) return 'unreadable';
  if (ours !== null && isSamePoints(ours, theirs)) return 'matched';
  if (charges > 1) return 'twice';
  return ours === null ? 'learned' : 'price';
}
