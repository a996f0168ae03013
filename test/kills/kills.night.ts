import { describe, expect, it } from 'vitest';
import { nightSeed } from '../support/nightly.ts';
import { phases } from './folder.ts';
import { killFolders } from './kill-run.ts';

const seed = nightSeed;
const kills = 300;
const folders = 8;

describe(`a run that is killed at any moment (again: node test/kills/main.ts --kills ${kills} --folders ${folders} --seed ${seed})`, () => {
  it('pays nothing twice, loses no task, and leaves whole files only', { timeout: 1_800_000 }, async () => {
    const tally = await killFolders(seed, kills, folders);
    expect(tally.broken).toEqual([]);
    expect(tally).toMatchObject({ kills, paidTwice: 0, lost: 0 });
    expect(tally.accepted).toBeGreaterThan(kills);
    // A creation on its way is all that a kill may cost; of those that came through the user has to look up the task.
    expect(tally.unclear).toBeLessThanOrEqual(tally.uncertain);
    // Kills that all fell into the same moment would prove little.
    for (const phase of phases) expect(tally.killsIn[phase], phase).toBeGreaterThan(0);
  });
});
