import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Source } from '../../src/money/question.ts';
import { createFailedTable, mergeColumns } from '../../src/reports/failed-table.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { parseRowKey, renderRowKey, textMark } from '../../src/text/ids/row-key.ts';
import { undoDefuse } from '../../src/text/spreadsheet-text.ts';
import { rowOf, source } from './report-rows.ts';

const otherSource: Source = {
  file: 'more.jsonl',
  format: 'jsonl',
  columns: ['编号', '题目', 'images', 'chapter', 'level'],
  fields: { id: '编号', question: '题目', questionImages: 'images' },
  folder: '/somewhere',
};

const ends = { failure: 'failure', key: 'batch', run: '0123456789abcdef' };

/** Each line has the key of its row. */
function withoutKey({ batch = '', ...cells }: Record<string, string>): Record<string, string> {
  expect(parseRowKey(batch)).toMatchObject({
    run: '01234567',
    text: textMark(cells.question ?? cells.题目 ?? ''),
  });
  return cells;
}

/** Rows as a reader gets them: header and cells, defusing undone. */
function readBack(text: string): Record<string, string>[] {
  expect(text.startsWith('\ufeff')).toBe(true);
  const records = parse(text, { bom: true, columns: true, record_delimiter: ['\r\n', '\n', '\r'] });
  return (records as Record<string, string>[]).map((record) =>
    withoutKey(Object.fromEntries(Object.entries(record).map(([name, cell]) => [name, undoDefuse(cell)]))),
  );
}

test('rows that ended badly come back in the columns they were read from, cell by cell', () => {
  const input = { id: '007', question: '=SUM(1)\n"two", three\r', quality: ' h', chapter: "'-quoted" };
  const table = createFailedTable(ends);
  const text = table.render([rowOf(), rowOf({ status: 'failed' }, { input }), rowOf({ status: 'lost' })]);
  expect(text.split('\r\n')[0]).toBe('\ufeffid,question,quality,chapter,failure,batch');
  expect(readBack(text + table.end())).toEqual([
    { ...input, failure: '' },
    { id: 'sum-1', question: 'What is 1 + 1?', quality: '', chapter: 'sums', failure: '' },
  ]);
});

test.each(['failed', 'rejected', 'uncertain', 'undelivered', 'lost', 'invalid'] as const)(
  'a row that is %s stands in the table',
  (status) => {
    expect(readBack(createFailedTable(ends).render([rowOf({ status })]))).toHaveLength(1);
  },
);

test.each(['pending', 'submitting', 'open', 'downloading', 'completed'] as const)(
  'a row that is %s does not',
  (status) => {
    expect(createFailedTable(ends).render([rowOf({ status })])).toBe('');
  },
);

test('a row that is gone from the input is not fed back', () => {
  expect(createFailedTable(ends).render([rowOf({ status: 'failed' }, { gone: true })])).toBe('');
});

test('without a bad row there is the header only', () => {
  const table = createFailedTable(ends);
  expect(table.render([rowOf()])).toBe('');
  expect(table.end()).toBe('\ufeffid,question,quality,chapter,failure,batch\r\n');
  expect(table.isWhole).toBe(true);
});

test('without any row there is an empty table', () => {
  const table = createFailedTable(ends);
  expect(table.end()).toBe('\ufeff');
  expect(table.isWhole).toBe(true);
});

test('lists and objects are written as JSON, what is missing as an empty cell', () => {
  const input = { 编号: 7, images: ['a.png', 'b.png'], level: { of: 2 }, chapter: null };
  const [row] = readBack(
    createFailedTable(ends).render([rowOf({ status: 'failed' }, { input, source: otherSource })]),
  );
  expect(row).toMatchObject({
    编号: '7',
    题目: '',
    images: '["a.png","b.png"]',
    chapter: '',
    level: '{"of":2}',
  });
});

test('pictures of another folder than that of the first row have whole paths, several in one cell too', () => {
  const rows = ['c.png', 'a.png；b.png', 'a.png\nhttps://host/b.png'].map((images) =>
    rowOf({ status: 'failed' }, { input: { 编号: 'x', 题目: '？', images }, source: otherSource }),
  );
  const text = createFailedTable(ends, [], '/data').render(rows);
  expect(readBack(text).map(({ images }) => images)).toEqual([
    '/somewhere/c.png',
    '["/somewhere/a.png","/somewhere/b.png"]',
    '["/somewhere/a.png","https://host/b.png"]',
  ]);
});

test('a row sent with corrected texts has these, also where the file has no column for one, until the file has another text', () => {
  const correction = { question: 'What is 7?', answer: '7', ofQuestion: 'What?', ofAnswer: '', since: 2 };
  const input = { id: 'a', question: 'What?', quality: '', chapter: '' };
  const cells = (attempt: number, edit: ReportRow['edit'] = null) => {
    const row = rowOf({ status: 'failed', attempt }, { input, correction, edit });
    const [read] = readBack(createFailedTable(ends).render([row]));
    return [read?.question, read?.answer];
  };
  expect(cells(2)).toEqual(['What is 7?', '7']);
  // The order of that attempt was never saved.
  expect(cells(1)).toEqual(['What?', undefined]);
  expect(cells(2, { input: { ...input, question: 'And now?' }, source })).toEqual(['And now?', undefined]);
  // The column is used for something else.
  const other = {
    ...source,
    columns: ['id', 'question', 'answer'],
    fields: { id: 'id', question: 'question' },
  };
  const row = rowOf(
    { status: 'failed', attempt: 2 },
    { input: { ...input, answer: 'no' }, source: other, correction },
  );
  expect(readBack(createFailedTable(ends).render([row]))[0]).toMatchObject({
    question: 'What is 7?',
    answer: 'no',
  });
});

test('a field that two sources name differently is one column', () => {
  const names = mergeColumns(mergeColumns([], source), otherSource).map((column) => column.name);
  expect(names).toEqual(['id', 'question', 'quality', 'chapter', 'images', 'level']);
  const input = { 编号: 'x', 题目: '什么？', level: 'high' };
  const table = createFailedTable(ends);
  const text = table.render([
    rowOf({ status: 'failed' }),
    rowOf({ status: 'failed' }, { input, source: otherSource }),
  ]);
  expect(readBack(text)[1]).toEqual({
    id: 'x',
    question: '什么？',
    quality: '',
    chapter: '',
    images: '',
    level: 'high',
    failure: '',
  });
});

test('a column that comes up after the header is reported, and every record keeps the length of the header', () => {
  const table = createFailedTable(ends);
  const late = rowOf({ status: 'failed' }, { input: { level: 'high' }, source: otherSource });
  const text = table.render([rowOf({ status: 'failed' })]) + table.render([late]);
  expect(table.isWhole).toBe(false);
  expect(readBack(text)).toHaveLength(2);

  const again = createFailedTable(ends, table.columns);
  expect(readBack(again.render([rowOf({ status: 'failed' })]) + again.render([late]))[1]).toMatchObject({
    level: 'high',
  });
  expect(again.isWhole).toBe(true);
});

test('a column that an input names like a built-in property is taken from the row only', () => {
  const odd: Source = { ...source, columns: ['question', 'constructor'], fields: { question: 'question' } };
  const [row] = readBack(
    createFailedTable(ends).render([rowOf({ status: 'failed' }, { input: { question: 'q' }, source: odd })]),
  );
  expect(row).toEqual({ question: 'q', constructor: '', failure: '' });
});

test('the column before the key says why the row ended so, and is defused as all texts of the service are', () => {
  const table = createFailedTable({ ...ends, failure: 'failure_2' });
  const bad = rowOf({ status: 'failed', failure: '=内容不符合规范' });
  const text = table.render([bad]);
  const key = renderRowKey(ends.run, bad.item, 'What is 1 + 1?');
  expect(text).toBe(
    `\ufeffid,question,quality,chapter,failure_2,batch\r\nsum-1,What is 1 + 1?,,sums,'=内容不符合规范,${key}\r\n`,
  );
  expect(table.header.slice(-2)).toEqual(['failure_2', 'batch']);
  expect(table.cells(bad)).toEqual(['sum-1', 'What is 1 + 1?', '', 'sums', '=内容不符合规范', key]);
});
