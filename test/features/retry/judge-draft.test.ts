import { describe, expect, it } from 'vitest';
import { judgeDraft } from '../../../src/features/retry/judge-draft.ts';
import type { Item } from '../../../src/money/item.ts';
import type { GivenMark } from '../../../src/money/review/joined-marks.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { artifactOf, attemptOf, rowOf, source } from '../../reports/report-rows.ts';

/** A mark of Anna, who calls the first attempt good. */
const mark = (part: Partial<GivenMark> = {}): GivenMark => ({
  id: 'sum-1',
  key: null,
  mark: 'good',
  note: '',
  attempt: 1,
  unreadable: null,
  question: null,
  answer: null,
  prefer: '',
  reviewer: 'Anna',
  row: '',
  status: '',
  broken: null,
  line: 2,
  by: 'Anna',
  ...part,
});

const good = [mark()];

/** A row whose draft was made in quality `l`. */
function draft(item: Partial<Item> = {}, row: Partial<ReportRow> = {}): ReportRow {
  return rowOf({ quality: 'l', ...item }, { attempts: [attemptOf({ quality: 'l' })], ...row });
}

const final = { quality: 'h', draft: 1, since: 2, isDraftStanding: true } as const;
const earlier = artifactOf({ kind: 'earlier-video', ordinal: 1 });
const correction = { question: '2 + 2', answer: null, ofQuestion: 'What is 1 + 1?', ofAnswer: '', since: 1 };
const twoVideos = { attempt: 2, artifacts: [earlier, artifactOf({})] };

describe('a final is ordered', () => {
  it('of the video that stands for the row, as it was made', () => {
    expect(judgeDraft(draft(), 'h', good)).toEqual({ is: 'draft', draft: 1, isCorrected: false });
    const failed = draft({ attempt: 2, status: 'failed', artifacts: [earlier] });
    expect(judgeDraft(failed, 'h', good)).toMatchObject({ is: 'draft', draft: 1 });
    const chosen = draft(twoVideos, { preferred: 1 });
    expect(judgeDraft(chosen, 'h', good)).toMatchObject({ is: 'draft', draft: 1 });
  });

  it('with the correction that it was made with, whatever was corrected or left since', () => {
    const same = draft({}, { correction });
    expect(judgeDraft(same, 'h', good)).toEqual({ is: 'draft', draft: 1, isCorrected: true });
    const agreed = [mark({ question: '2 + 2 ' })];
    expect(judgeDraft(same, 'h', agreed)).toMatchObject({ is: 'draft', isCorrected: true });
    const since = { ...correction, question: '3 + 3', since: 2 };
    const earlierCorrections = [{ ...correction, attempt: 1 }];
    const other = draft(twoVideos, { preferred: 1, correction: since, earlierCorrections });
    expect(judgeDraft(other, 'h', good)).toEqual({
      is: 'draft',
      draft: 1,
      isCorrected: true,
      correction: { ...correction, since: 3 },
    });
    const own = draft({}, { correction: since });
    expect(judgeDraft(own, 'h', good)).toEqual({
      is: 'draft',
      draft: 1,
      isCorrected: false,
      correction: null,
    });
  });

  it('without an attempt in a table where there is only one video', () => {
    expect(judgeDraft(draft(), 'h', [mark({ attempt: null })])).toMatchObject({ is: 'draft' });
    expect(judgeDraft(draft(twoVideos), 'h', [mark({ attempt: null })])).toMatchObject({
      is: 'left-out',
      why: { text: expect.stringContaining('several attempts') },
    });
  });
});

describe('no final is ordered', () => {
  it.for<[string, string, ReportRow, (readonly GivenMark[])?]>([
    ['had', 'where one was ordered before', draft({}, { final })],
    [
      'had',
      'where an attempt had this quality',
      draft({ quality: 'h' }, { attempts: [attemptOf({ quality: 'h' })] }),
    ],
    ['under-way', 'where one waits', draft({ status: 'pending' }, { final })],
    [
      'under-way',
      'where one is made',
      draft({ status: 'open', attempt: 2, artifacts: [earlier] }, { final }),
    ],
    ['other-video', 'where the mark is about an earlier video', draft(twoVideos)],
    ['other-video', 'where nobody calls this video good', draft(), [mark({ mark: '' })]],
    [
      'disputed',
      'where reviewers contradict each other',
      draft(),
      [mark(), mark({ by: 'Ben', mark: 'bad' })],
    ],
    ['left-out', 'where there is no video', draft({ artifacts: [] })],
    [
      'left-out',
      'where the row is being made again',
      draft({ status: 'open', artifacts: [earlier], attempt: 2 }),
    ],
    ['left-out', 'where the file has another text', draft({}, { edit: { input: {}, source } })],
    [
      'left-out',
      'where the row was sent with another text since',
      draft({ ...twoVideos }, { preferred: 1, earlierInputs: [{ attempt: 1, input: {}, source }] }),
    ],
    ['left-out', 'where the reviewer wants another text', draft(), [mark({ question: 'Another?' })]],
    ['left-out', 'where the reviewer wants another answer', draft(), [mark({ answer: '3' })]],
  ])('%s: %s', ([is, , row, marks = good]) => {
    expect(judgeDraft(row, 'h', marks)).toMatchObject({ is });
  });

  it('counts a creation that made no task as none', () => {
    const waited = attemptOf({ attempt: 2, quality: 'h', status: 'pending', taskId: null });
    const row = draft({}, { attempts: [attemptOf({ quality: 'l' }), waited] });
    expect(judgeDraft(row, 'h', good)).toMatchObject({ is: 'draft' });
  });

  it('knows the quality of the service where none was asked for', () => {
    const row = draft({ quality: null }, { attempts: [attemptOf({ quality: null })] });
    expect(judgeDraft(row, 'm', good)).toEqual({ is: 'had' });
    expect(judgeDraft(row, 'h', good)).toMatchObject({ is: 'draft' });
  });
});
