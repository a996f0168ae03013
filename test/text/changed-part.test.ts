import { expect, test } from 'vitest';
import { changedPart } from '../../src/text/changed-part.ts';

test('short texts are shown whole', () => {
  expect(changedPart('1 + 1', '7 + 1', 20)).toEqual(['1 + 1', '7 + 1']);
  expect(changedPart('', '数学', 20)).toEqual(['', '数学']);
});

test('of long texts the part is shown in which they differ', () => {
  const lead = 'x'.repeat(100);
  expect(changedPart(`${lead}1 + 1${lead}`, `${lead}7 + 1${lead}`, 18)).toEqual([
    `…${'x'.repeat(12)}1 + 1x…`,
    `…${'x'.repeat(12)}7 + 1x…`,
  ]);
  expect(changedPart(`${lead}1`, lead, 18)).toEqual([`…${'x'.repeat(12)}1`, `…${'x'.repeat(12)}`]);
  expect(changedPart(`1${lead}`, `7${lead}`, 5)).toEqual(['1xxxx…', '7xxxx…']);
});
