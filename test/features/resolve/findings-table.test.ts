import { expect, test } from 'vitest';
import { parseFindings } from '../../../src/features/resolve/findings-table.ts';

const task = (taskId: string) => ({ type: 'task', taskId });

test('a table names a task, no task, or nothing yet, row by row', () => {
  expect(parseFindings('id,task_id\na,t-1\nb,not-created\nc,\nd\n')).toEqual([
    { id: 'a', line: 2, found: task('t-1') },
    { id: 'b', line: 3, found: { type: 'not-created' } },
    { id: 'c', line: 4, found: { type: 'nothing' } },
    { id: 'd', line: 5, found: { type: 'nothing' } },
  ]);
});

test('other columns, other delimiters and what a spreadsheet adds do not matter', () => {
  const saved = '\ufeffQuestion;Task_ID; ID\r\n"two\r\nlines";Not-Created;\'=a\r\nx; t-2 ;7\r\n;;\r\n';
  expect(parseFindings(saved)).toEqual([
    { id: '=a', line: 2, found: { type: 'not-created' } },
    { id: '7', line: 4, found: task('t-2') },
  ]);
  expect(parseFindings('id\ttask_id\na\tt-1')).toEqual([{ id: 'a', line: 2, found: task('t-1') }]);
});

test('a task without a row is kept, to be told of', () => {
  expect(parseFindings('id,task_id\n,t-1\n')).toEqual([{ id: '', line: 2, found: task('t-1') }]);
});

test.for(['', 'id,question\na,b\n', 'task_id\nt-1\n', 'PK\u0003\u0004'])('%j is no such table', (text) => {
  expect(parseFindings(text)).toBeNull();
});
