import { describe, expect, it } from 'vitest';
import { Dice } from '../../sim/dice.ts';
import { byTurns, isNightly, nightSeed } from '../../support/nightly.ts';
import { inParallel } from '../in-parallel.ts';
import { chainsOf, recurringPoints } from './chains.ts';
import { crashChain, crashOnce } from './crash-run.ts';
import { points } from './points.ts';

const minutes = 60_000;

/** The chain passes recurring points too, first and second. By day a quarter of what each tries by night. */
const singles = byTurns(isNightly ? points : points.filter((point) => !recurringPoints.includes(point)), 4);
const linked = byTurns(recurringPoints, 4);

describe('a crash', () => {
  it('at any point costs nothing but doubt about a creation on its way', {
    timeout: 60 * minutes,
  }, async () => {
    const flaws = await inParallel(singles, crashOnce);
    expect(flaws.flat()).toEqual([]);
  });

  it(`in the recovery from another crash costs no more (seed ${nightSeed})`, {
    timeout: 60 * minutes,
  }, async () => {
    const step = new Dice(nightSeed, 'pairs').integer(1, linked.length - 1);
    const flaws = await inParallel(chainsOf(linked, step), crashChain);
    expect(flaws.flat()).toEqual([]);
  });
});
