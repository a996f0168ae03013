import { describe, expect, it } from 'vitest';
import { Dice } from '../../sim/dice.ts';
import { byTurns, isNightly } from '../../support/nightly.ts';
import { inParallel } from '../in-parallel.ts';
import { chainsOf, recurringPoints } from './chains.ts';
import { crashChain, crashOnce } from './crash-run.ts';
import { points } from './points.ts';

const seed = 1;
const minutes = 60_000;

/** The chains pass every recurring point too, first and second; the short form tries on its own half of what they leave out. */
const singles = isNightly
  ? points
  : byTurns(
      points.filter((point) => !recurringPoints.includes(point)),
      2,
    );

describe('a crash', () => {
  it('at any point costs nothing but doubt about a creation on its way', {
    timeout: 30 * minutes,
  }, async () => {
    const flaws = await inParallel(singles, crashOnce);
    expect(flaws.flat()).toEqual([]);
  });

  it(`in the recovery from another crash costs no more (seed ${seed})`, {
    timeout: 30 * minutes,
  }, async () => {
    const step = new Dice(seed, 'pairs').integer(1, recurringPoints.length - 1);
    const flaws = await inParallel(chainsOf(recurringPoints, step), crashChain);
    expect(flaws.flat()).toEqual([]);
  });
});
