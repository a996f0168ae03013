import { describe, it } from 'vitest';
import { brokenFiles } from './broken-files.ts';
import { expectProblems } from './expect-problems.ts';

describe('a file with', () => {
  it.for(brokenFiles)('$what ($file) has every problem told with its line, however it comes', expectProblems);
});
