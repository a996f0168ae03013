import { expect, test } from 'vitest';
import { parseFindings } from '../../../src/features/resolve/findings-table.ts';

const task = (taskId: string) => ({ type: 'task', taskId });

const found = (id: string, line: number, what: object, question = '', key: string | null = null) => {
  return { id, key, question, line, isListed: false, found: what };
};

test('a table names a task, no task, or nothing yet, row by row', () => {
  expect(parseFindings('id,task_id\na,t-1\nb,not-created\nc,\nd\n')).toEqual([
    found('a', 2, task('t-1')),
    found('b', 3, { type: 'not-created' }),
    found('c', 4, { type: 'nothing' }),
    found('d', 5, { type: 'nothing' }),
  ]);
});

test('other columns, other delimiters and what a spreadsheet adds do not matter', () => {
  const saved = '\ufeffQuestion;Task_ID; ID\r\n"two\r\nlines";Not-Created;\'=a\r\nx; t-2 ;7\r\n;;\r\n';
  expect(parseFindings(saved)).toEqual([
    found('=a', 2, { type: 'not-created' }, 'two\r\nlines'),
    found('7', 4, task('t-2'), 'x'),
  ]);
  expect(parseFindings('id\ttask_id\na\tt-1')).toEqual([found('a', 2, task('t-1'))]);
});

test('a line with a key needs no id', () => {
  const key = 'b01234567-3-89abcdef';
  expect(parseFindings(`id,task_id,batch\n,t-1,${key}\n`)).toEqual([found('', 2, task('t-1'), '', key)]);
});

test('a task without a row is kept, to be told of', () => {
  expect(parseFindings('id,task_id\n,t-1\n')).toEqual([found('', 2, task('t-1'))]);
});

test.for(['', 'id,question\na,b\n', 'task_id\nt-1\n', 'PK\u0003\u0004'])('%j is no such table', (text) => {
  expect(parseFindings(text)).toBeNull();
});

test('the list of the program is known by its columns, and a column "batch" of the user is no key', () => {
  const listed = 'id,task_id,created_after,created_before,question\na,t-1,,,x\n';
  expect(parseFindings(listed)).toMatchObject([{ isListed: true }]);
  expect(parseFindings('id,task_id,batch\na,t-1,2024-A\n')).toEqual([found('a', 2, task('t-1'))]);
});
