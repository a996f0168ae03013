/**
 * `failed.csv`: the rows that ended badly in the input's own columns, to be mended and fed back. A row edited since it
 * was sent appears as it is in the input now: feeding the table back must not undo an edit. The last column says why
 * the row ended so; it is ignored when the table is fed back.
 */

import type { Field, Source } from '../core/question.ts';
import { badStatuses } from '../core/summary.ts';
import type { ReportRow } from '../store.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';

/** A column of `failed.csv`, under the name of the first source that has it. */
export interface FailedColumn {
  readonly name: string;
  /** The field the column holds; null for a column that is only passed through. */
  readonly field: Field | null;
}

/** What the table needs of a row. */
export type FailedRow = Pick<ReportRow, 'input' | 'source' | 'edit' | 'item'>;

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
  /** Name of the column with the failures, after all others. */
  readonly failure: string;
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
  return !gone && badStatuses.has(item.status);
}

/** A new table that starts with these columns; rows may add more. `failure` names the last column, which no file has. */
export function createFailedTable(failure: string, known: readonly FailedColumn[] = []): FailedTable {
  let columns = known;
  let firstSource: Source | null = null;
  /** The columns of the written header; every record below it has exactly these. */
  let written: readonly FailedColumn[] | null = null;

  const header = (): readonly string[] =>
    columns.length === 0 ? [] : [...columns.map(({ name }) => name), failure];
  const start = (): string => {
    written = columns;
    return byteOrderMark + (columns.length === 0 ? '' : renderCsv([header()]));
  };

  return {
    get columns() {
      return columns;
    },
    failure,
    get header() {
      return header();
    },
    get isWhole() {
      return written === columns;
    },
    render(rows) {
      firstSource ??= rows[0]?.source ?? null;
      const bad = rows.filter(isInFailedTable);
      if (bad.length === 0) return '';
      columns = bad.reduce((merged, row) => mergeColumns(merged, (row.edit ?? row).source), columns);
      const head = written === null ? start() : '';
      const shown = written ?? columns;
      return (
        head + renderCsv(bad.map((row) => [...shown.map((column) => cellOf(column, row)), row.item.failure]))
      );
    },
    cells: (row) => [...columns.map((column) => listOrText(column, row)), row.item.failure ?? ''],
    end() {
      if (written !== null) return '';
      if (firstSource !== null) columns = mergeColumns(columns, firstSource);
      return start();
    },
  };
}

function listOrText(column: FailedColumn, row: FailedRow): string | readonly string[] {
  const value = readValue(column, row);
  const isImages = column.field === 'questionImages' || column.field === 'answerImages';
  if (isImages && Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  return textOf(value);
}

/** The value as it was read; non-text JSONL values are written as JSON. */
function cellOf(column: FailedColumn, row: FailedRow): string {
  return textOf(readValue(column, row));
}

function readValue(column: FailedColumn, row: FailedRow): unknown {
  const { input, source } = row.edit ?? row;
  const ownName = (column.field && source.fields[column.field]) ?? column.name;
  return Object.hasOwn(input, ownName) ? input[ownName] : null;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entriesOf(columns: Source['fields']): [Field, string][] {
  return Object.entries(columns) as [Field, string][];
}
