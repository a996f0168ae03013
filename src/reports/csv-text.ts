/** Records as CSV that a spreadsheet opens correctly by default, and runs nothing of. */

import { stringify } from 'csv-stringify/sync';
import { defuse } from '../text/spreadsheet-text.ts';

/** At the start of a file: without it a spreadsheet on Windows reads UTF-8 as the system's code page. */
export const byteOrderMark = '\ufeff';

/** Records as CSV with CRLF. Texts are defused; null becomes an empty cell. Pass records in batches: it is faster. */
export function renderCsv(records: readonly (readonly (string | number | null)[])[]): string {
  const cells = records.map((record) => record.map(renderCell));
  return stringify(cells, {
    record_delimiter: '\r\n',
    // Readers also end a record at a lone CR or LF.
    quote_record_delimiter: true,
    // By default some spreadsheets split at commas, semicolons and tabs alike.
    quoted_match: [';', '\t'],
    // A record of one empty cell would be an empty line, which readers skip.
    quoted_empty: records[0]?.length === 1,
  });
}

function renderCell(value: string | number | null): string | number | null {
  return typeof value === 'string' ? defuse(value) : value;
}
