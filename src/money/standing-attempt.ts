/**
 * Which attempt stands for a row: the one whose video is shown. Everything that is shown next to the video (question, title,
 * quality, task, times, failure) is of that attempt; status and points are of the row.
 */

import { standingVideo } from './artifacts.ts';
import type { Item } from './item.ts';
import { reusedFrom } from './reused.ts';
import type { Correction } from './review.ts';
import type { SavedRow } from './sent-question.ts';
import { hasMark } from './statuses.ts';

/** What is saved of one creation request. */
export interface AttemptFacts
  extends Pick<
    Item,
    'attempt' | 'quality' | 'submittedAt' | 'endedAt' | 'status' | 'taskId' | 'points' | 'failure'
  > {
  /** Null while it is the item's latest attempt, which knows them. */
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly finishAt: string | null;
}

/**
 * False for a creation that surely made no task and after which its row waited again: it was sent again, and people count it as no
 * attempt. Its number stays.
 */
export function isCounted({ status, taskId }: Pick<AttemptFacts, 'status' | 'taskId'>): boolean {
  return taskId !== null || (status !== 'pending' && status !== 'invalid');
}

/** The row as it was sent with `attempt` and some before it. */
export interface EarlierInput extends Pick<SavedRow, 'input' | 'source'> {
  readonly attempt: number;
}

/** The correction that was sent from `since` to `attempt`. */
export interface EarlierCorrection extends Correction {
  readonly attempt: number;
}

/** A row with all its attempts. */
interface RowOfAttempts extends SavedRow {
  readonly item: Item;
  readonly attempts: readonly AttemptFacts[];
  /** The attempt whose video stands for the row; null for the latest that has one. */
  readonly preferred: number | null;
  /** By attempt. */
  readonly earlierInputs: readonly EarlierInput[];
  readonly earlierCorrections: readonly EarlierCorrection[];
}

/** The attempt whose video is shown; null where none is known to have made it. */
export function standingAttempt({
  item,
  preferred,
}: Pick<RowOfAttempts, 'item' | 'preferred'>): number | null {
  return standingVideo(item, preferred)?.attempt ?? null;
}

/**
 * The row with the facts and texts of the attempt that stands for it. Without a video that is the latest, or, while the row
 * waits, the next one.
 */
export function asStanding<T extends RowOfAttempts>(row: T): T {
  const { item } = row;
  const standing = standingAttempt(row) ?? (hasMark(item.status, 'waiting') ? null : item.attempt);
  if (standing === null) return row;
  // What was taken from another row is of no attempt, whatever was sent before.
  if (standing === item.attempt && reusedFrom(item) !== null) return row;
  const isLatest = standing === item.attempt && item.token !== null;
  // So it is with nearly all rows.
  if (isLatest && row.earlierInputs.length === 0 && row.earlierCorrections.length === 0) return row;
  const facts = isLatest ? item : row.attempts.find(({ attempt }) => attempt === standing);
  if (facts === undefined) return row;
  const { quality, submittedAt, endedAt, taskId, failure, title, createdAt, finishAt } = facts;
  const sent = row.earlierInputs.find(({ attempt }) => attempt >= standing);
  return {
    ...row,
    item: Object.assign({}, item, {
      attempt: standing,
      quality,
      submittedAt,
      endedAt,
      taskId,
      failure,
      title,
      createdAt,
      finishAt,
    }),
    input: sent?.input ?? row.input,
    source: sent?.source ?? row.source,
    correction: correctionOf(row, standing),
  };
}

function correctionOf(
  { correction, earlierCorrections }: Pick<RowOfAttempts, 'correction' | 'earlierCorrections'>,
  standing: number,
): Correction | null {
  const earlier = earlierCorrections.find(({ since, attempt }) => since <= standing && standing <= attempt);
  if (earlier !== undefined) return earlier;
  return correction !== null && correction.since <= standing ? correction : null;
}
