/** The common output of the readers: raw rows, and the columns to read them by. */

import { hasQuestion, mapColumns, quoteColumns } from '../core/columns.ts';
import { listImages, shownEntry } from '../core/image-source.ts';
import { nearFields } from '../core/near-columns.ts';
import { type Field, fields as fieldNames } from '../core/question.ts';
import { shellWord } from '../core/text/shell-word.ts';
import type { Problems } from './read-problems.ts';

/** Field -> column. */
export type FieldColumns = Readonly<Partial<Record<Field, string>>>;

/** One row before it is parsed as a question. */
export interface RawRow {
  /** Where it starts, from 1. */
  readonly line: number;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same as earlier versions read it, by which a run may know it; absent where that is the same. */
  readonly earlier?: Readonly<Record<string, unknown>>;
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

/** Where the header is, for messages. */
interface HeaderPlace {
  readonly line: number | null;
  readonly problems: Problems;
  /** The first row, shown as it would be sent with the columns that are proposed. */
  readonly sample?: RawRow | null;
}

/** The columns of a whole file by field; without a question the file cannot be read. */
export function decideFields(
  columns: readonly string[],
  overrides: FieldColumns,
  { line, problems, sample = null }: HeaderPlace,
): FieldColumns {
  const { fields, problems: found } = mapColumns(columns, overrides);
  for (const message of found) problems.add(line, message);
  if (hasQuestion(fields) || found.length > 0) return fields;
  const missing = 'no column holds the question or its images';
  const near = nearFields(columns, fields);
  const proposed = { ...fields, ...near };
  if (columns.length === 0) problems.add(line, `${missing}; no column has a name; name one of them question`);
  else if (!hasQuestion(proposed))
    problems.add(
      line,
      `${missing}; the columns are ${quoteColumns(columns)}; choose one with --map question=COLUMN`,
    );
  else {
    const maps = Object.entries(near).map(([field, column]) => `--map ${shellWord(`${field}=${column}`)}`);
    problems.add(
      line,
      `${missing}; the columns are ${quoteColumns(columns)}; if these are meant, add ${maps.join(' ')}`,
    );
    if (sample !== null)
      problems.add(sample.line, `this row would then be sent as ${renderSample(sample.input, proposed)}`);
  }
  return fields;
}

const shownLetters = 200;
const shownImages = 3;

/** A row as it would be sent, in one line. */
function renderSample(input: RawRow['input'], columnOf: FieldColumns): string {
  const shown = fieldNames.flatMap((field) => {
    const column = columnOf[field];
    const value = column === undefined ? '' : (input[column] ?? '');
    const isImages = field === 'questionImages' || field === 'answerImages';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.trim() === '') return [];
    return [
      `${field} ${isImages ? renderImages(Array.isArray(value) ? value : listImages(text)) : cut(text)}`,
    ];
  });
  return shown.length === 0 ? 'an empty row' : shown.join(', ');
}

function renderImages(entries: readonly unknown[]): string {
  const shown = entries.slice(0, shownImages).map((entry) => {
    const text = String(entry);
    return /^data:|^[A-Za-z0-9+/=\s]{100,}$/.test(text) ? 'an image in the row itself' : shownEntry(text);
  });
  return `${shown.join(' ')}${entries.length > shownImages ? ` and ${entries.length - shownImages} more` : ''}`;
}

function cut(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  return `"${line.length > shownLetters ? `${line.slice(0, shownLetters).toWellFormed()}…` : line}"`;
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
