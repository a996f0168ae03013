/** `report.xlsx` of some batches of lines. */

import type { ReportLine } from '../../src/report/columns.ts';
import { ReportWorkbook } from '../../src/report/report-workbook.ts';

export async function reportBook(
  batches: readonly (readonly ReportLine[])[],
  ...limits: readonly ConstructorParameters<typeof ReportWorkbook>[1][]
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const book = new ReportWorkbook(async (bytes) => void pieces.push(bytes), ...limits.slice(0, 1));
  for (const lines of batches) await book.add(lines);
  await book.end();
  return Buffer.concat(pieces);
}
