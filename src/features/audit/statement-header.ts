/** Finds the header of a statement: the readers of questions know other names, so they are told where it is. */

import type { Options } from '../../app/options/options.ts';
import { filledRows, headerRowCount } from '../../input/columns/header-row.ts';
import { searchedCount } from '../../input/find-delimiter.ts';
import { firstRecords } from '../../input/read-csv-records.ts';
import { parseLine } from '../../input/read-jsonl.ts';
import { namesOf } from '../../input/workbook/choose-sheet.ts';
import { noMergedCells } from '../../input/workbook/merged-cells.ts';
import { loadNumberLibrary } from '../../input/workbook/number-library.ts';
import { openWorkbook } from '../../input/workbook/open-workbook.ts';
import { noFacts, readSheet } from '../../input/workbook/sheet.ts';
import { localFileAccess } from '../../outputs/local-file-access.ts';
import { isStatementHeader, namedCount, type StatementColumns } from './statement-columns.ts';

/** Where the header is, and the names in it. */
export interface StatementHeader {
  readonly columns: readonly string[];
  /** As a spreadsheet counts, from 1; null for JSONL. */
  readonly row: number | null;
  readonly delimiter: string | null;
  readonly sheet: string | null;
}

const delimiters = [',', ';', '\t', '，', '|'];
const headLength = 1024 * 1024;
/** Lines of JSON whose keys are looked at. */
const keyLines = 100;

/** A row that may be the header. */
interface Candidate extends StatementHeader {
  readonly isHeader: boolean;
  readonly named: number;
}

/** Of a text with cells; the row to complain about where none is the header; null for an empty file. */
export function headerOfText(
  start: string,
  { delimiter, headerRow }: { readonly delimiter: string | null; readonly headerRow: number | null },
  given: StatementColumns,
): StatementHeader | null {
  const head = start.slice(0, headLength);
  const found = (delimiter === null ? delimiters : [delimiter]).flatMap((each) => {
    const records = firstRecords(head, each, headerRow ?? searchedCount);
    const meant = headerRow === null ? records : records.filter(({ row }) => row === headerRow);
    return filledRows(meant).map(({ at, columns }) =>
      candidate({ columns, row: meant[at]?.row ?? 1, delimiter: each, sheet: null }, given),
    );
  });
  return best(found);
}

/** The keys of the first lines. */
export function headerOfJson(start: string): StatementHeader {
  const keys = new Set<string>();
  for (const line of start.split(/[\r\n]+/, keyLines)) {
    const value = parseLine(line.replace(/^\ufeff/, ''))?.value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const key of Object.keys(value)) keys.add(key);
  }
  return { columns: [...keys], row: null, delimiter: null, sheet: null };
}

/** Of a workbook: in the sheet that is named, else in a visible one. */
export async function headerOfWorkbook(
  file: string,
  sizeBytes: number,
  { sheet, 'header-row': headerRow }: Options,
  given: StatementColumns,
): Promise<StatementHeader | null> {
  const access = localFileAccess(file, sizeBytes);
  try {
    const workbook = await openWorkbook(access, await loadNumberLibrary());
    const found: Candidate[] = [];
    for (const { name, part, isHidden } of workbook.sheets) {
      if (sheet === undefined ? isHidden : name !== sheet) continue;
      const context = { ...workbook, merged: noMergedCells, facts: noFacts() };
      let seen = 0;
      search: for await (const rows of readSheet(workbook.source, part, context))
        for (const { number, cells } of rows) {
          if (cells.length === 0 || number < (headerRow ?? 1)) continue;
          if (headerRow !== undefined && number !== headerRow) break search;
          const place = { columns: namesOf(cells), row: number, delimiter: null, sheet: name };
          found.push(candidate(place, given));
          seen += 1;
          if (seen === headerRowCount) break search;
        }
    }
    return best(found);
  } finally {
    await access.close();
  }
}

function candidate(header: StatementHeader, given: StatementColumns): Candidate {
  const { columns } = header;
  return { ...header, isHeader: isStatementHeader(columns, given), named: namedCount(columns, given) };
}

/** The header with the most names; else the row with the most. */
function best(found: readonly Candidate[]): StatementHeader | null {
  const scored = found.map((header) => ({ header, score: header.named + (header.isHeader ? 100 : 0) }));
  return scored.toSorted((one, other) => other.score - one.score)[0]?.header ?? null;
}
