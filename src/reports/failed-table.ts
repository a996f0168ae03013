/**
 * `failed.csv`: the rows that ended badly in the input's own columns, to be mended and fed back. A row edited since it
 * was sent appears as it is in the input now, and a row sent with corrected texts has these: feeding the table back must
 * undo neither. The column before the last says why the row ended so, which is ignored when the table is fed back; the last
 * one has the key by which the row is known then.
 */

import { listEntries, parseImage, splitEntries } from '../files/image-source.ts';
import { type Field, isPictureField, type Source } from '../money/question.ts';
import { type CorrectedTexts, readSent } from '../money/sent-question.ts';
import { hasMark } from '../money/statuses.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import { renderRowKey } from '../text/ids/row-key.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';

/** A column of `failed.csv`, under the name of the first source that has it. */
export interface FailedColumn {
  readonly name: string;
  /** The field of the column; null for a column that is only passed through. */
  readonly field: Field | null;
}

/** The columns after those of the input, and the run (id) of the keys. */
export interface FailedEnds {
  /** Name of the column with the failures. */
  readonly failure: string;
  /** Name of the column with the keys. */
  readonly key: string;
  readonly run: string;
}

/** What the table needs of a row. */
export type FailedRow = Pick<ReportRow, 'input' | 'source' | 'edit' | 'item' | 'correction'>;

/** The row as the next attempt would send it. */
type NextRow = Pick<ReportRow, 'input' | 'source'>;

function nextRow(row: FailedRow): NextRow {
  if (row.edit !== null) return row.edit;
  const corrected = row.correction === null ? null : readSent(row).corrected;
  return corrected === null ? row : withTexts(row, corrected);
}

/** The question of the row as the next attempt would send it, as its table shows it. */
export function nextQuestion(row: FailedRow): string {
  const { input, source } = nextRow(row);
  const { question } = source.fields;
  return question === undefined || !Object.hasOwn(input, question) ? '' : textOf(input[question]);
}

/** A field that the file has no column for gets one: without it a text that was paid for would be missing. */
function withTexts(row: NextRow, texts: CorrectedTexts): NextRow {
  return (['question', 'answer'] as const).reduce(({ input, source }, field) => {
    const text = texts[field]?.to;
    const { columns, fields } = source;
    const column = fields[field];
    // A column of that name may contain something else.
    if (text === undefined || (column === undefined && columns.includes(field))) return { input, source };
    if (column !== undefined) return { input: { ...input, [column]: text }, source };
    return {
      input: { ...input, [field]: text },
      source: { ...source, columns: [...columns, field], fields: { ...fields, [field]: field } },
    };
  }, row);
}

/**
 * Adds the columns of one more source. A field named differently in two sources stays one column: a table with both
 * could not be read back.
 */
export function mergeColumns(known: readonly FailedColumn[], source: Source): readonly FailedColumn[] {
  const fieldOf = new Map(entriesOf(source.fields).map(([field, column]) => [column, field]));
  const added = source.columns
    .map((name) => ({ name, field: fieldOf.get(name) ?? null }))
    .filter(({ name, field }) => !known.some((has) => has.name === name || (field && has.field === field)));
  return added.length === 0 ? known : [...known, ...added];
}

/** The rows that ended badly as text, batch by batch. Only a row that is still in the input can be fed back. */
export interface FailedTable {
  /** Every column met so far. */
  readonly columns: readonly FailedColumn[];
  readonly ends: FailedEnds;
  /** The names of all columns; none before there is a row. */
  readonly header: readonly string[];
  /** False when a column appeared after the header was written: then the table must be written again. */
  readonly isWhole: boolean;
  /** The bad rows among these, after the header if they are the first. */
  render(rows: readonly ReportRow[]): string;
  /** The row for a workbook, where a list of images stays a list. */
  cells(row: FailedRow): (string | readonly string[])[];
  /** What is missing after all rows: the header, if no row ended badly. */
  end(): string;
}

/** True for a row that ended badly and is still in the input. */
export function isInFailedTable({ gone, item }: ReportRow): boolean {
  return !gone && hasMark(item.status, 'bad');
}

/**
 * A new table that starts with these columns; rows may add more. `ends` names the last ones, which no file has.
 * Relative paths start from `folder` when it is fed back; null where all do.
 */
export function createFailedTable(
  ends: FailedEnds,
  known: readonly FailedColumn[] = [],
  folder: string | null = null,
): FailedTable {
  let columns = known;
  let firstSource: Source | null = null;
  /** The columns of the written header; every record below it has exactly these. */
  let written: readonly FailedColumn[] | null = null;

  const header = (): readonly string[] =>
    columns.length === 0 ? [] : [...columns.map(({ name }) => name), ends.failure, ends.key];
  const keyOf = ({ item }: FailedRow, next: NextRow): string => {
    const column = columns.find(({ field }) => field === 'question');
    return renderRowKey(ends.run, item, column === undefined ? '' : cellOf(column, next, folder));
  };
  const start = (): string => {
    written = columns;
    return byteOrderMark + (columns.length === 0 ? '' : renderCsv([header()]));
  };

  return {
    get columns() {
      return columns;
    },
    ends,
    get header() {
      return header();
    },
    get isWhole() {
      return written === columns;
    },
    render(rows) {
      firstSource ??= rows[0]?.source ?? null;
      const bad = rows.filter(isInFailedTable).map((row) => ({ row, next: nextRow(row) }));
      if (bad.length === 0) return '';
      columns = bad.reduce((merged, { next }) => mergeColumns(merged, next.source), columns);
      const head = written === null ? start() : '';
      const shown = written ?? columns;
      return (
        head +
        renderCsv(
          bad.map(({ row, next }) => [
            ...shown.map((column) => cellOf(column, next, folder)),
            row.item.failure,
            keyOf(row, next),
          ]),
        )
      );
    },
    cells(row) {
      const next = nextRow(row);
      const cells = columns.map((column) => listOrText(column, next, folder));
      return [...cells, row.item.failure ?? '', keyOf(row, next)];
    },
    end() {
      if (written !== null) return '';
      if (firstSource !== null) columns = mergeColumns(columns, firstSource);
      return start();
    },
  };
}

function listOrText(column: FailedColumn, row: NextRow, folder: string | null): string | readonly string[] {
  const value = readValue(column, row, folder);
  if (isOfImages(column) && Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value;
  return textOf(value);
}

/** The value as it was read; non-text JSONL values are written as JSON. */
function cellOf(column: FailedColumn, row: NextRow, folder: string | null): string {
  return textOf(readValue(column, row, folder));
}

function isOfImages({ field }: FailedColumn): boolean {
  return field !== null && isPictureField(field);
}

function readValue(column: FailedColumn, { input, source }: NextRow, folder: string | null): unknown {
  const ownName = (column.field && source.fields[column.field]) ?? column.name;
  const value = Object.hasOwn(input, ownName) ? input[ownName] : null;
  const isElsewhere = folder !== null && source.folder !== folder;
  const isOfPictures = isOfImages(column) || isFurther(ownName, source);
  return isElsewhere && isOfPictures ? withWholePaths(value, source.folder) : value;
}

function isFurther(column: string, { furtherPictures: further = {} }: Source): boolean {
  return Object.values(further).some((columns) => columns.includes(column));
}

/** Files of two folders often have the same names: from the other folder, a question would be paid for with another's picture. */
function withWholePaths(value: unknown, folder: string): unknown {
  const entries = splitEntries(listEntries(value), value);
  const whole = entries.map((entry: unknown) => {
    const image = typeof entry === 'string' ? parseImage(entry.trim(), folder) : null;
    return image?.kind === 'file' ? image.path : entry;
  });
  if (whole.every((entry, at) => entry === entries[at])) return value;
  return whole.length === 1 ? whole[0] : whole;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entriesOf(columns: Source['fields']): [Field, string][] {
  return Object.entries(columns) as [Field, string][];
}
