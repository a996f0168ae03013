/**
 * `failed.csv`: the rows that ended badly in the input's own columns, to be mended and fed back. A row edited since it
 * was sent appears as it is in the input now: feeding the table back must not undo an edit.
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
  /** False when a column appeared after the header was written: then the table must be written again. */
  readonly isWhole: boolean;
  /** The bad rows among these, after the header if they are the first. */
  render(rows: readonly ReportRow[]): string;
  /** What is missing after all rows: the header, if no row ended badly. */
  end(): string;
}

/** True for a row that ended badly and is still in the input. */
export function isInFailedTable({ gone, item }: ReportRow): boolean {
  return !gone && badStatuses.has(item.status);
}

/** A new table that starts with these columns; rows may add more. */
export function createFailedTable(known: readonly FailedColumn[] = []): FailedTable {
  let columns = known;
  let firstSource: Source | null = null;
  /** The columns of the written header; every record below it has exactly these. */
  let written: readonly FailedColumn[] | null = null;

  const header = (): string => {
    written = columns;
    return byteOrderMark + (columns.length === 0 ? '' : renderCsv([columns.map((column) => column.name)]));
  };

  return {
    get columns() {
      return columns;
    },
    get isWhole() {
      return written === columns;
    },
    render(rows) {
      firstSource ??= rows[0]?.source ?? null;
      const bad = rows.filter(isInFailedTable);
      if (bad.length === 0) return '';
      columns = bad.reduce((merged, row) => mergeColumns(merged, (row.edit ?? row).source), columns);
      const start = written === null ? header() : '';
      const shown = written ?? columns;
      return start + renderCsv(bad.map((row) => shown.map((column) => cellOf(column, row))));
    },
    end() {
      if (written !== null) return '';
      if (firstSource !== null) columns = mergeColumns(columns, firstSource);
      return header();
    },
  };
}

/** The same for a workbook, where a list of images stays a list. */
export function failedCell(
  column: FailedColumn,
  row: Pick<ReportRow, 'input' | 'source' | 'edit'>,
): string | readonly string[] {
  const value = readValue(column, row);
  const isImages = column.field === 'questionImages' || column.field === 'answerImages';
  if (isImages && Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  return textOf(value);
}

/** The value as it was read; non-text JSONL values are written as JSON. */
function cellOf(column: FailedColumn, row: ReportRow): string {
  return textOf(readValue(column, row));
}

function readValue(column: FailedColumn, row: Pick<ReportRow, 'input' | 'source' | 'edit'>): unknown {
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
