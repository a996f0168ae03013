/** The common output of the readers: raw rows, and the columns to read them by. */

import { mapColumns, quoteColumns } from '../core/columns.ts';
import type { Field } from '../core/question.ts';
import type { Problems } from './read-problems.ts';

/** Field -> column. */
export type FieldColumns = Readonly<Partial<Record<Field, string>>>;

/** One row before it is parsed as a question. `line` is where it starts, from 1. */
export interface RawRow {
  readonly line: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Some rows, and the columns known when the last of them was read. */
export interface RowPage {
  readonly rows: readonly RawRow[];
  readonly columns: readonly string[];
  readonly fields: FieldColumns;
}

/** The rows of a file; what was detected is known when the pages have ended. */
export interface RowReader {
  readonly pages: AsyncIterable<RowPage>;
  /** null where the format has no delimiter. */
  delimiter(): string | null;
  /** One sentence for each guess and each repair. */
  notes(): string[];
}

/** The columns of a whole file by field; without a question the file cannot be read. `line` is the header's. */
export function decideFields(
  columns: readonly string[],
  overrides: FieldColumns,
  { line, problems }: { readonly line: number | null; readonly problems: Problems },
): FieldColumns {
  const { fields, problems: found } = mapColumns(columns, overrides);
  for (const message of found) problems.add(line, message);
  if (!hasQuestion(fields) && found.length === 0) {
    const way =
      columns.length === 0
        ? 'no column has a name; name one of them question'
        : `the columns are ${quoteColumns(columns)}; choose one with --map question=COLUMN`;
    problems.add(line, `no column holds the question or its images; ${way}`);
  }
  return fields;
}

/** True when a row read by these columns can contain a question. */
export function hasQuestion(fields: FieldColumns): boolean {
  return fields.question !== undefined || fields.questionImages !== undefined;
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
