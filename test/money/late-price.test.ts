import { describe, expect, it } from 'vitest';
import { judgeWatch, noAnswer, openWatch, pointsAfter, watchTick } from '../../src/money/late-price.ts';
import { fixed } from '../../src/money/policy.ts';

const capped = { maxPoints: 300 };
const uncapped = { maxPoints: null };
const late = fixed.priceSettleMs;
const afterTicks = (...said: readonly (number | null | typeof noAnswer)[]) =>
  said.reduce(watchTick, openWatch(true));

describe('the points of a task that has just completed', () => {
  it.for([
    ['10 at the first word', { points: null, endedAt: null }, 10, 10],
    ['0 at the first word', { points: null, endedAt: null }, 0, null],
    ['the same again', { points: 10, endedAt: 1 }, 10, 10],
    ['another number than before', { points: 10, endedAt: 1 }, 200, null],
    ['a number after 0', { points: null, endedAt: 1 }, 10, null],
    ['nothing after a number', { points: 10, endedAt: 1 }, null, 10],
    ['nothing at all', { points: null, endedAt: null }, null, null],
    ['0 that was settled', { points: 0, endedAt: 1 }, 0, 0],
  ] as const)(
    'are a price under a cap only where nothing speaks against it: %s',
    ([, item, said, points]) => {
      expect(pointsAfter(item, said, capped)).toBe(points);
    },
  );

  it('are what was said last in a run without a cap', () => {
    expect(pointsAfter({ points: null, endedAt: null }, 0, uncapped)).toBe(0);
    expect(pointsAfter({ points: 10, endedAt: 1 }, 200, uncapped)).toBe(200);
  });
});

describe('points that may still change', () => {
  it('are the price once three ticks agree and ten minutes have passed', () => {
    expect(judgeWatch(afterTicks(0, 0, 0), late, capped)).toEqual({ price: 0 });
    expect(judgeWatch(afterTicks(0, 0, 0), late - 1, capped)).toBe('goes on');
    expect(judgeWatch(afterTicks(0, 0), late, capped)).toBe('goes on');
    expect(judgeWatch(afterTicks(0, 0, 100, 100), late, capped)).toBe('goes on');
    expect(judgeWatch(afterTicks(0, 0, 100, 100, noAnswer, 100), late, capped)).toEqual({ price: 100 });
  });

  it('are no price while nobody answers, whatever was agreed before', () => {
    expect(judgeWatch(afterTicks(2, 2, 2, noAnswer), late, capped)).toBe('goes on');
    expect(judgeWatch(afterTicks(2, 2, 2, noAnswer, 2), late, capped)).toEqual({ price: 2 });
  });

  it('stay unknown where nothing readable is said, or never the same', () => {
    expect(judgeWatch(afterTicks(null), late, capped)).toBe('goes on');
    expect(judgeWatch(afterTicks(null, null), 0, capped)).toBe('over');
    const restless = afterTicks(1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
    expect(judgeWatch(restless, 2 * late - 1, capped)).toBe('goes on');
    expect(judgeWatch(restless, 2 * late, capped)).toBe('over');
  });

  it('are waited for by no run that submits nothing, which still finds out what stands', () => {
    const [two, three] = [
      [0, 0],
      [0, 0, 0],
    ].map((said) => said.reduce(watchTick, openWatch(false)));
    expect(judgeWatch(two ?? openWatch(false), 0, capped)).toBe('over');
    expect(judgeWatch(two ?? openWatch(false), late, capped)).toBe('goes on');
    expect(judgeWatch(three ?? openWatch(false), late, capped)).toEqual({ price: 0 });
  });

  it('are asked for only a few times in a run without a cap', () => {
    expect(judgeWatch(afterTicks(0), 0, uncapped)).toBe('goes on');
    expect(judgeWatch(afterTicks(0, 0), 0, uncapped)).toBe('over');
    expect(judgeWatch(afterTicks(...Array<typeof noAnswer>(9).fill(noAnswer)), 0, uncapped)).toBe('goes on');
    expect(judgeWatch(afterTicks(...Array<typeof noAnswer>(10).fill(noAnswer)), 0, uncapped)).toBe('over');
  });
});
