/** `report.xlsx` of some batches of lines. */

import { type ReportLine, reportColumns } from '../../src/reports/columns.ts';
import { ReportWorkbook } from '../../src/reports/report-workbook.ts';

export async function reportBook(
  batches: readonly (readonly ReportLine[])[],
  limits?: ConstructorParameters<typeof ReportWorkbook>[2],
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const book = new ReportWorkbook(reportColumns, async (bytes) => void pieces.push(bytes), limits);
  for (const lines of batches) await book.add(lines.map((line) => reportColumns.map((name) => line[name])));
  await book.end();
  return Buffer.concat(pieces);
}
