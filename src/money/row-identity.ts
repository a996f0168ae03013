/**
 * Whether the ids of an edited file identify its rows reliably. An id with a new text may be the same row, edited, or
 * another row: in a column that numbers rows, ids shift with every inserted row.
 */

/** The result of comparing the file with the checkpoint. */
export interface IdFacts {
  /** Rows known under another id. */
  readonly renumbered: number;
  /** Known rows that were sent, whose id now has a text never seen before. */
  readonly keeping: number;
  /** Rows the checkpoint has never seen, and its rows that left the file. */
  readonly newRows: number;
  readonly gone: number;
  /** One of `keeping` had the same text as a row that was renumbered. */
  readonly hasRival: boolean;
  /** Some row of the file is known with exactly its text. */
  readonly isAnyTextKnown: boolean;
}

/** Facts of a file in which no known row keeps its result for another text. */
export const noIdFacts: IdFacts = {
  renumbered: 0,
  keeping: 0,
  newRows: 0,
  gone: 0,
  hasRival: false,
  isAnyTextKnown: false,
};

/** What the user specified, and how reliable the name of the id column is. */
export interface IdTrust {
  /** `--map id=COLUMN`: ids identify rows, whatever their texts. */
  readonly isSaid: boolean;
  /** The column's name may only mean a row number. */
  readonly isGuessed: boolean;
  /** Changed rows are paid for again, so none is left without its own video. */
  readonly rerunChanged: boolean;
  readonly add: boolean;
  /** The run's own `failed.csv`: its ids are those of the run. */
  readonly isMended: boolean;
}

/** Why edited rows cannot be distinguished from other rows. */
export type IdDoubt =
  /** Rows were renumbered, and others were added or removed. */
  | 'renumbered'
  /** No text is known: the ids may be those of another file. */
  | 'other-file'
  /** Rows are added whose ids are taken. */
  | 'added';

/** The doubt the user has to settle; null where there is none. */
export function doubtOf(facts: IdFacts, trust: IdTrust): IdDoubt | null {
  const { keeping, renumbered, newRows, gone, hasRival, isAnyTextKnown } = facts;
  if (keeping === 0 || trust.isSaid || trust.rerunChanged || trust.isMended) return null;
  if (trust.add) return 'added';
  if (renumbered > 0 && (newRows > 0 || gone > 0 || hasRival)) return 'renumbered';
  return trust.isGuessed && !isAnyTextKnown ? 'other-file' : null;
}

/** The id prefixes that the tool gives to rows without an id, and to those that lost theirs. */
export const madeUp = { row: 'row-', was: 'was-' } as const;

/** True for an id that the user may not have written. */
export function isMadeUp(id: string): boolean {
  return Object.values(madeUp).some((prefix) => id.startsWith(prefix));
}
