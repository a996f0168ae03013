/** Compares a file with the checkpoint: which rows are new, known, changed and gone. */

import type { QualityCounts } from './forecast/estimate.ts';
import type { Status } from './item.ts';
import type { EndedFinal } from './review/final.ts';

/** The plan of a run, before anything is written or sent. */
export interface Plan {
  /** Data rows in the file. */
  readonly rows: number;
  /** Rows the checkpoint has never seen. */
  readonly newRows: number;
  /** Known rows, by their current status. */
  readonly known: Readonly<Record<Status, number>>;
  /** Known rows with a new text that were never sent: they take the new text. */
  readonly changedUnsent: number;
  /** Known rows with a new text that were sent: they keep their result. */
  readonly changedSent: number;
  /** Ids of the first rows of `changedSent`. */
  readonly changedSentIds: readonly string[];
  /** Of those, the rows that `--rerun-changed` would pay for again: their task has ended. */
  readonly rerunnable: number;
  /** Ids of the first rerunnable rows, and of the first other rows of `changedSent`. */
  readonly rerunnableIds: readonly string[];
  readonly keepingIds: readonly string[];
  /** Rows whose order for a final falls away: they keep what they have. */
  readonly endedFinals: readonly EndedFinal[];
  /** Known rows with a new id: they keep what they have. */
  readonly renumbered: number;
  /** The first of those. */
  readonly renumberedIds: readonly Renumbered[];
  /** Rows of the checkpoint that are no longer in the file. */
  readonly gone: number;
  /** Ids of the first of those, where they are missing from a table of failed rows; else none. */
  readonly goneIds: readonly string[];
  /** Rows of the file that cannot be sent in their current form, including rows sent earlier. */
  readonly invalid: number;
  /** Of those, the rows never sent: they end as `invalid`. */
  readonly unsendable: number;
  /** Rows without an id whose text occurs in the file more than once, and that can be sent. */
  readonly twins: number;
  /** Rows whose local pictures match a known row by name but have other bytes: they count as changed, or new. */
  readonly repictured: number;
  /**
   * New rows with the question of a row that was sent and is no longer in the file: another answer, image or quality
   * makes them new, perhaps only because another program saved the file.
   */
  readonly askedBefore: number;
  /** Rows that will be pending after the import. */
  readonly toSubmit: number;
  /** The composition of `toSubmit`. */
  readonly shares: SubmitShares;
  /** Known rows that are not submitted, by the status they keep. */
  readonly kept: Readonly<Record<Status, number>>;
  /** The rows of `toSubmit` selected by `--only`, by quality. */
  readonly now: QualityCounts;
  /** The checkpoint has rows and none of them is in the file. */
  readonly isForeign: boolean;
}

/**
 * True where the file still stands to the rows of the run as the plan said, although the run has changed since: rows may
 * have been submitted or have ended. Beside added rows others may have come: what both bring is in the run once.
 * `isOutcomeAsShown` says the same of what is done with each row.
 */
export function isAsShown(shown: Plan, now: Plan, { add }: { readonly add: boolean }): boolean {
  const relations = ({ gone, changedUnsent, changedSent, renumbered, unsendable }: Plan) => [
    gone,
    changedUnsent + changedSent,
    renumbered,
    unsendable,
  ];
  const counts = relations(now);
  const areNew = add ? now.newRows <= shown.newRows : now.newRows === shown.newRows;
  return areNew && relations(shown).every((count, at) => count === counts[at]);
}

/** What an import does with a row of the file. */
export type RowOutcome =
  /** The run does not know it. */
  | 'new'
  /** It was not sent yet, and waits. */
  | 'waiting'
  /** It was sent, and is sent once more, with another text. */
  | 'again'
  | 'kept';

/** No row is sent, or sent again, that the plan kept. One that was to be sent may have been sent or refused since. */
export function isOutcomeAsShown(shown: RowOutcome, now: RowOutcome): boolean {
  if (now === 'new') return shown === 'new';
  return now !== 'again' || shown !== 'kept';
}

/** A known row and its new id in the file. */
export interface Renumbered {
  readonly was: string;
  readonly id: string;
}

/** The rows to submit, by origin. */
interface SubmitShares {
  readonly newRows: number;
  /** Known, unchanged, and not sent yet. */
  readonly waiting: number;
  /** Changed rows that were not sent or were refused, and mended rows. */
  readonly changed: number;
  /** Sent before, and ordered again by `--rerun-changed`. */
  readonly rerun: number;
}

/** What happens to a known row with a new text. */
export type ChangeOutcome =
  /** It never had a task: it takes the new text. A final that waits has one: what the store says of its row is `rerunnable`. */
  | 'takes-text'
  /** It was paid for and has ended: it keeps its result unless the user orders a new attempt. */
  | 'rerunnable'
  /** The service may still be making it: it keeps its result. */
  | 'keeps-result';

const outcomes: Readonly<Record<Status, ChangeOutcome>> = {
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

/** Statuses of changed rows with this outcome. */
export function statusesOfOutcome(outcome: ChangeOutcome): readonly Status[] {
  return (Object.keys(outcomes) as Status[]).filter((status) => outcomes[status] === outcome);
}

/** False where no new row can have the question of a row that leaves, so that nobody needs to compare them. */
export function mayBeAskedBefore({ gone, newRows, rows }: Pick<Plan, 'gone' | 'newRows' | 'rows'>): boolean {
  return gone > 0 && newRows > 0 && newRows < rows;
}
