/** The table of `report.csv` and `report.xlsx`: the promised columns, the input's own ones, and the keys of the rows. */

import { ownColumns, ownColumnsReader } from '../input/columns/own-columns.ts';
import type { Source } from '../money/question.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import { keyName, renderRowKey } from '../text/ids/row-key.ts';
import { type ReportLine, reportColumns, reportLine } from './columns.ts';

/** A cell; null for an empty one. */
export type ReportCell = string | number | null;

export interface ReportTable {
  readonly header: readonly string[];
  /** The cells of these rows; `lines` are their `reportLine`s. */
  cells(rows: readonly ReportRow[], lines: readonly ReportLine[]): readonly (readonly ReportCell[])[];
}

/** The table of the run with this id, of these files. */
export function createReportTable(sources: readonly Source[], run: string): ReportTable {
  const own = ownColumns(sources);
  const ownOf = ownColumnsReader();
  const cellsOf = (line: ReportLine, { item, input, source }: ReportRow): ReportCell[] => {
    const cells: ReportCell[] = [];
    for (const column of reportColumns) cells.push(line[column]);
    const isOwn = ownOf(source);
    for (const column of own)
      cells.push(isOwn.has(column) && Object.hasOwn(input, column) ? cellOf(input[column]) : null);
    cells.push(renderRowKey(run, item, line.question));
    return cells;
  };
  return {
    header: [...reportColumns, ...own.map((column) => `input.${column}`), keyName],
    cells: (rows, lines) => rows.map((row, at) => cellsOf(lines[at] ?? reportLine(row), row)),
  };
}

/** Texts and numbers as they were read; anything else as JSON. */
export function cellOf(value: unknown): ReportCell {
  if (value === undefined || typeof value === 'string' || typeof value === 'number') return value ?? null;
  return value === null ? null : JSON.stringify(value);
}
