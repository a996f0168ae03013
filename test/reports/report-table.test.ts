import { expect, test } from 'vitest';
import type { Source } from '../../src/money/question.ts';
import { reportColumns, reportLine } from '../../src/reports/columns.ts';
import { createReportTable } from '../../src/reports/report-table.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { rowOf, source } from './report-rows.ts';

const other: Source = {
  ...source,
  columns: ['题目', '答案', 'level', 'constructor'],
  fields: { question: '题目', answer: '答案' },
};

const run = '0123456789abcdef';

function tableOf(sources: readonly Source[], rows: readonly ReportRow[]) {
  const table = createReportTable(sources, run);
  const own = table.cells(rows, rows.map(reportLine)).map((cells) => cells.slice(reportColumns.length, -1));
  return { header: table.header.slice(reportColumns.length, -1), own };
}

test('the own columns of all files follow the promised ones, and a row fills those of its file', () => {
  const input = { 题目: '什么？', 答案: '42', level: 'high', chapter: 'of no column' };
  expect(tableOf([source, other], [rowOf(), rowOf({}, { input, source: other })])).toEqual({
    header: ['input.chapter', 'input.level', 'input.constructor'],
    own: [
      ['sums', null, null],
      [null, 'high', null],
    ],
  });
});

test('a column that is a field in one file only is empty in its rows', () => {
  const mapped: Source = { ...source, fields: { ...source.fields, answer: 'chapter' } };
  const [cells] = createReportTable([source, mapped], run).cells(
    [rowOf({}, { source: mapped })],
    [reportLine(rowOf({}, { source: mapped }))],
  );
  expect([cells?.[reportColumns.indexOf('answer')], cells?.at(-2)]).toEqual(['sums', null]);
});

test('numbers stay numbers, and what is no text is JSON', () => {
  const values = [7, -1.5, '007', true, ['a'], { of: 2 }, null];
  const rows = values.map((chapter) => rowOf({}, { input: { question: 'q', chapter } }));
  expect(tableOf([source], rows).own.flat()).toEqual([7, -1.5, '007', 'true', '["a"]', '{"of":2}', null]);
});
