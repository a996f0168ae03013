/** Which attempt stands for a row. */

import { describe, expect, it } from 'vitest';
import { withReused } from '../../src/money/reused.ts';
import { asStanding, isCounted, standingAttempt } from '../../src/money/standing-attempt.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { artifactOf, attemptOf, rowOf } from '../reports/report-rows.ts';

const first = artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.mp4' });
const facts = attemptOf({ quality: 'h', title: 'The first', taskId: 'task-1', createdAt: 'then' });

/** A row whose second attempt has failed. */
function failedAgain(part: Partial<ReportRow> = {}): ReportRow {
  const item = { attempt: 2, token: 'token-2', status: 'failed', title: 'The second' } as const;
  const failed = attemptOf({ attempt: 2, status: 'failed', failure: 'too hard', taskId: 'task-2' });
  return rowOf(
    { ...item, failure: 'too hard', taskId: 'task-2', artifacts: [first] },
    { attempts: [facts, failed], ...part },
  );
}

describe('the attempt whose video is shown', () => {
  it('gives its facts to a row that a newer attempt has failed, and leaves the status', () => {
    const { item } = asStanding(failedAgain());
    expect(item).toMatchObject({
      attempt: 1,
      title: 'The first',
      quality: 'h',
      taskId: 'task-1',
      failure: null,
    });
    expect(item.status).toBe('failed');
  });

  it('is the preferred one, else the latest that has one; without a video nothing is changed', () => {
    const second = artifactOf({ path: 'sum-1/video.mp4' });
    const both = failedAgain({ preferred: 1 });
    const row = { ...both, item: { ...both.item, artifacts: [first, second] } };
    expect(standingAttempt(row)).toBe(1);
    expect(standingAttempt({ ...row, preferred: null })).toBe(2);
    expect(asStanding({ ...row, preferred: null }).item).toBe(row.item);
    const none = rowOf({ artifacts: [] });
    expect(standingAttempt(none)).toBeNull();
    expect(asStanding(none)).toBe(none);
    for (const status of ['pending', 'invalid'] as const) {
      const waiting = rowOf({ status, artifacts: [], token: null }, { earlierInputs: [] });
      expect(asStanding(waiting)).toBe(waiting);
    }
  });

  it('may be one that the store does not know: the row keeps its facts', () => {
    const row = failedAgain({ attempts: [] });
    expect(asStanding(row)).toBe(row);
  });

  it('is none where the video was taken from another row after one had failed', () => {
    const before = { ...failedAgain().item, artifacts: [] };
    const origin = {
      quality: 'm',
      title: 'Theirs',
      folder: null,
      id: 'b',
      artifacts: [artifactOf({})],
    } as const;
    const row = { ...failedAgain(), item: withReused(before, origin) };
    expect(asStanding(row)).toBe(row);
  });

  it('is one whose row waits for the next one', () => {
    const row = rowOf({ status: 'pending', token: null, title: null, taskId: null }, { attempts: [facts] });
    expect(asStanding(row).item).toMatchObject({ title: 'The first', taskId: 'task-1', status: 'pending' });
  });
});

describe('the texts of the attempt whose video is shown', () => {
  const correction = { question: 'new', answer: null, ofQuestion: 'old', ofAnswer: '' };
  const sent = { attempt: 1, input: { question: 'old' }, source: rowOf().source };

  it('are those that were sent with it', () => {
    expect(asStanding(failedAgain({ earlierInputs: [sent] })).input).toEqual({ question: 'old' });
    const later = failedAgain({ earlierInputs: [{ ...sent, attempt: 0 }] });
    expect(asStanding(later).input).toBe(later.input);
  });

  it('are those of the latest attempt, too, where the row has another correction for the next one', () => {
    const earlierCorrections = [{ ...correction, since: 1, attempt: 1 }];
    const row = rowOf({}, { earlierCorrections, correction: { ...correction, since: 2 } });
    expect(asStanding(row)).toMatchObject({ item: row.item, correction: earlierCorrections[0] });
  });

  it('are corrected as they were then', () => {
    const now = { ...correction, since: 2 };
    expect(asStanding(failedAgain({ correction: now })).correction).toBeNull();
    expect(asStanding(failedAgain({ correction: { ...now, since: 1 } })).correction).toEqual({
      ...now,
      since: 1,
    });
    const earlierCorrections = [
      { ...correction, since: 0, attempt: 0 },
      { ...correction, since: 1, attempt: 1 },
    ];
    expect(asStanding(failedAgain({ correction: now, earlierCorrections })).correction).toBe(
      earlierCorrections[1],
    );
    expect(
      asStanding(failedAgain({ earlierCorrections: [{ ...correction, since: 2, attempt: 2 }] })).correction,
    ).toBeNull();
  });
});

it.each([
  ['pending', null, false],
  ['invalid', null, false],
  ['pending', 'task-1', true],
  ['uncertain', null, true],
  ['rejected', null, true],
] as const)(
  'a creation that left its row %s, with the task %s, is counted as an attempt: %s',
  (status, taskId, isOne) => {
    expect(isCounted({ status, taskId })).toBe(isOne);
  },
);
