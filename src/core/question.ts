/** From a row as it was read to a question: which column is which field, and what the values mean. */

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
