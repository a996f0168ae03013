/** `report.xlsx` as LibreOffice opens it. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { reportColumns, reportLine } from '../../src/reports/columns.ts';
import { convert, hasLibreOffice } from '../support/libreoffice.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportBook } from './report-book.ts';
import { rowOf } from './report-rows.ts';

const isHere = await hasLibreOffice();
const line = reportLine(rowOf({}));

describe.skipIf(!isHere)('report.xlsx in LibreOffice', () => {
  it('shows the rows, runs nothing of them, and links the videos', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'report.xlsx');
    const texts = ['=1+2', '007', 'two\nlines, "quoted"', '题目'];
    await writeFile(
      file,
      await reportBook([texts.map((text, at) => ({ ...line, row: at + 1, id: text, question: text }))]),
    );
    const [header, ...rows] = parse(await readFile(await convert(folder.path, file, 'csv')));
    expect(header).toEqual([...reportColumns]);
    expect(rows.map(([, id]: string[]) => id)).toEqual(texts);
    expect(rows.map(([row, , , points, question]: string[]) => [row, points, question])).toEqual(
      texts.map((text, at) => [String(at + 1), '10', text]),
    );
    expect(rows[0]?.[13]).toBe('2026-03-01 08:00:00');
    const flat = await readFile(await convert(folder.path, file, 'fods'), 'utf8');
    expect(flat).not.toContain('table:formula');
    expect(flat).toMatch(/xlink:href="[^"]*sum-1\/video\.mp4"/);
    expect(flat).toContain('table:display-filter-buttons="true"');
    expect(flat).toMatch(/office:value-type="date"/);
  });
});
