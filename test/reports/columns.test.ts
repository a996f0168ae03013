import { describe, expect, test } from 'vitest';
import type { ReviewMark } from '../../src/money/review.ts';
import { isoTime, reportColumns, reportLine } from '../../src/reports/columns.ts';
import { renderJsonLines } from '../../src/reports/json-lines.ts';
import { pageRow } from '../../src/reports/page-row.ts';
import { artifactOf, attemptOf, rowOf, source, submittedAt } from './report-rows.ts';

test('the columns are the promised ones, in the promised order', () => {
  expect(reportColumns.join(', ')).toBe(
    'row, id, status, points, question, quality, title, video, frames, failure, task_id, created_at, ' +
      'finish_at, submitted_at, seconds, attempts, seconds_video, suspect, answer, reviewed_by, reused_from',
  );
});

test('a completed row has a value in every column', () => {
  const frames = [1, 2, 3].map((ordinal) => artifactOf({ kind: 'frame', ordinal, path: `f/${ordinal}.png` }));
  const given = artifactOf({ kind: 'frame', ordinal: 4, path: null, state: 'missing' });
  expect(reportLine(rowOf({ artifacts: [...frames, given, artifactOf({})] }))).toEqual({
    row: 1,
    id: 'sum-1',
    status: 'completed',
    points: 10,
    question: 'What is 1 + 1?',
    quality: 'm',
    title: 'A sum',
    video: 'sum-1/video.mp4',
    frames: 3,
    failure: null,
    task_id: 'task-1',
    created_at: '2026-03-01T08:00:01Z',
    finish_at: '2026-03-01T08:01:31.26Z',
    submitted_at: '2026-03-01T08:00:00.000Z',
    seconds: 90.3,
    attempts: 1,
    seconds_video: null,
    suspect: null,
    answer: null,
    reviewed_by: null,
    reused_from: null,
  });
});

test('a row with marks names their reviewers, and one without a name is not left out', () => {
  const markOf = (reviewer: string, mark: ReviewMark['mark']): ReviewMark => ({
    reviewer,
    mark,
    note: 'a 7, not a 1',
    attempt: 1,
    question: null,
    answer: null,
    at: submittedAt,
  });
  const marks = [markOf('', 'bad'), markOf('Anna 安娜', 'good'), markOf('Ben', '')];
  expect(reportLine(rowOf({}, { marks })).reviewed_by).toBe('a reviewer;Anna 安娜;Ben');
});

test('a row whose video was looked into has its duration, and the reasons to look at it in one cell', () => {
  const container = {
    seconds: 61.5,
    hasPicture: true,
    hasSound: true,
    width: 640,
    height: 360,
    isCut: true,
    gap: null,
  };
  const findings = [{ code: 'cut-off' }, { code: 'same-file', rows: ['sum-1', 'sum-2'] }] as const;
  const line = reportLine(rowOf({}, { inspection: { container, playback: null, findings } }));
  expect(line).toMatchObject({
    seconds_video: 61.5,
    suspect: 'the file is cut off; the same file as sum-2',
  });
  const unread = { container: null, playback: null, findings: [] };
  expect(reportLine(rowOf({}, { inspection: unread }))).toMatchObject({ seconds_video: null, suspect: null });
});

test('the keys of a line are the columns', () => {
  expect(Object.keys(reportLine(rowOf()))).toEqual([...reportColumns]);
});

test('a row that is gone from the input has no row number', () => {
  expect(reportLine(rowOf({ row: 7 }, { gone: true })).row).toBeNull();
});

test('a video that is still wanted has no path', () => {
  const artifacts = [artifactOf({ state: 'wanted', path: null })];
  expect(reportLine(rowOf({ status: 'downloading', artifacts })).video).toBeNull();
});

test('quality is what was asked for, else what the row says, else the default of the service', () => {
  const input = { id: 'a', question: 'q', quality: 'h' };
  expect(reportLine(rowOf({ quality: 'l' }, { input })).quality).toBe('l');
  expect(reportLine(rowOf({ quality: null }, { input })).quality).toBe('h');
  expect(reportLine(rowOf({ quality: null })).quality).toBe('m');
});

test('the question is the text of the mapped column, as written', () => {
  const input = { 题目: '  什么是 $\\frac{1}{2}$？\n ' };
  const chinese = { ...source, columns: ['题目'], fields: { question: '题目' } };
  expect(reportLine(rowOf({}, { input, source: chinese })).question).toBe('  什么是 $\\frac{1}{2}$？\n ');
});

describe('points', () => {
  const notSent = { points: null, attempt: 0, submittedAt: null } as const;

  test.each(['pending', 'invalid', 'rejected'] as const)('a row that is %s costs nothing', (status) => {
    expect(reportLine(rowOf({ ...notSent, status }, { attempts: [] })).points).toBe(0);
  });

  test('a failed task without an entry costs nothing', () => {
    expect(reportLine(rowOf({ status: 'failed', points: null })).points).toBe(0);
  });

  test.each(['submitting', 'open', 'uncertain', 'lost', 'completed', 'undelivered'] as const)(
    'a row that is %s is of unknown price while the service named none',
    (status) => {
      expect(reportLine(rowOf({ status, points: null })).points).toBeNull();
    },
  );

  test('uncertain is never 0', () => {
    expect(reportLine(rowOf({ status: 'uncertain', points: 0 })).points).toBeNull();
  });

  test('a task that was charged 0 points costs 0', () => {
    expect(reportLine(rowOf({ status: 'completed', points: 0 })).points).toBe(0);
  });

  test('the points of all attempts are added up, without the dust of binary fractions', () => {
    const attempts = [
      attemptOf({ attempt: 1, status: 'failed', points: 0.1 }),
      attemptOf({ attempt: 2, points: 0.2 }),
    ];
    expect(reportLine(rowOf({ attempt: 2, points: 0.2 }, { attempts })).points).toBe(0.3);
  });

  test('a creation that was refused and sent again is no attempt of people, and one that may have made a task is', () => {
    const unmade = { taskId: null, points: 0 };
    const attempts = [
      attemptOf({ ...unmade, status: 'pending', failure: 'HTTP 429' }),
      attemptOf({ ...unmade, attempt: 2, status: 'invalid', failure: 'the picture is gone' }),
      attemptOf({ ...unmade, attempt: 3, status: 'rejected', failure: 'no' }),
      attemptOf({ ...unmade, attempt: 4, status: 'uncertain', points: null }),
      attemptOf({ attempt: 5, status: 'pending', points: null }),
      attemptOf({ attempt: 6 }),
    ];
    const row = rowOf({ attempt: 6 }, { attempts });
    expect(reportLine(row).attempts).toBe(4);
    expect(JSON.parse(renderJsonLines([row], [reportLine(row)], '0123456789abcdef')).history).toMatchObject([
      { attempt: 1, status: 'pending', sent_again: true },
      { attempt: 2, sent_again: true },
      ...[3, 4, 5, 6].map((attempt) => expect.not.objectContaining({ attempt, sent_again: true })),
    ]);
    // Marks name an attempt by its number.
    expect(pageRow(row, () => null)).toMatchObject({ attempts: 6, counted: 4 });
  });

  test('what earlier attempts cost is shown while the price of the current one is unknown', () => {
    const attempts = [attemptOf({ points: 10 }), attemptOf({ attempt: 2, status: 'open', points: null })];
    expect(reportLine(rowOf({ status: 'open', attempt: 2, points: null }, { attempts })).points).toBe(10);
  });

  test('a lost attempt of unknown price leaves the sum unknown after a free one', () => {
    const attempts = [
      attemptOf({ status: 'lost', points: null }),
      attemptOf({ attempt: 2, status: 'failed', points: 0 }),
    ];
    expect(reportLine(rowOf({ status: 'failed', attempt: 2, points: 0 }, { attempts })).points).toBeNull();
  });
});

describe('seconds', () => {
  test('without the times of the service they are counted from here', () => {
    expect(reportLine(rowOf({ createdAt: null })).seconds).toBe(95);
    expect(reportLine(rowOf({ finishAt: 'soon' })).seconds).toBe(95);
  });

  test('times of the service that run backwards are not believed', () => {
    expect(reportLine(rowOf({ finishAt: '2026-03-01T07:00:00Z' })).seconds).toBe(95);
  });

  test('a task that has not ended has none', () => {
    expect(reportLine(rowOf({ createdAt: null, endedAt: null })).seconds).toBeNull();
  });
});

test('times are written as the standard library writes them, whatever day came before', () => {
  const day = 86_400_000;
  const starts = [
    0,
    -1,
    1,
    day - 1,
    day,
    -day,
    submittedAt,
    submittedAt + 999,
    Date.UTC(2024, 1, 29),
    8.64e15,
    -8.64e15,
  ];
  const times = starts.flatMap((at) => [at, submittedAt + 61_001, at]);
  expect(times.map(isoTime)).toEqual(times.map((at) => new Date(at).toISOString()));
  expect(isoTime(null)).toBeNull();
  expect(() => isoTime(8.64e15 + 1)).toThrow(RangeError);
});
