/**
 * Whether the ids of an edited file say for sure which rows are which. An id that came to another text may name the same row,
 * edited, or another one: a column that counts rows changes with every row that is inserted above.
 */

/** What was found when the file was held against the checkpoint. */
export interface IdFacts {
  /** Rows that are known under another id. */
  readonly renumbered: number;
  /** Known rows that were sent, whose id stands in the file with a text that was never seen there. */
  readonly keeping: number;
  /** Rows that the checkpoint has never seen, and rows of it that leave the file. */
  readonly newRows: number;
  readonly gone: number;
  /** One of `keeping` had the same text as a row that was renumbered. */
  readonly hasRival: boolean;
  /** Some row of the file is known with just its text. */
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

/** What the user said, and how much the name of the id column says. */
export interface IdTrust {
  /** `--map id=COLUMN`: the ids name rows, whatever becomes of their texts. */
  readonly isSaid: boolean;
  /** The column is called as one that only counts rows may be. */
  readonly isGuessed: boolean;
  /** Changed rows are paid for again: none is left without a video of its own. */
  readonly rerunChanged: boolean;
  readonly add: boolean;
  /** The run's own `failed.csv`: its ids are those of the run. */
  readonly isMended: boolean;
}

/** Why it cannot be told whether rows were edited or are others. */
export type IdDoubt =
  /** Rows were renumbered, and others came or went. */
  | 'renumbered'
  /** No text is known: the ids may be those of another file. */
  | 'other-file'
  /** Rows are added whose ids are taken. */
  | 'added';

/** The doubt that the user has to settle; null where there is none. */
export function doubtOf(facts: IdFacts, trust: IdTrust): IdDoubt | null {
  const { keeping, renumbered, newRows, gone, hasRival, isAnyTextKnown } = facts;
  if (keeping === 0 || trust.isSaid || trust.rerunChanged || trust.isMended) return null;
  if (trust.add) return 'added';
  if (renumbered > 0 && (newRows > 0 || gone > 0 || hasRival)) return 'renumbered';
  return trust.isGuessed && !isAnyTextKnown ? 'other-file' : null;
}
