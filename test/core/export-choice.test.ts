import { describe, expect, it } from 'vitest';
import { chooseRow, type ExportChoice } from '../../src/core/export-choice.ts';
import type { Item } from '../../src/core/item.ts';
import { artifactOf, itemOf } from '../report/report-rows.ts';

const completed: ExportChoice = { kind: 'completed' };
const named = (...rows: [string, number | null][]): ExportChoice => ({ kind: 'named', rows: new Map(rows) });
const choose = (item: Partial<Item>, choice: ExportChoice, gone = false) =>
  chooseRow(itemOf(item), gone, choice);

const video = { path: 'sum-1/video.mp4', sizeBytes: 10, sha256: 'aa', attempt: 1 };

describe('an export of the completed rows', () => {
  it('takes the video of a completed row', () => {
    expect(choose({}, completed)).toEqual({ is: 'chosen', video });
  });

  it.each([
    ['a row that is open', { status: 'open' as const }, false],
    ['a row that has left the input', {}, true],
  ])('leaves out %s', (_, item, gone) => {
    expect(choose(item, completed, gone)).toEqual({ is: 'not-chosen' });
  });
});

describe('an export of named rows', () => {
  it('takes them whatever their status, if they have a video', () => {
    expect(choose({ status: 'open' }, named(['sum-1', null]), true)).toEqual({ is: 'chosen', video });
    expect(choose({}, named(['other', null]))).toEqual({ is: 'not-chosen' });
    expect(choose({ artifacts: [] }, named(['sum-1', null]))).toEqual({ is: 'without-video' });
  });

  it('leaves out a row whose video is not the one that was marked', () => {
    expect(choose({ attempt: 2 }, named(['sum-1', 1]))).toEqual({ is: 'other-attempt' });
    expect(choose({ attempt: 2 }, named(['sum-1', 2]))).toMatchObject({ is: 'chosen' });
  });
});

describe('the attempt of a video', () => {
  const attemptOf = (item: Partial<Item>) => choose(item, named(['sum-1', null]));

  it('is the one in its path', () => {
    const artifacts = [artifactOf({ kind: 'earlier', path: 'sum-1/attempt-1/video.mp4' })];
    expect(attemptOf({ attempt: 3, artifacts })).toMatchObject({ video: { attempt: 1 } });
  });

  it('is the one before where the files could not be set aside', () => {
    const artifacts = [artifactOf({ kind: 'earlier' })];
    expect(attemptOf({ attempt: 2, artifacts })).toMatchObject({ video: { attempt: 1 } });
  });

  it.each(['path', 'sizeBytes', 'sha256'] as const)('is none without a %s', (part) => {
    expect(attemptOf({ artifacts: [artifactOf({ [part]: null })] })).toEqual({ is: 'without-video' });
  });
});
