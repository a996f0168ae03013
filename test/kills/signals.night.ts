import { describe, expect, it } from 'vitest';
import { nightSeed } from '../support/nightly.ts';
import { phases } from './folder.ts';
import { measureSecondSignal, percentile, signalFolders } from './signal-run.ts';

const seed = nightSeed;
const folders = 5;
const signalsEach = 10;

describe(`a run that is told to stop at any moment (seed ${seed})`, () => {
  it('leaves nothing in doubt, and the same line again completes it', { timeout: 1_800_000 }, async () => {
    const tally = await signalFolders(seed, signalsEach, folders);
    expect(tally.broken).toEqual([]);
    expect(Object.keys(tally.endings)).toEqual(expect.arrayContaining(['130', '143']));
    for (const phase of phases) expect([...tally.phases]).toContain(phase);
  });

  it('leaves at the second signal, whatever is on its way', { timeout: 600_000 }, async () => {
    // A deadline against hangs; what it takes is measured by the nightly form.
    expect(percentile(await measureSecondSignal(seed, 10), 1)).toBeLessThan(30_000);
  });
});
