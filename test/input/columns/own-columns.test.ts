import { expect, test } from 'vitest';
import {
  endsInFailures,
  failureColumn,
  keyColumn,
  mostOwnColumns,
  ownColumns,
  ownColumnsOf,
  ownColumnsReader,
} from '../../../src/input/columns/own-columns.ts';
import type { Source } from '../../../src/money/question.ts';

function sourceOf(columns: readonly string[], fields: Source['fields'] = {}): Source {
  return { file: 'q.csv', format: 'csv', folder: '/', columns, fields };
}

test('columns that are no field are the own ones, each once, in the order of the files', () => {
  const first = sourceOf(['题目', '章节', 'level'], { question: '题目' });
  const second = sourceOf(['level', 'question', '题目', 'note'], { question: 'question' });
  expect(ownColumnsOf(first)).toEqual(['章节', 'level']);
  expect(ownColumns([first, second])).toEqual(['章节', 'level', '题目', 'note']);
  expect(ownColumns([])).toEqual([]);
  const ownOf = ownColumnsReader();
  expect([...ownOf(first)]).toEqual(['章节', 'level']);
  expect(ownOf(first)).toBe(ownOf(first));
});

test('there are no more of them than a table can bear', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `key ${at}`);
  expect(ownColumns([sourceOf(many)])).toEqual(many.slice(0, mostOwnColumns));
});

test('the columns with the failures and the keys never have the name of a column of the files', () => {
  expect(failureColumn([])).toBe('failure');
  expect(failureColumn([sourceOf(['question', 'note'])])).toBe('failure');
  expect(failureColumn([sourceOf(['question']), sourceOf(['Failure '])])).toBe('failure_2');
  expect(failureColumn([sourceOf(['failure', 'FAILURE_2'])])).toBe('failure_3');
  expect([keyColumn([]), keyColumn([sourceOf(['Batch'])])]).toEqual(['batch', 'batch_2']);
});

test('a table without its keys ends in failures', () => {
  for (const last of ['failure', 'failure_2', ' failure '])
    expect(endsInFailures(['id', 'question', last]), last).toBe(true);
  for (const header of [
    [],
    ['failure', 'question'],
    ['question', 'failures'],
    ['question', 'mode of failure'],
  ])
    expect(endsInFailures(header), header.join()).toBe(false);
});
