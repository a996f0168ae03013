import { expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import { Pace } from '../../../src/runner/submitting/pace.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

it.for([
  ['gathers with what others bring, soon after a commit', 5, true, fixed.gatherMs],
  ['waits for nobody where there is nobody else', 5, false, 5],
  ['waits for nobody long after a commit', fixed.gatherMs + 5, true, fixed.gatherMs + 5],
] as const)('an event %s', async ([, cameMs, mayShare, savedMs]) => {
  const clock = new VirtualClock(0);
  const pace = new Pace(clock);
  pace.noteCommit();
  const rested = pace.rest(clock.steady(), Number.POSITIVE_INFINITY, () => mayShare);
  const since = clock.steady();
  await clock.wait(cameMs);
  pace.wake();
  await rested;
  expect(clock.steady() - since).toBe(savedMs);
});
