import { expect, it } from 'vitest';
import { reportColumns } from '../../src/reports/columns.ts';
import { madeTable } from '../../src/reports/made-tables.ts';

it.each([
  ['as it was written', [...reportColumns]],
  ['with the columns of the input behind its own', [...reportColumns, 'chapter']],
  ['with a column in front', ['chapter', ...reportColumns]],
  ['with a column moved to the end', [...reportColumns.slice(1), 'row']],
  ['with other capitals', reportColumns.map((column) => column.toUpperCase())],
])('a report is known by its header %s', (_name, header) => {
  expect(madeTable(header)).toBe('report');
});

it.each([
  ['some columns of a report', ['id', 'status', 'question', 'answer', 'points', 'title']],
  ['all but one', reportColumns.filter((column) => column !== 'attempts')],
  ['none', ['question']],
])('a file with %s is one of questions', (_name, header) => {
  expect(madeTable(header)).toBeNull();
});
