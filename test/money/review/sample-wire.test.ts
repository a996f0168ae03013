import { describe, expect, it, test } from 'vitest';
import { mayReplace, parseSampleBody, readSample } from '../../../src/money/review/sample-wire.ts';

const sample = { seed: 7, at: 1000, population: 10, size: 2, keys: [4, 0, 9] };
const parse = (value: unknown) => parseSampleBody(JSON.stringify(value));

test('a sample is taken with what it replaces, and with nothing else', () => {
  expect(parse({ sample, instead: null })).toEqual({ sample, instead: null });
  expect(parse({ sample: { ...sample, other: 1 }, instead: 900, more: 2 })).toEqual({ sample, instead: 900 });
  expect(readSample(JSON.stringify({ ...sample, other: 1 }))).toEqual(sample);
});

test('anything else is none', () => {
  for (const text of ['', '{', '1', 'null', '[]', '{}']) {
    expect(parseSampleBody(text)).toBeNull();
    expect(readSample(text)).toBeNull();
  }
  expect(parse({ sample })).toBeNull();
  expect(parse({ sample, instead: 'none' })).toBeNull();
  expect(parse({ sample, instead: -1 })).toBeNull();
  for (const part of [
    { seed: -1 },
    { seed: 1.5 },
    { at: '1' },
    { at: null },
    { population: 2 },
    { population: 1e300 },
    { size: 0 },
    { size: 4 },
    { size: 1.5 },
    { keys: [] },
    { keys: 'abc' },
    { keys: [4, 4, 9] },
    { keys: [4, '0', 9] },
    { keys: [4, -1, 9] },
    { keys: { length: 3 } },
    { population: 9000, keys: Array.from({ length: 5001 }, (_, key) => key) },
  ]) {
    expect(
      parse({ sample: { ...sample, ...part }, instead: null }),
      JSON.stringify(part).slice(0, 60),
    ).toBeNull();
    expect(readSample(JSON.stringify({ ...sample, ...part }))).toBeNull();
  }
});

describe('a sample takes the place', () => {
  it.each([
    ['of none', null, null, true],
    ['not of none where there is one', sample, null, false],
    ['of the one that the page knows', sample, 1000, true],
    ['of no other one', sample, 900, false],
    ['not of one that is there no more', null, 1000, false],
  ])('%s', (_, saved, instead, may) => {
    expect(mayReplace(saved, { sample: { ...sample, at: 2000 }, instead })).toBe(may);
  });

  it('of a smaller one of the same drawing, never of a larger one', () => {
    const sized = (size: number) => ({ sample: { ...sample, size }, instead: 1000 });
    expect(mayReplace(sample, sized(3))).toBe(true);
    expect(mayReplace(sample, sized(2))).toBe(true);
    expect(mayReplace(sample, sized(1))).toBe(false);
  });
});
