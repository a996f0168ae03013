/** A row of an input file: its fields, how its file is read, and what is read of it. */

import type { Quality } from './item.ts';

/** The fields the service knows, and the row's own id. */
export const fields = [
  'id',
  'question',
  'questionImages',
  'answer',
  'answerImages',
  'quality',
  'notify_url',
] as const;
export type Field = (typeof fields)[number];

/** Those whose cells hold pictures. */
export type PictureField = 'questionImages' | 'answerImages';
export const pictureFields: readonly PictureField[] = ['questionImages', 'answerImages'];

export function isPictureField(field: Field): field is PictureField {
  return field === 'questionImages' || field === 'answerImages';
}

/** How to read the rows of one input file; saved with the run, so that it resumes without the file. */
export interface Source {
  /** The name the user gave; `-` for standard input. */
  readonly file: string;
  readonly format: 'csv' | 'jsonl' | 'xlsx' | 'parquet';
  /** The file's columns in order. For JSONL: the keys, in order of first appearance. */
  readonly columns: readonly string[];
  /** Field -> column. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  /** Columns whose pictures follow those of the field's own column, in their order. Absent for none. */
  readonly furtherPictures?: Readonly<Partial<Record<PictureField, readonly string[]>>>;
  /** Absolute folder that relative image paths start from. */
  readonly folder: string;
  /**
   * What a word for a missing value, such as `nan`, is as the answer: nothing, or a text like others. In other cells it is
   * nothing. With `none`, answers such as `see solution` are nothing as well. Absent in runs that were begun when all such
   * words were texts, and each line of a cell one picture.
   */
  readonly missing?: 'empty' | 'none' | 'text';
}

/** One row from the file, before it is compared with the checkpoint. */
export interface IncomingRow {
  /** Data row, from 1; titles of sections are counted with them, so that a row has its place. */
  readonly row: number;
  /** Line of the file where the row starts, from 1. */
  readonly line: number;
  /** The row's own id, trimmed; null where it has none. */
  readonly id: string | null;
  /**
   * What would be sent, as one text to digest. It ignores line ends, outer white space, unknown columns and the way
   * images are listed, so that a file saved by another program is still the same file.
   */
  readonly content: string;
  /**
   * The same as an earlier reading may have saved it: with the names of local pictures instead of their bytes, or with
   * HTML read the other way. Null where there is no difference.
   */
  readonly written: string | null;
  /** The same with its cells read the other way (`Source.missing`); null or absent where there is no difference. */
  readonly otherwise?: string | null;
  /** The row's own quality, if valid. */
  readonly quality: Quality | null;
  /** The row as it was read: column -> value. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Why the row cannot be sent; null when it can. */
  readonly failure: string | null;
  /**
   * Items that were sent with exactly this content because a reviewer had corrected their own texts: where no other row of
   * the file is such an item, this one is. Absent for none.
   */
  readonly corrected?: readonly CorrectedItem[];
  /** What stands in the column `batch` of a table that came back; null or absent for nothing. */
  readonly key?: string | null;
  /** The item that the key names; null for a line without a key in such a table, absent in other files. */
  readonly keyed?: number | null;
  /** It is the title of a section: no row, unless the run has sent it. */
  readonly isHeading?: boolean;
}

/** An item as the text that a reviewer corrected for it, and the row as it would be read with the item's own texts. */
export interface CorrectedItem {
  /** The item's. */
  readonly key: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How many images rows have, and where they are. */
export interface ImageCounts {
  /** Rows with images. */
  readonly rows: number;
  /** Images in local files. */
  readonly files: number;
  /** Images in the row itself, as base64 or a data URI. */
  readonly inline: number;
  /** Images in the cells of a workbook. */
  readonly kept: number;
  /** Images at an address. */
  readonly addresses: number;
}
