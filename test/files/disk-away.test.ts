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
});
