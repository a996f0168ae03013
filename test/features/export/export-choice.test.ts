import { describe, expect, it } from 'vitest';
import { chooseRow, type ExportChoice, knownVideos } from '../../../src/features/export/export-choice.ts';
import type { Item } from '../../../src/money/item.ts';
import { artifactOf, itemOf } from '../../reports/report-rows.ts';

const completed: ExportChoice = { kind: 'completed' };
const named = (...rows: [string, number | null | 'contested'][]): ExportChoice => ({
  kind: 'named',
  rows: new Map(rows),
});
const choose = (item: Partial<Item>, choice: ExportChoice, gone = false, preferred: number | null = null) =>
  chooseRow({ item: itemOf(item), gone, preferred }, choice);

const video = { path: 'sum-1/video.mp4', sizeBytes: 10, sha256: 'aa', attempt: 1 };

describe('an export of the completed rows', () => {
  it.each([
    'completed',
    'pending',
    'open',
    'failed',
    'rejected',
    'uncertain',
    'lost',
    'undelivered',
    'invalid',
  ] as const)('takes the video that a row has while its status is %s', (status) => {
    expect(choose({ status }, completed)).toEqual({ is: 'chosen', video });
    const artifacts = [artifactOf({ ...video, kind: 'earlier-video', ordinal: 1 })];
    expect(choose({ status, attempt: 3, artifacts }, completed)).toEqual({ is: 'chosen', video });
  });

  it.each([
    ['a row without a video', { status: 'failed' as const, artifacts: [] }, false],
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

  it('leaves out a row whose video is not the one that was marked, or is contested', () => {
    expect(choose({ attempt: 2 }, named(['sum-1', 1]))).toEqual({ is: 'other-attempt' });
    expect(choose({ attempt: 2 }, named(['sum-1', 2]))).toMatchObject({ is: 'chosen' });
    expect(choose({}, named(['sum-1', 'contested']))).toEqual({ is: 'contested' });
  });
});

describe('an export of good rows', () => {
  const good = (...marks: ['good' | 'bad' | '', number][]): ExportChoice => ({
    kind: 'good',
    marks: new Map([['sum-1', marks.map(([mark, attempt]) => ({ mark, attempt }))]]),
  });

  it('takes a video that is called good, and by nobody bad', () => {
    expect(choose({}, good(['good', 1], ['', 1]))).toEqual({ is: 'chosen', video });
    expect(choose({}, good(['good', 1], ['bad', 1]))).toEqual({ is: 'contested' });
  });

  it('goes by the marks of the video that the row shows', () => {
    expect(choose({ attempt: 2 }, good(['bad', 1], ['good', 2]))).toMatchObject({ is: 'chosen' });
    expect(choose({ attempt: 2 }, good(['good', 1]))).toEqual({ is: 'other-attempt' });
  });

  it.each([
    ['without a mark', {}, false],
    ['that have left the input', {}, true],
  ])('leaves out rows %s', (_, item, gone) => {
    expect(choose(item, gone ? good(['good', 1]) : good(['bad', 1]), gone)).toEqual({ is: 'not-chosen' });
    expect(choose({ ...item, id: 'other' }, good(['good', 1]))).toEqual({ is: 'not-chosen' });
  });
});

describe('the attempt of a video', () => {
  const any = named(['sum-1', null]);
  const earlier = artifactOf({
    kind: 'earlier-video',
    ordinal: 1,
    path: 'sum-1/attempt-1/video.mp4',
    sha256: 'bb',
  });

  it('is the latest, or the preferred one', () => {
    const item = { attempt: 2, artifacts: [earlier, artifactOf({})] };
    expect(choose(item, any)).toMatchObject({ video: { attempt: 2, sha256: 'aa' } });
    expect(choose(item, any, false, 1)).toMatchObject({ video: { attempt: 1, sha256: 'bb' } });
  });

  it.each(['path', 'sizeBytes', 'sha256'] as const)('is none without a %s', (part) => {
    expect(choose({ artifacts: [artifactOf({ [part]: null })] }, any)).toEqual({ is: 'without-video' });
  });
});

describe('the videos of a row that an export may not lose', () => {
  const damaged = artifactOf({ state: 'wanted' });
  const earlier = artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.mp4' });
  const artifacts = [
    ...[damaged, earlier, artifactOf({ kind: 'frame', path: 'sum-1/frames/1.png' })],
    artifactOf({ path: null }),
  ];
  const file = { path: 'sum-1/video.mp4', sizeBytes: 10, sha256: 'aa' };

  it('are known also where a file is damaged or missing', () => {
    expect(knownVideos({ artifacts })).toEqual([file, { ...file, path: 'sum-1/attempt-1/video.mp4' }]);
  });
});
