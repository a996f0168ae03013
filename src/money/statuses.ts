/**
 * What each status says about money, and about what is left to do. Every list of statuses, in the code and in both databases,
 * is made from this table: two lists of one meaning would pay, or count, differently.
 */

import { sqlWords } from '../text/sql-words.ts';
import { type Status, statuses } from './item.ts';

export type Mark =
  /** Its task may be charged, whatever is known of it. A lost task may still have been made and charged. */
  | 'reserving'
  /** Its video was made; where its points are missing or 0 they may come late. */
  | 'priced-late'
  /** Without points nothing was charged. */
  | 'free'
  /** It made no task. */
  | 'taskless'
  /** The service made its task. */
  | 'made'
  /** Its text is still to be sent: it is that of the file. */
  | 'waiting'
  /** Work on it continues. */
  | 'under-way'
  /** It may change by itself, without a new attempt. */
  | 'followed'
  /** Its attempt has come to nothing yet: a retry that ordered it is not carried out. */
  | 'unsettled'
  /** It ended badly: `failed.csv` has it. */
  | 'bad'
  /** A retry takes all rows in it. */
  | 'retried';

const marks = {
  pending: ['free', 'taskless', 'waiting', 'unsettled'],
  submitting: ['reserving', 'under-way', 'followed', 'unsettled'],
  open: ['reserving', 'made', 'under-way', 'followed'],
  downloading: ['priced-late', 'made', 'under-way', 'followed'],
  completed: ['priced-late', 'made'],
  failed: ['free', 'made', 'bad', 'retried'],
  rejected: ['free', 'taskless', 'bad', 'retried'],
  uncertain: ['reserving', 'unsettled', 'bad'],
  undelivered: ['made', 'followed', 'bad'],
  lost: ['reserving', 'made', 'followed', 'bad', 'retried'],
  invalid: ['free', 'taskless', 'waiting', 'bad'],
} as const satisfies Readonly<Record<Status, readonly Mark[]>>;

/** The statuses with this mark. */
export type StatusWith<M extends Mark> = {
  [S in Status]: M extends (typeof marks)[S][number] ? S : never;
}[Status];

/** In the order of an item's life. */
export function statusesWith<M extends Mark>(mark: M): readonly StatusWith<M>[] {
  return statuses.filter((status): status is StatusWith<M> => hasMark(status, mark));
}

export function hasMark(status: Status, mark: Mark): boolean {
  return (marks[status] as readonly Mark[]).includes(mark);
}

/** The list for SQL, in parentheses. */
export function sqlList(mark: Mark): string {
  return `(${sqlWords(statusesWith(mark))})`;
}
