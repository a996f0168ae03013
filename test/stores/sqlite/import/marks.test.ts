import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/stores/digest.ts';
import { Marks, markOfDigest, markOfText } from '../../../../src/stores/sqlite/import/marks.ts';

function marksOf(all: readonly number[]): Marks {
  const marks = new Marks();
  for (const mark of all) marks.add(mark);
  return marks;
}

const ids = Array.from({ length: 100_000 }, (_, at) => `q-${at}`);

describe.each([
  ['short texts', markOfText],
  ['digests', (text: string) => markOfDigest(digest(text))],
])('marks of %s', (_, markOf) => {
  it('are whole numbers that a number holds exactly, and the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(Number.isSafeInteger(markOf(text)) && markOf(text) >= 0).toBe(true);
        expect(markOf(text)).toBe(markOf(`${text}`));
      }),
    );
  });

  it('are all apart for ids that differ little', () => {
    const marks = marksOf(ids.map(markOf));
    expect(marks.count).toBe(ids.length);
    expect(marks.areApart()).toBe(true);
  });

  it('are not apart where one text stands twice, wherever', () => {
    expect(marksOf([...ids, 'q-17'].map(markOf)).areApart()).toBe(false);
    expect(marksOf(['', ''].map(markOf)).areApart()).toBe(false);
  });
});

it('no marks are apart', () => {
  expect(new Marks().areApart()).toBe(true);
});
