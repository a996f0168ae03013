import { describe, it } from 'vitest';
import { filesDamagedAtBoundaries } from './broken-files.ts';
import { expectProblems } from './expect-problems.ts';

describe('a file with', () => {
  it.for(filesDamagedAtBoundaries)(
    '$what ($file) has every problem told with its line, however it comes',
    expectProblems,
  );
});
