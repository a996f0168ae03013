/** Items, attempts and rows to make reports of: a completed row unless a test says otherwise. */

import { type Artifact, type Item, unsentLife } from '../../src/money/item.ts';
import type { Source } from '../../src/money/question.ts';
import type { Attempt, ReportRow } from '../../src/stores/port/reading.ts';

export const submittedAt = Date.UTC(2026, 2, 1, 8, 0, 0);

export const source: Source = {
  file: 'questions.csv',
  format: 'csv',
  columns: ['id', 'question', 'quality', 'chapter'],
  fields: { id: 'id', question: 'question', quality: 'quality' },
  folder: '/somewhere',
};

export function artifactOf(part: Partial<Artifact>): Artifact {
  return {
    kind: 'video',
    ordinal: 0,
    remoteId: null,
    state: 'saved',
    path: 'sum-1/video.mp4',
    sizeBytes: 10,
    sha256: 'aa',
    tries: 0,
    ...part,
  };
}

export function itemOf(part: Partial<Item> = {}): Item {
  return {
    key: 1,
    row: 1,
    id: 'sum-1',
    folder: 'sum-1',
    ...unsentLife,
    status: 'completed',
    attempt: 1,
    token: 'token-1',
    requestHash: 'hash',
    submittedAt,
    endedAt: submittedAt + 95_000,
    taskId: 'task-1',
    points: 10,
    title: 'A sum',
    createdAt: '2026-03-01T08:00:01Z',
    finishAt: '2026-03-01T08:01:31.26Z',
    detail: 'a video of medium quality',
    artifacts: [artifactOf({})],
    ...part,
  };
}

export function attemptOf(part: Partial<Attempt> = {}): Attempt {
  return {
    attempt: 1,
    submittedAt,
    endedAt: submittedAt + 95_000,
    status: 'completed',
    taskId: 'task-1',
    points: 10,
    failure: null,
    quality: null,
    title: null,
    createdAt: null,
    finishAt: null,
    ...part,
  };
}

/** A row whose only attempt agrees with its item, unless the test gives others. */
export function rowOf(item: Partial<Item> = {}, part: Partial<ReportRow> = {}): ReportRow {
  const whole = itemOf(item);
  const { status, points, taskId, failure } = whole;
  return {
    item: whole,
    gone: false,
    input: { id: whole.id, question: 'What is 1 + 1?', quality: '', chapter: 'sums' },
    source,
    edit: null,
    preferred: null,
    final: null,
    earlierInputs: [],
    earlierCorrections: [],
    correction: null,
    marks: [],
    attempts: [attemptOf({ status, points, taskId, failure })],
    decisions: [],
    inspection: null,
    ...part,
  };
}
