import { expect, test } from 'vitest';
import { parseConfidence } from '../../../src/money/review/confidence.ts';

test.each([
  ['95%', 0.95],
  ['95', 0.95],
  ['0.95', 0.95],
  ['95 %', 0.95],
  [' 99.9% ', 0.999],
  ['0.999', 0.999],
  ['57%', 0.57],
  ['0.57', 0.57],
  ['50', 0.5],
  ['49.9%', null],
  ['99.95%', null],
  ['100%', null],
  ['1', null],
  ['0.95%', null],
  ['0', null],
  ['-95%', null],
  ['95,5%', null],
  ['sure', null],
  ['', null],
])('a confidence written as %j is %j', (text, confidence) => {
  expect(parseConfidence(text)).toBe(confidence);
});
