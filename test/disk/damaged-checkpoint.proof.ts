import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { isNightly, nightSeed } from '../support/nightly.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { damageSomewhere } from './support/damage.ts';
import { copyOf, goOn, leaveBehind } from './support/left-behind.ts';

/** Damages to each of the two folders. */
const damageCount = isNightly ? 1_000 : 80;

const files = ['batch.sqlite', 'batch.sqlite-wal'] as const;

/** What both files hold, in short; a log that is not there says as much as an empty one. */
function contentOf(folder: string): readonly string[] {
  const paths = files.map((name) => join(folder, name));
  const all = paths.map((path) => (existsSync(path) ? readFileSync(path) : ''));
  return all.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
}

it.for([
  ['a killed process left', false],
  ['a process left that ended in good order', true],
] as const)(
  `a row is never paid for twice because of a bit that flips, or an end that is lost, in the checkpoint that %s`,
  { timeout: 3_600_000 },
  async ([, isClosed]) => {
    await using left = await leaveBehind(11, isClosed);
    await using copy = await temporaryFolder();
    const sound = { refusal: null, crash: null, paidTwice: [], mixedUp: [], pointsMissing: 0 };
    copyOf(left, copy.path);
    expect(await goOn(copy.path, left), 'without any damage').toEqual(sound);

    let refusals = 0;
    for (let seed = nightSeed; seed < nightSeed + damageCount; seed++) {
      copyOf(left, copy.path);
      const damage = damageSomewhere(copy.path, files, new Dice(seed, 'damage'));
      const damaged = contentOf(copy.path);
      const { refusal, ...outcome } = await goOn(copy.path, left);
      expect({ refusal: null, ...outcome }, `seed ${seed}: ${damage}`).toEqual(sound);
      if (refusal === null) continue;
      refusals += 1;
      expect(refusal, damage).not.toContain('\n');
      expect(contentOf(copy.path), `seed ${seed}: ${damage}: ${refusal}`).toEqual(damaged);
    }
    // Were none refused, or all, this would prove nothing.
    expect(refusals).toBeGreaterThan(damageCount / 10);
    expect(refusals).toBeLessThan(damageCount);
  },
);
