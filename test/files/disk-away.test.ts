import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDiskAway } from '../../src/files/disk-away.ts';

describe('files that are missing', () => {
  it.each<[missing: number, files: number, isAway: boolean]>([
    [0, 0, false],
    [0, 100, false],
    [1, 1, false],
    [2, 2, false],
    [3, 3, true],
    [3, 4, false],
    [9, 10, false],
    [10, 10, true],
    [10, 19, true],
    [10, 20, false],
    [50, 100, false],
    [51, 100, true],
  ])('%i of %i: the disk is away: %s', (missing, files, isAway) => {
    expect(isDiskAway(files, missing)).toBe(isAway);
  });

  it('ask for --yes as the page says', () => {
    const page = readFileSync('docs/what-each-way-to-die-costs.md', 'utf8');
    const said =
      /all of (\w+) files or more are missing, or more than half of (\w+) or more.*\n.*`--yes`/.exec(page);
    const numbers: Readonly<Record<string, number>> = { three: 3, ten: 10 };
    const [all = 0, most = 0] = [numbers[said?.[1] ?? ''], numbers[said?.[2] ?? '']];
    expect([isDiskAway(all, all), isDiskAway(all - 1, all - 1)]).toEqual([true, false]);
    expect([isDiskAway(2 * most - 1, most), isDiskAway(2 * most - 3, most - 1)]).toEqual([true, false]);
  });
});
