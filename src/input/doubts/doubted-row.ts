/** Pure. A row as doubts see it, and what a doubt is. */

import type { Words } from '../../messages/both.ts';

/** A row as far as doubts look at it. */
export interface DoubtedRow {
  /** As it would be sent; '' where there is none. */
  readonly question: string;
  readonly answer: string;
  /** True where the row has a picture of its question. */
  readonly hasPictures: boolean;
  /** The cells of the row that are not blank, of all columns, in their order. */
  readonly cells: readonly string[];
  /** True where the row has an id of its own; null where the file has no column for it. */
  readonly hasId: boolean | null;
  /** Its own id; absent where it has none. */
  readonly id?: string;
  /** True where its only cell is merged over several columns of the table. */
  readonly isMerged?: boolean;
  /** True where the cell of its question is merged with that of the row above. */
  readonly isBelow?: boolean;
  /** True where it has a cell right behind the last column. */
  readonly isLong?: boolean;
}

/** Of so many rows the first may be alike by chance. */
export const leastRows = 3;

/** What is known of the file so far, this row included. */
export interface FileTally {
  readonly rows: number;
  /** Rows with two cells or more. */
  readonly fuller: number;
  /** Rows whose only cell is merged over several columns. */
  readonly merged: number;
  /** Columns of the file. */
  readonly columns: number;
  /** Rows whose id has a mark that switches off a line. */
  readonly marked?: number;
  /** Rows whose question is an address, a path or a code. */
  readonly references?: number;
  /** Rows whose answer begins with a blank. */
  readonly indented?: number;
  /** Rows whose question is a sum. */
  readonly sums?: number;
  /** The length at which its texts were cut; null where they were not. */
  readonly cutAt?: number | null;
}

export interface Doubt {
  /** Stable, kebab-case. */
  readonly id: string;
  /** What the row seems to be, as a noun phrase that fits into `row 17 "Total:" (a footer)`. */
  readonly what: Words;
  /** What its question was before it was damaged; null where that is not certain. */
  mended?(row: DoubtedRow): string | null;
  /** Where a column that is nearly all like this holds something else than questions; `pictures` where it may hold these. */
  readonly tellsColumn?: true | 'pictures';
}

export interface RowDoubt extends Doubt {
  /** What texts without one of these signs are never doubted for, of `signs`; absent where any may be. */
  readonly needs?: number;
  /** Letters of a question, more of which are never doubted for it; absent where any number may be. */
  readonly most?: number;
  /** True where the row seems to be that. It is asked of every row of a million: cheap checks come first. */
  looksOdd(row: DoubtedRow, tally: FileTally): boolean;
  /** A row that it doubts, and one close by that it does not. */
  readonly odd: Partial<DoubtedRow>;
  readonly plain: Partial<DoubtedRow>;
}

/** Signs that texts are doubted for, a bit each. */
export const signs = {
  /** Control characters and U+FFFC. */
  control: 1,
  /** Letters that are not ASCII. */
  foreign: 2,
  brace: 4,
  bracket: 8,
  angle: 16,
  dollar: 32,
  backslash: 64,
  question: 128,
  percent: 256,
  /** `=`, `^` or `_`. */
  formula: 512,
  at: 1024,
  /** A comma or a full stop behind a blank. */
  stray: 2048,
} as const;

const ascii: Readonly<Record<string, number>> = {
  '{': signs.brace,
  '[': signs.bracket,
  '<': signs.angle,
  $: signs.dollar,
  '\\': signs.backslash,
  '?': signs.question,
  '%': signs.percent,
  '=': signs.formula,
  '^': signs.formula,
  _: signs.formula,
  '@': signs.at,
};
const signOf = Uint16Array.from({ length: 0x80 }, (_, code) =>
  code < 0x20 || code === 0x7f ? signs.control : (ascii[String.fromCharCode(code)] ?? 0),
);

/** The signs in a text, as bits: it is looked through once, and most doubts need not look. */
export function signsIn(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) found |= signOf[code] as number;
    else found |= code === 0xfffc ? signs.foreign | signs.control : signs.foreign;
  }
  return text.includes(' ,') || text.includes(' .') ? found | signs.stray : found;
}
