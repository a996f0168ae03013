/**
 * Pure. Which uncertain row a task of the statement may be of: where time and text fit one row and one task alone. Of two
 * that fit nothing is proposed: a row with the wrong task has the wrong video.
 */

import type { StatementTask } from './statement-books.ts';

/** A creation whose task nobody knows. */
export interface UnknownCreation {
  /** When its task would have been made (epoch ms). */
  readonly after: number;
  readonly before: number;
  /** As it was sent; '' for pictures alone. */
  readonly text: string;
}

/** A row, and the only task that fits it. */
export interface Proposal<Row> {
  readonly row: Row;
  readonly task: StatementTask;
}

/** `others` are creations that get no task here, but may have made one of these. */
export function proposeTasks<Row extends UnknownCreation>(
  rows: readonly Row[],
  others: readonly UnknownCreation[],
  tasks: readonly StatementTask[],
): readonly Proposal<Row>[] {
  const untimed = tasks.filter(({ at }) => at === null);
  const timed = tasks.filter(isTimed).sort((one, other) => one.at - other.at);
  const longest = timed.reduce((most, { span }) => Math.max(most, span), 0);

  const fitting = (row: UnknownCreation): StatementTask[] => {
    const found = untimed.filter((task) => fitsText(row, task));
    for (const task of timed.slice(firstFrom(timed, row.after - longest))) {
      if (task.at > row.before) break;
      if (fitsTime(row, task) && fitsText(row, task)) found.push(task);
    }
    return found;
  };

  const rowsOf = new Map<StatementTask, number>();
  const fits = rows.map((row) => ({ row, found: fitting(row) }));
  for (const found of [...fits.map((fit) => fit.found), ...others.map(fitting)])
    for (const task of found) rowsOf.set(task, (rowsOf.get(task) ?? 0) + 1);
  return fits.flatMap(({ row, found: [task, rival] }) => {
    const isOnly = task !== undefined && rival === undefined && rowsOf.get(task) === 1;
    return isOnly && isTimed(task) ? [{ row, task }] : [];
  });
}

/** True where this time may be that of a task of the creation; one that is not known may be. */
export function fitsTime(
  { after, before }: Pick<UnknownCreation, 'after' | 'before'>,
  { at, span }: Pick<StatementTask, 'at' | 'span'>,
): boolean {
  return at === null || (at + span > after && at <= before);
}

type TimedTask = StatementTask & { readonly at: number };

function isTimed(task: StatementTask): task is TimedTask {
  return task.at !== null;
}

function fitsText({ text }: UnknownCreation, task: StatementTask): boolean {
  const sent = plain(text);
  const shown = plain(task.text ?? '');
  if (sent === '' || shown === '') return true;
  const [, start] = /^(.+?)\.{3}$/.exec(shown) ?? [];
  return start === undefined ? shown === sent : sent.startsWith(start);
}

/** `…` is three points here. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** The place of the first one that is not before `from`, by halving. */
function firstFrom(timed: readonly TimedTask[], from: number): number {
  let [low, high] = [0, timed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore = timed.slice(middle, middle + 1).some(({ at }) => at < from);
    [low, high] = isBefore ? [middle + 1, high] : [low, middle];
  }
  return low;
}
