/** The list of what is wrong with an input file, kept short enough to be read and to be held. */

import type { Problem } from '../errors.ts';

/** Problems that are listed by name; further ones are only counted. */
const listedCount = 1_000;

/** What is wrong with the file as a whole, in the order it was found. */
export interface Problems {
  readonly count: number;
  /** `line` counts from 1; null for the whole file. */
  add(line: number | null, message: string): void;
  /** In the order of lines; the last one says how many are left out. */
  list(): Problem[];
}

/** An empty list of problems. */
export function createProblems(): Problems {
  const listed: Problem[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(line, message) {
      count += 1;
      if (listed.length < listedCount) listed.push({ line, message });
    },
    list() {
      const inOrder = listed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
      const left = count - listed.length;
      return left === 0
        ? inOrder
        : [...inOrder, { line: null, message: `${left} more problems are not listed` }];
    },
  };
}
