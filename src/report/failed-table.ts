/**
 * `failed.csv`: the rows that ended badly in the input's own columns, to be mended and fed back. A row that was changed since it
 * was sent stands there as in the input: fed back, the table must not take a change away.
 */

import type { Field, Source } from '../core/question.ts';
import { badStatuses } from '../core/summary.ts';
import type { ReportRow } from '../store.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';

/** A column of `failed.csv`, named as the first source that has it names it. */
export interface FailedColumn {
  readonly name: string;
  /** The field its values are; null for a column that is carried along. */
  readonly field: Field | null;
}

/**
 * Columns for the rows of one more source. A field that two sources name differently stays one column:
 * with two of them the file could not be read back.
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
  /** False when a column came up after the header was written: then the table has to be written again. */
  readonly isWhole: boolean;
  /** The bad ones among these rows, after the header where they are the first. */
  render(rows: readonly ReportRow[]): string;
  /** What is missing when all rows were seen: the header, where no row ended badly. */
  end(): string;
}

/** A new table that starts with these columns; more are added as the rows bring them. */
export function createFailedTable(known: readonly FailedColumn[] = []): FailedTable {
  let columns = known;
  let firstSource: Source | null = null;
  /** The columns of the header that is out; every record under it has these and no others. */
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
      const bad = rows.filter((row) => !row.gone && badStatuses.has(row.item.status));
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

/** The value as it was read; what is not text in JSONL is written as JSON. */
function cellOf(column: FailedColumn, row: ReportRow): string {
  const { input, source } = row.edit ?? row;
  const ownName = (column.field && source.fields[column.field]) ?? column.name;
  const value = Object.hasOwn(input, ownName) ? input[ownName] : null;
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entriesOf(columns: Source['fields']): [Field, string][] {
  return Object.entries(columns) as [Field, string][];
}
