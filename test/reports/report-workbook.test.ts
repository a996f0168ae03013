/** `report.xlsx`: read back, it is what was written. */

import { expect, it } from 'vitest';
import { type ReportLine, reportColumns, reportLine } from '../../src/reports/columns.ts';
import { createReportTable } from '../../src/reports/report-table.ts';
import { ReportWorkbook } from '../../src/reports/report-workbook.ts';
import { readBook } from '../input/workbook/read-book.ts';
import { numberFormats, partOf, reportBook } from './report-book.ts';
import { rowOf, source } from './report-rows.ts';

const line: ReportLine = reportLine(rowOf({}));

it('has the columns of report.csv, with numbers and times as such', async () => {
  const bytes = await reportBook([[line]]);
  const { rows, problems } = await readBook(bytes);
  expect(problems).toEqual([]);
  const [row] = rows;
  expect(Object.keys(row?.input ?? {})).toEqual([...reportColumns]);
  expect(row?.input).toMatchObject({
    row: '1',
    id: 'sum-1',
    points: '10',
    video: 'sum-1/video.mp4',
    created_at: '2026-03-01 08:00:01',
    submitted_at: '2026-03-01 08:00:00',
  });
  const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml');
  expect(sheet).toContain('<c r="A2"><v>1</v></c>');
  expect(sheet).toMatch(/<c r="N2" s="2"><v>46082\.3333333\d*<\/v><\/c>/);
  expect(sheet).toContain('<autoFilter ref="A1:U2"/>');
  expect(sheet).toContain('state="frozen"');
});

it.for(['=1+2', '@SUM(A1)', '+1', '007', '_x000D_', 'a\r\nb\u0001', ' <b> & "c" ', '题目 𝒙', '-3'])(
  'keeps the text %j',
  async (text) => {
    const bytes = await reportBook([[{ ...line, id: text, question: text, failure: text }]]);
    const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml');
    expect(sheet).not.toContain('<f>');
    const [row] = (await readBook(bytes)).rows;
    expect(row?.input).toMatchObject({ id: text, question: text, failure: text });
  },
);

it('keeps a text that is typed over another one, or into an empty cell, as it is typed; numbers stay numbers', async () => {
  const texts = { answer: '2/3', failure: '1-2', title: null, video: 'a/video.mp4' };
  const bytes = await reportBook([[{ ...line, ...texts, points: 3, seconds: 1.5, seconds_video: 2 }]]);
  const { columns, cells } = await numberFormats(bytes);
  const [text, number, time] = [49, 0, 164];
  const expected = reportColumns.map((name) => {
    if (name.endsWith('_at')) return time;
    return /^(row|points|frames|attempts|seconds.*)$/.test(name) ? number : text;
  });
  expect(columns).toEqual(expected);
  expect(cells[0]).toEqual(reportColumns.map(() => text));
  const written = reportColumns.map((name) => ({ ...line, ...texts, seconds_video: 2 })[name]);
  expect(cells[1]).toEqual(expected.filter((_, at) => written[at] !== null));
  expect((await readBook(bytes)).rows[0]?.input).toMatchObject({
    answer: '2/3',
    failure: '1-2',
    points: '3',
  });
});

it('cuts a text that does not fit in a cell', async () => {
  const [row] = (await readBook(await reportBook([[{ ...line, question: 'x'.repeat(40_000) }]]))).rows;
  expect(row?.input.question).toBe(`${'x'.repeat(32_766)}…`);
});

it('links each video by a relative address, or by the one that it has', async () => {
  const bytes = await reportBook([
    [
      { ...line, video: 'a b/第#1?.mp4' },
      { ...line, video: null },
      { ...line, video: 'https://bucket.example/v.mp4?x=1&y=2' },
    ],
  ]);
  const links = await partOf(bytes, 'xl/worksheets/_rels/sheet1.xml.rels');
  expect([...links.matchAll(/Target="([^"]*)" TargetMode="External"/g)].map(([, target]) => target)).toEqual([
    'a%20b/%E7%AC%AC%231%3F.mp4',
    'https://bucket.example/v.mp4?x=1&amp;y=2',
  ]);
  expect(await partOf(bytes, 'xl/worksheets/sheet1.xml')).toContain(
    '<hyperlinks><hyperlink ref="H2" r:id="rId1"/><hyperlink ref="H4" r:id="rId2"/></hyperlinks>',
  );
});

it('leaves a time that is not one as it was written', async () => {
  const [row] = (
    await readBook(
      await reportBook([[{ ...line, created_at: 'yesterday', finish_at: '1601-01-01T00:00:00Z' }]]),
    )
  ).rows;
  expect(row?.input).toMatchObject({ created_at: 'yesterday', finish_at: '1601-01-01T00:00:00Z' });
});

it('continues in another sheet when one is full', async () => {
  const lines = Array.from({ length: 7 }, (_, at) => ({ ...line, row: at + 1 }));
  const bytes = await reportBook([lines.slice(0, 4), lines.slice(4)], { rows: 4, bytes: 2 ** 20, links: 2 });
  const rowsIn = async (sheet: string) =>
    (await readBook(bytes, { sheet })).rows.map(({ input }) => input.row);
  expect([await rowsIn('report'), await rowsIn('report 2'), await rowsIn('report 3')]).toEqual([
    ['1', '2', '3'],
    ['4', '5', '6'],
    ['7'],
  ]);
  expect((await partOf(bytes, 'xl/worksheets/sheet2.xml')).match(/<hyperlink /g)).toHaveLength(2);
});

it('without rows has its header', async () => {
  const { rows, found } = await readBook(await reportBook([]));
  expect(rows).toEqual([]);
  expect(found.notes.join()).toContain('there are no rows below the header');
});

it('writes no more than the parts that it was given, one batch at a time', async () => {
  const sizes: number[] = [];
  const table = createReportTable([source], '0123456789abcdef');
  const book = new ReportWorkbook(table.header, async (bytes) => void sizes.push(bytes.length));
  for (let batch = 0; batch < 200; batch += 1) {
    const rows = Array.from({ length: 100 }, (_, at) => rowOf({ id: `${batch}-${at}` }));
    await book.add(table.cells(rows, rows.map(reportLine)));
  }
  await book.end();
  // The list of links is written at the end of its sheet; everything else leaves with its batch.
  expect(sizes.length).toBeGreaterThan(200);
});

it('has room for more columns than letters', async () => {
  const pieces: Uint8Array[] = [];
  const names = Array.from({ length: 703 }, (_, at) => (at === 0 ? 'question' : `column ${at + 1}`));
  const book = new ReportWorkbook(names, async (bytes) => void pieces.push(bytes));
  await book.add([names.map((_, at) => at + 1)]);
  await book.end();
  const bytes = Buffer.concat(pieces);
  const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml');
  expect(sheet).toContain('<c r="Z2"><v>26</v></c><c r="AA2"><v>27</v></c>');
  expect(sheet).toContain('<c r="ZZ2"><v>702</v></c><c r="AAA2"><v>703</v></c>');
  expect(sheet).toContain('<autoFilter ref="A1:AAA2"/>');
  expect((await readBook(bytes)).rows[0]?.input['column 703']).toBe('703');
});
