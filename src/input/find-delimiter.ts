/** Finds the character between the cells of a CSV file: by the header, whose names are known. */

import { UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { hasQuestion, mapColumns } from './columns/columns.ts';
import { filledRows, findHeader } from './columns/header-row.ts';
import { isFieldName } from './columns/known-names.ts';
import { likelyHeader, nearFields } from './columns/near-columns.ts';
import { type CsvRecord, firstRecords } from './read-csv-records.ts';
import type { FieldColumns } from './read-rows.ts';

const candidates = [',', ';', '\t'];
/** Typed with a Chinese keyboard. The last choice, because it is in texts too. */
const fullWidthComma = '，';
/** Records searched for the header where most of them are empty. */
export const searchedCount = 100;
/** How many characters are searched for the header: many times what ten thousand columns need. */
const headerMaxLength = 1024 * 1024;
/** Lines in which another delimiter is looked for. */
const searchedLines = 10;

/** The delimiter that `--delimiter` names. Throws `UsageError` for an invalid one. */
export function parseDelimiter(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t';
  if ([...text].length === 1 && !/["\r\n\0]/.test(text)) return text;
  throw new UsageError(message('refused.delimiter', { value: JSON.stringify(text) }));
}

/** `found` is used; `proposed` stands between known names and is only proposed: nobody named it. */
type Delimiter = { readonly found: string } | { readonly proposed: string; readonly line: number };

/**
 * The delimiter that a first line `sep=;` names, as spreadsheets read it; else the candidate that maps most header columns
 * to fields: in the first record, else in one below a title. Where none does, another character between known names is
 * proposed; else it is the candidate that nearly does, for the error about it; else the comma.
 */
export function findDelimiter(
  text: string,
  { overrides, headerRow }: { readonly overrides: FieldColumns; readonly headerRow: number | null },
): Delimiter {
  const [, named] = /^"?sep=([^"\r\n])"?\1*[\r\n]/i.exec(text) ?? [];
  if (named !== undefined) return { found: named };
  const head = text.slice(0, headerMaxLength);
  const count = headerRow ?? searchedCount;
  const tables = [...candidates, fullWidthComma].map((delimiter) => {
    const records = firstRecords(head, delimiter, count);
    return {
      delimiter,
      records: headerRow === null ? records : records.filter(({ row }) => row === headerRow),
    };
  });
  const fieldCount = (records: readonly CsvRecord[]): number => {
    const rows = filledRows(records);
    const at = findHeader(rows, overrides);
    return at === null ? 0 : Object.keys(mapColumns(rows[at]?.columns ?? [], overrides).fields).length;
  };
  const nearCount = (records: readonly CsvRecord[]): number => {
    const rows = filledRows(records).map(({ columns }) => columns);
    const columns = rows[likelyHeader(rows, overrides)] ?? [];
    const { fields } = mapColumns(columns, overrides);
    return Object.keys(fields).length + Object.keys(nearFields(columns, fields)).length;
  };
  const ordinary = tables.slice(0, -1);
  const first = ({ records, ...table }: (typeof tables)[number]) => ({
    ...table,
    records: records.slice(0, 1),
  });
  const whole = best(ordinary, fieldCount);
  const isTitle = Math.max(...ordinary.map(first).map(({ records }) => fieldCount(records))) < 2;
  const found = (isTitle ? null : best(ordinary.map(first), fieldCount)) ?? whole ?? best(tables, fieldCount);
  if (found !== null) return { found };
  return otherDelimiter(head, overrides) ?? { found: best(tables, nearCount) ?? ',' };
}

/** The delimiter of the table that counts most; null where none counts anything. */
function best<T extends { readonly delimiter: string; readonly records: readonly CsvRecord[] }>(
  tables: readonly T[],
  countOf: (records: readonly CsvRecord[]) => number,
): string | null {
  let most = 0;
  let found: string | null = null;
  for (const { delimiter, records } of tables) {
    const count = countOf(records);
    if (count > most) found = delimiter;
    most = Math.max(most, count);
  }
  return found;
}

/** The character that stands between the names of the question and of another field; null for none. */
function otherDelimiter(
  head: string,
  overrides: FieldColumns,
): { readonly proposed: string; readonly line: number } | null {
  const lines = head.split(/\r\n|[\r\n]/, searchedLines);
  for (const [at, line] of lines.entries()) {
    if (isFieldName(line)) continue;
    for (const proposed of new Set(line.match(/[^\p{L}\p{N}\s"'_,;，]/gu))) {
      const names = line.split(proposed).map((name) => name.replaceAll('"', '').trim());
      const { fields } = mapColumns([...new Set(names)], overrides);
      if (hasQuestion(fields) && Object.keys(fields).length > 1) return { proposed, line: at + 1 };
    }
  }
  return null;
}
