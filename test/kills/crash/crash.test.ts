import { describe, expect, it } from 'vitest';
import { recurringPoints } from './chains.ts';
import { crashChain, takeCensus } from './crash-run.ts';
import { points, wholePoints } from './points.ts';

/** Some of the points, from all over a run; the proof has all of them. */
const chain = recurringPoints.filter((_, index) => index % 20 === 5);

describe('crash points', () => {
  it('are all that a plain run does', async () => {
    const reached = await takeCensus();
    expect([...reached].sort()).toEqual(wholePoints.map(({ name }) => name).sort());
  });

  it('have names of their own', () => {
    const names = points.map(({ name, story }) => `${name} (${story})`);
    expect(new Set(names).size).toBe(names.length);
  });
});

it(`a chain of ${chain.length} crashes, each in the recovery from the one before, costs nothing but doubt about creations on their way`, {
  timeout: 600_000,
}, async () => {
  expect(await crashChain(chain)).toEqual([]);
});
