/** From a row as it was read to a question: which column is which field, and what the values mean. */

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

/** How the rows of one input file are to be read; saved with the run, so that it resumes without the file. */
export interface Source {
  /** As the user named it; `-` for standard input. */
  readonly file: string;
  readonly format: 'csv' | 'jsonl';
  /** The file's columns in order. For JSONL: the keys, in order of first appearance. */
  readonly columns: readonly string[];
  /** Field -> column. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  /** Absolute folder that relative image paths start from. */
  readonly folder: string;
}

/** One row as it comes from the file, before the checkpoint has seen it. */
export interface IncomingRow {
  /** Data row, from 1. */
  readonly row: number;
  /** Line of the file the row starts on, from 1. */
  readonly line: number;
  /** The row's own id, trimmed; null where it has none. */
  readonly id: string | null;
  /**
   * Digest (16 bytes) of what would be sent: line ends, outer white space and the way images are listed do not
   * count, unknown columns neither, so that a file saved by another program is still the same file.
   */
  readonly content: Uint8Array;
  /** The row's own quality, where it is a known one. */
  readonly quality: Quality | null;
  /** The row as it was read: column -> value. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Why the row cannot be sent; null when it can. */
  readonly failure: string | null;
}
