/** The problems of an input file, limited so that the list stays readable and small in memory. */

import { type Problem, problemOf } from '../errors.ts';
import { message, type Said } from '../messages/message.ts';

/** Problems listed by name; further ones are only counted. */
const listedCount = 1_000;

/** Problems of the file as a whole, in the order found. */
export interface Problems {
  readonly count: number;
  /** `line` counts from 1; null for the whole file. */
  add(line: number | null, said: Said): void;
  /** In order of lines; the last one says how many are left out. */
  list(): Problem[];
}

export function createProblems(): Problems {
  const listed: Problem[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(line, said) {
      count += 1;
      if (listed.length === listedCount) return;
      listed.push(typeof said === 'string' ? { line, message: said } : problemOf(line, said));
    },
    list() {
      const inOrder = listed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
      const left = count - listed.length;
      return left === 0
        ? inOrder
        : [...inOrder, problemOf(null, message('rows.more-problems', { count: left }))];
    },
  };
}
