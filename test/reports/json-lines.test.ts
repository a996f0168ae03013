import { expect, test } from 'vitest';
import { reportColumns, reportLine } from '../../src/reports/columns.ts';
import { renderJsonLines } from '../../src/reports/json-lines.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { reportLines } from '../support/written.ts';
import { artifactOf, attemptOf, rowOf, submittedAt } from './report-rows.ts';

const run = '0123456789abcdef';

function entryOf(row: ReportRow): Record<string, unknown> {
  return reportLines(renderJsonLines([row], [reportLine(row)], run))[0] ?? {};
}

test('the exact values stand under the names of the columns, numbers as numbers, unknown as null', () => {
  const entry = entryOf(rowOf({ id: '=1+1', status: 'open', points: null, title: '@title' }));
  expect(Object.keys(entry)).toEqual([...reportColumns, 'input', 'history', 'batch']);
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
  const path = 'sum-1/attempt-1/video.mp4';
  const artifacts = [artifactOf({ kind: 'earlier-video', ordinal: 1, path })];
  expect(entryOf(rowOf({ status: 'uncertain', attempt: 2, artifacts }, { attempts })).history).toEqual([
    {
      attempt: 1,
      quality: 'm',
      submitted_at: new Date(submittedAt).toISOString(),
      ended_at: new Date(submittedAt + 95_000).toISOString(),
      status: 'failed',
      task_id: 'task-1',
      points: 0,
      failure: 'no picture',
      video: 'sum-1/attempt-1/video.mp4',
    },
    {
      attempt: 2,
      quality: 'm',
      submitted_at: new Date(submittedAt).toISOString(),
      ended_at: null,
      status: 'uncertain',
      task_id: null,
      points: null,
      failure: null,
      video: null,
    },
  ]);
});

test('each row is one line', () => {
  const rows = [rowOf(), rowOf({ id: 'two', failure: 'line\nbreak' })];
  const text = renderJsonLines(rows, rows.map(reportLine), run);
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trimEnd().split('\n')).toHaveLength(2);
});

test('a preferred attempt has the video of the row, and the row says so', () => {
  const artifacts = [
    artifactOf({}),
    artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.mp4' }),
  ];
  const entry = entryOf(rowOf({ attempt: 2, artifacts }, { preferred: 1 }));
  expect(entry).toMatchObject({ video: 'sum-1/attempt-1/video.mp4', preferred: 1 });
  expect(entryOf(rowOf({ attempt: 2, artifacts }))).toMatchObject({ video: 'sum-1/video.mp4' });
  expect(entryOf(rowOf({ attempt: 2, artifacts }))).not.toHaveProperty('preferred');
});

test('a corrected row has the texts that were sent, and says what they were', () => {
  const correction = {
    question: 'What is 1 + 2?',
    answer: null,
    ofQuestion: 'What is 1 + 1?',
    ofAnswer: '',
    since: 2,
  };
  const question = { from: 'What is 1 + 1?', to: 'What is 1 + 2?' };
  const sent = { question: question.to, corrected: { question } };
  expect(entryOf(rowOf({ attempt: 2 }, { correction }))).toMatchObject(sent);
  expect(entryOf(rowOf({ attempt: 1, status: 'pending' }, { correction }))).toMatchObject(sent);
  // Neither before an attempt sends it, nor after the file has another text.
  for (const row of [
    rowOf({ attempt: 1 }, { correction }),
    rowOf({ attempt: 2 }, { correction: { ...correction, ofQuestion: 'What is 2 + 2?' } }),
  ]) {
    expect(entryOf(row)).toMatchObject({ question: question.from });
    expect(entryOf(row)).not.toHaveProperty('corrected');
  }
  const answer = { ...correction, question: null, answer: '2' };
  expect(entryOf(rowOf({ attempt: 2 }, { correction: answer })).corrected).toEqual({
    answer: { from: '', to: '2' },
  });
});

test('what was found about a video is there with its codes and values, once somebody looked into it', () => {
  const findings = [{ code: 'duration', times: 0.1 }] as const;
  const inspection = { container: 'unreadable', playback: null, findings } as const;
  expect(entryOf(rowOf({}, { inspection })).findings).toEqual(findings);
  expect(entryOf(rowOf())).not.toHaveProperty('findings');
});
