import { describe, expect, test } from 'vitest';
import { Comparison, type InspectedRow } from '../../../src/features/inspect/suspects.ts';
import type { Container, Finding, Playback } from '../../../src/money/inspection/inspection.ts';

const container: Container = {
  seconds: 60,
  hasPicture: true,
  hasSound: true,
  width: 1280,
  height: 720,
  isCut: false,
  gap: null,
};
const playback: Playback = { blackSeconds: 0, isBlack: false, isSilent: false };

function rowOf(key: number, part: Partial<InspectedRow> = {}): InspectedRow {
  return {
    key,
    quality: 'm',
    question: `What is ${key} + 1?`,
    title: `The sum ${key}`,
    sha256: (key + 1).toString(16).padStart(64, '0').split('').reverse().join(''),
    sizeBytes: 1_000_000,
    framesMissing: 0,
    container,
    playback,
    ...part,
  };
}

/** Forty sound rows. */
const sound = Array.from({ length: 40 }, (_, at) => rowOf(at));

/** The findings about these rows among the sound ones, by their places. */
function findingsIn(...rows: readonly InspectedRow[]): readonly (readonly Finding[])[] {
  const all = [...rows, ...sound.slice(rows.length)];
  const comparison = new Comparison();
  for (const row of all) comparison.add(row);
  const norms = comparison.norms();
  const nameOf = (key: number): string => {
    if (!norms.named.has(key)) throw new Error(`${key} was not announced`);
    return `q${key}`;
  };
  const found = all.map((row) => norms.findingsOf(row, nameOf));
  for (const each of found.slice(rows.length)) expect(each).toEqual([]);
  return found.slice(0, rows.length);
}

const codesOf = (part: Partial<InspectedRow>) => findingsIn(rowOf(0, part))[0]?.map(({ code }) => code);
const withContainer = (part: Partial<Container>) => ({ container: { ...container, ...part } });
const withPlayback = (part: Partial<Playback>) => ({ playback: { ...playback, ...part } });

describe('one video among many', () => {
  test('is not suspected where it is like the others', () => {
    expect(codesOf({})).toEqual([]);
    expect(codesOf({ container: null, playback: null, title: null, sizeBytes: 0 })).toEqual([]);
    expect(codesOf(withContainer({ seconds: null, width: null, height: null }))).toEqual([]);
  });

  test('is suspected for what its file is', () => {
    expect(codesOf({ container: 'unreadable' })).toEqual(['unreadable']);
    expect(codesOf({ playback: 'unreadable' })).toEqual(['unreadable']);
    expect(codesOf(withContainer({ isCut: true }))).toEqual(['cut-off']);
    expect(codesOf(withContainer({ hasPicture: false }))).toEqual(['no-picture']);
    expect(codesOf(withContainer({ hasSound: false }))).toEqual(['no-sound']);
    expect(findingsIn(rowOf(0, withContainer({ gap: { at: 30, seconds: 5 } })))[0]).toEqual([
      { code: 'gap', at: 30, seconds: 5 },
    ]);
    expect(codesOf(withContainer({ gap: { at: 30, seconds: 1 } }))).toEqual([]);
  });

  test('is suspected for what is seen and heard of it', () => {
    expect(codesOf(withPlayback({ isSilent: true }))).toEqual(['silent']);
    expect(codesOf(withPlayback({ isBlack: true, blackSeconds: 60 }))).toEqual(['black']);
    expect(findingsIn(rowOf(0, withPlayback({ blackSeconds: 6 })))[0]).toEqual([
      { code: 'black-start', seconds: 6 },
    ]);
    expect(codesOf(withPlayback({ blackSeconds: 2 }))).toEqual([]);
  });

  test('is suspected where it is far from the others', () => {
    expect(findingsIn(rowOf(0, withContainer({ seconds: 6 })))[0]).toEqual([
      { code: 'duration', times: 0.1 },
    ]);
    expect(findingsIn(rowOf(0, { sizeBytes: 50_000 }))[0]).toEqual([{ code: 'size', times: 0.05 }]);
    // That it is small follows from that it is short.
    expect(codesOf({ ...withContainer({ seconds: 6 }), sizeBytes: 100_000 })).toEqual(['duration']);
    expect(findingsIn(rowOf(0, withContainer({ width: 320, height: 180 })))[0]).toEqual([
      { code: 'resolution', is: '320×180', usual: '1280×720' },
    ]);
    // Alone with a question of its length, it is compared with all of its quality.
    expect(codesOf({ question: 'x'.repeat(600), sizeBytes: 50_000 })).toEqual(['size']);
    // Nothing is comparable with a quality of its own.
    expect(codesOf({ quality: 'h', sizeBytes: 50_000, ...withContainer({ width: 320 }) })).toEqual([]);
  });

  test('is suspected where frames are missing, and has the worst reason first', () => {
    const all = { framesMissing: 2, ...withContainer({ isCut: true }), ...withPlayback({ isSilent: true }) };
    expect(findingsIn(rowOf(0, all))[0]).toEqual([
      { code: 'cut-off' },
      { code: 'silent' },
      { code: 'frames-missing', count: 2 },
    ]);
  });
});

describe('two questions', () => {
  test('with one file, or one title, name each other', () => {
    const sha256 = 'ab'.repeat(32);
    const file: Finding = { code: 'same-file', rows: ['q0', 'q1'] };
    expect(findingsIn(rowOf(0, { sha256 }), rowOf(1, { sha256 }))).toEqual([[file], [file]]);
    const title: Finding = { code: 'same-title', rows: ['q0', 'q1'] };
    expect(findingsIn(rowOf(0, { title: 'Sums' }), rowOf(1, { title: ' SUMS' }))).toEqual([[title], [title]]);
    // The title goes with the file.
    expect(findingsIn(rowOf(0, { sha256, title: 'Sums' }), rowOf(1, { sha256, title: 'Sums' }))).toEqual([
      [file],
      [file],
    ]);
  });

  test('that are one question may have one video; two of pictures alone are two', () => {
    const sha256 = 'ab'.repeat(32);
    const question = 'One question';
    expect(findingsIn(rowOf(0, { sha256, question }), rowOf(1, { sha256, question }))).toEqual([[], []]);
    const pictures = findingsIn(rowOf(0, { sha256, question: ' ' }), rowOf(1, { sha256, question: '' }));
    expect(pictures.map((found) => found.map(({ code }) => code))).toEqual([['same-file'], ['same-file']]);
  });
});

describe('what most videos have', () => {
  const findingsOf = (part: (at: number) => Partial<InspectedRow>): readonly Finding[] => {
    const rows = sound.map((row, at) => ({ ...row, ...part(at) }));
    const comparison = new Comparison();
    for (const row of rows) comparison.add(row);
    const norms = comparison.norms();
    return rows.flatMap((row) => norms.findingsOf(row, String));
  };

  test('is the way of the service: no sound, silence, a black start, long gaps, one file, few titles', () => {
    const gap = { at: 5, seconds: 4 };
    expect(findingsOf(() => withContainer({ hasSound: false, gap }))).toEqual([]);
    expect(findingsOf(() => withPlayback({ isSilent: true, blackSeconds: 9 }))).toEqual([]);
    expect(findingsOf(() => ({ sha256: 'ab'.repeat(32) }))).toEqual([]);
    expect(findingsOf((at) => ({ title: `Lesson ${at % 10}` }))).toEqual([]);
    expect(findingsOf((at) => withContainer({ width: 1000 + at }))).toEqual([]);
  });

  test('does not excuse what spoils a video', () => {
    expect(findingsOf(() => withPlayback({ isBlack: true, blackSeconds: 60 }))).toHaveLength(40);
    expect(findingsOf(() => withContainer({ isCut: true }))).toHaveLength(40);
  });

  test('a row that was not compared is found nothing about by comparison', () => {
    const norms = new Comparison().norms();
    expect(norms.findingsOf(rowOf(0), String)).toEqual([]);
    expect(norms.findingsOf(rowOf(0, withContainer({ hasSound: false })), String)).toEqual([
      { code: 'no-sound' },
    ]);
  });
});
