import { expect, test } from 'vitest';
import { reportColumns, reportLine } from '../../src/report/columns.ts';
import { renderJsonLines } from '../../src/report/json-lines.ts';
import type { ReportRow } from '../../src/store.ts';
import { attemptOf, rowOf, submittedAt } from './report-rows.ts';

function entryOf(row: ReportRow): Record<string, unknown> {
  return JSON.parse(renderJsonLines([row], [reportLine(row)])) as Record<string, unknown>;
}

test('the exact values stand under the names of the columns, numbers as numbers, unknown as null', () => {
  const entry = entryOf(rowOf({ id: '=1+1', status: 'open', points: null, title: '@title' }));
  expect(Object.keys(entry)).toEqual([...reportColumns, 'input', 'history']);
  expect(entry).toMatchObject({ id: '=1+1', title: '@title', points: null, frames: 0, seconds: 90.3 });
});

test('columns that are no field come back as they were read', () => {
  const input = { id: 'a', question: 'q', quality: 'h', chapter: 'sums', tags: ['x', 1], note: null };
  expect(entryOf(rowOf({}, { input })).input).toEqual({ chapter: 'sums', tags: ['x', 1], note: null });
});

test('only a row that is gone says so', () => {
  expect(entryOf(rowOf({}, { gone: true }))).toMatchObject({ gone: true, row: null });
  expect(entryOf(rowOf())).not.toHaveProperty('gone');
});

test('every attempt is there, oldest first', () => {
  const attempts = [
    attemptOf({ status: 'failed', points: 0, failure: 'no picture' }),
    attemptOf({ attempt: 2, taskId: null, status: 'uncertain', points: null, endedAt: null }),
  ];
  expect(entryOf(rowOf({ status: 'uncertain', attempt: 2 }, { attempts })).history).toEqual([
    {
      attempt: 1,
      submitted_at: new Date(submittedAt).toISOString(),
      ended_at: new Date(submittedAt + 95_000).toISOString(),
      status: 'failed',
      task_id: 'task-1',
      points: 0,
      failure: 'no picture',
    },
    {
      attempt: 2,
      submitted_at: new Date(submittedAt).toISOString(),
      ended_at: null,
      status: 'uncertain',
      task_id: null,
      points: null,
      failure: null,
    },
  ]);
});

test('each row is one line', () => {
  const rows = [rowOf(), rowOf({ id: 'two', failure: 'line\nbreak' })];
  const text = renderJsonLines(rows, rows.map(reportLine));
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trimEnd().split('\n')).toHaveLength(2);
});
