/** Large workbooks as people have them: texts in the list that cells share, and pictures above the sheet. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptEntry } from '../src/files/image-source.ts';
import { renderFailedWorkbook } from '../src/reports/failed-workbook.ts';
import {
  head,
  kind,
  names,
  relations,
  StreamedPart,
  xmlText,
  zipEnd,
  zipPart,
} from '../src/reports/workbook-parts.ts';
import { smallPng } from '../test/support/small-png.ts';
import { bigRow } from './big-file.ts';

/** Rows packed at a time. */
const packedRows = 1_000;

/** Path of a workbook with the rows of `bigFile`. */
export function bigWorkbook(folder: string, rows: number): string {
  const path = join(folder, `questions-${rows}.xlsx`);
  const file = openSync(path, 'w');
  let offset = 0;
  const entries: Buffer[] = [];
  const write = (bytes: Uint8Array): void => {
    writeSync(file, bytes);
    offset += bytes.length;
  };
  const part = (name: string, text: string): void => {
    const { local, entry } = zipPart(name, Buffer.from(text), offset);
    entries.push(entry);
    write(local);
  };
  const columns = ['id', 'question', 'answer', 'quality', 'chapter'] as const;
  const cellsOf = (number: number): readonly string[] =>
    number === 0 ? columns : columns.map((column) => bigRow(number)[column]);
  const stream = (name: string, start: string, rowOf: (number: number) => string, end: string): void => {
    const streamed = new StreamedPart(name, offset);
    write(streamed.start());
    let text = start;
    for (let number = 0; number <= rows; number += 1) {
      text += rowOf(number);
      if (number % packedRows !== 0) continue;
      write(streamed.piece(text));
      text = '';
    }
    write(streamed.piece(text + end));
    const { bytes, entry } = streamed.end();
    entries.push(entry);
    write(bytes);
  };
  let texts = 0;
  const cellXml = (text: string): string => (text === '' ? '<c/>' : `<c t="s"><v>${texts++}</v></c>`);
  const rowXml = (number: number): string =>
    `<row r="${number + 1}">${cellsOf(number).map(cellXml).join('')}</row>`;
  const textXml = (number: number): string =>
    cellsOf(number)
      .filter((text) => text !== '')
      .map((text) => `<si><t xml:space="preserve">${xmlText(text)}</t></si>`)
      .join('');
  stream(
    'xl/worksheets/sheet1.xml',
    `${head}<worksheet ${names}><sheetData>`,
    rowXml,
    '</sheetData></worksheet>',
  );
  stream('xl/sharedStrings.xml', `${head}<sst ${names}>`, textXml, '</sst>');
  part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  part(
    'xl/workbook.xml',
    `${head}<workbook ${names}><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  part(
    'xl/_rels/workbook.xml.rels',
    relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
  );
  part(
    '[Content_Types].xml',
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.spreadsheetml.sheet.main+xml"/></Types>`,
  );
  write(zipEnd(entries, offset));
  closeSync(file);
  return path;
}

/** Bytes of each picture. */
const pictureBytes = 150_000;

/** Path of a workbook with a picture of its own in each row. */
export async function pictureWorkbook(folder: string, rows: number): Promise<string> {
  const path = join(folder, `pictures-${rows}.xlsx`);
  const digestOf = (row: number): string => createHash('sha256').update(`picture ${row}`).digest('hex');
  const table = Array.from({ length: rows }, (_, row) => [
    `q-${row}`,
    bigRow(row).question,
    [keptEntry(digestOf(row))],
  ]);
  const pieces = renderFailedWorkbook([['id', 'question', 'questionImages'], ...table], async (digest) =>
    picture(digest),
  );
  if (pieces === null) throw new Error(`${rows} rows are too many`);
  await writeFile(path, pieces);
  return path;
}

/** What stands behind its end never repeats, so that nothing packs it. */
function picture(digest: string): Uint8Array {
  const parts = [smallPng(0, 0, 0)];
  let next = createHash('sha256').update(digest).digest();
  for (let length = parts[0]?.length ?? 0; length < pictureBytes; length += next.length) {
    parts.push(next);
    next = createHash('sha256').update(next).digest();
  }
  return Buffer.concat(parts);
}
