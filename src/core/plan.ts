/** What a file means for a checkpoint: which rows are new, known, changed and gone. */

import type { QualityCounts } from './estimate.ts';
import type { Status } from './item.ts';

/** The plan of a run, before anything is written or sent. */
export interface Plan {
  /** Data rows in the file. */
  readonly rows: number;
  /** Rows that the checkpoint has never seen. */
  readonly newRows: number;
  /** Rows it knows, by the status they have now. */
  readonly known: Readonly<Record<Status, number>>;
  /** Known rows whose text is another one now and that had not been sent: they take the new text. */
  readonly changedUnsent: number;
  /** Known rows whose text is another one now and that had been sent: they keep their result. */
  readonly changedSent: number;
  /** Ids of the first rows of `changedSent`. */
  readonly changedSentIds: readonly string[];
  /** Of those, the ones that `--rerun-changed` would pay again: their task has ended. */
  readonly rerunnable: number;
  /** Ids of the first of those, and of the first others of `changedSent`. */
  readonly rerunnableIds: readonly string[];
  readonly keepingIds: readonly string[];
  /** Known rows that have another id of their own now: they keep what they have. */
  readonly renumbered: number;
  /** The first of those. */
  readonly renumberedIds: readonly Renumbered[];
  /** Rows of the checkpoint that are not in the file any more. */
  readonly gone: number;
  /** Rows of the file that cannot be sent as they stand there, those that were sent before included. */
  readonly invalid: number;
  /** Of those, the ones that nothing was sent of: they end as `invalid`. */
  readonly unsendable: number;
  /** Rows without an id whose text stands in the file more than once. */
  readonly twins: number;
  /** Rows that name the local pictures of a known row, which have other bytes now: they are changed, or new. */
  readonly repictured: number;
  /** Rows that will be pending once the file is taken up. */
  readonly toSubmit: number;
  /** What those rows are. */
  readonly shares: SubmitShares;
  /** Known rows that nothing is submitted of, by the status they have and keep. */
  readonly kept: Readonly<Record<Status, number>>;
  /** The rows of `toSubmit` that `--only` lets pass, by the quality of their own. */
  readonly now: QualityCounts;
  /** The checkpoint has rows and none of them is in the file. */
  readonly isForeign: boolean;
}

/** A known row under the id that the file gives it now. */
export interface Renumbered {
  readonly was: string;
  readonly id: string;
}

/** The rows to be submitted, by how they come to it. */
interface SubmitShares {
  readonly newRows: number;
  /** Known, unchanged, and not sent yet. */
  readonly waiting: number;
  /** Not sent yet, or refused, and of another text now; or mended. */
  readonly changed: number;
  /** Sent before, and ordered again by `--rerun-changed`. */
  readonly rerun: number;
}

/** What becomes of a known row whose text is another one now. */
export type ChangeFate =
  /** No task was ever made of it: it takes the new text. */
  | 'takes-text'
  /** It was paid and has ended: it keeps its result unless the user orders a new attempt. */
  | 'rerunnable'
  /** It may still be made at the service: it keeps its result. */
  | 'keeps-result';

const fates: Readonly<Record<Status, ChangeFate>> = {
  pending: 'takes-text',
  invalid: 'takes-text',
  rejected: 'takes-text',
  completed: 'rerunnable',
  failed: 'rerunnable',
  undelivered: 'rerunnable',
  lost: 'rerunnable',
  submitting: 'keeps-result',
  open: 'keeps-result',
  downloading: 'keeps-result',
  uncertain: 'keeps-result',
};

/** Statuses of a changed row with this fate. */
export function statusesOfFate(fate: ChangeFate): readonly Status[] {
  return (Object.keys(fates) as Status[]).filter((status) => fates[status] === fate);
}
