/** `report.xlsx` of some batches of lines, and what is in the workbooks that are written. */

import { openPackage } from '../../src/input/workbook/zip.ts';
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

/** A part of a workbook; '' where it has none of that name. */
export async function partOf(bytes: Uint8Array, name: string): Promise<string> {
  const file = {
    sizeBytes: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  const source = await openPackage(file);
  const part = source.part(name);
  return part === null ? '' : Buffer.from(await source.read(part, 2 ** 24)).toString();
}

/** The number formats of the first sheet: of what is empty, column by column, and of each cell, row by row. */
export async function numberFormats(
  bytes: Uint8Array,
): Promise<{ readonly columns: readonly number[]; readonly cells: readonly (readonly number[])[] }> {
  const [, cellStyles = ''] =
    /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(await partOf(bytes, 'xl/styles.xml')) ?? [];
  const formats = [...cellStyles.matchAll(/numFmtId="(\d+)"/g)].map(([, id]) => Number(id));
  const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml');
  const of = (attributes: string, name: string): number =>
    formats[Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0)] ?? Number.NaN;
  return {
    columns: [...sheet.matchAll(/<col ([^>]*)>/g)].map(([, text = '']) => of(text, 'style')),
    cells: [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<c\b([^>]*)>/g)].map(([, text = '']) => of(text, 's')),
    ),
  };
}
