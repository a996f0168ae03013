import { expect, test } from 'vitest';
import { renderTaskFile } from '../../src/reports/task-file.ts';
import { itemOf } from './report-rows.ts';

test('the file says what the service said', () => {
  const text = renderTaskFile(itemOf());
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text)).toEqual({
    id: 'sum-1',
    task_id: 'task-1',
    status: 'COMPLETED',
    title: 'A sum',
    created_at: '2026-03-01T08:00:01Z',
    finish_at: '2026-03-01T08:01:31.26Z',
    points: 10,
    detail: 'a video of medium quality',
    failure: null,
  });
});

test('the state is the word of the service, whether the files are here or not', () => {
  expect(JSON.parse(renderTaskFile(itemOf({ status: 'downloading' })))).toMatchObject({
    status: 'COMPLETED',
  });
  expect(JSON.parse(renderTaskFile(itemOf({ status: 'failed', failure: 'too long' })))).toMatchObject({
    status: 'FAILED',
    failure: 'too long',
  });
});
