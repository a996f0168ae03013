/** The problems of an input file, limited so that the list stays readable and small in memory. */

import { type Problem, problemOf } from '../errors.ts';
import { inBoth, type Message, message, type Said } from '../messages/message.ts';

/** Problems listed by name; further ones are only counted. */
const listedCount = 1_000;

/** Problems of the file as a whole, in the order found. */
export interface Problems {
  readonly count: number;
  /** `line` counts from 1; null for the whole file. */
  add(line: number | null, said: Said): void;
  /**
   * In order of lines; the last one says how many are left out. Where so many `rows` were read and more lines than these
   * have the same problem, it is said once.
   */
  list(rows?: number): Problem[];
}

/** As many lines with the same problem are no slips: the file is another one than it should be. */
const fewestAlike = 10;

/** The name of what is wrong: two messages that say that a line is no row of JSON count as one. */
function kindOf({ id }: Message): string {
  return id === 'json.no-object' ? 'json.invalid' : id;
}

export function createProblems(): Problems {
  const listed: Problem[] = [];
  const alike = new Map<string, number>();
  let count = 0;
  const isAlike = ({ line, said }: Problem, kind: string): boolean =>
    line !== null && said !== undefined && kindOf(said) === kind;
  /** Says the problems of this kind once. */
  const once = (problems: readonly Problem[], [kind, times]: readonly [string, number]): Problem[] => {
    const first = problems.findIndex((problem) => isAlike(problem, kind));
    return problems.flatMap((problem, at) => {
      if (!isAlike(problem, kind)) return [problem];
      const { line, said } = problem;
      if (at !== first || said === undefined) return [];
      return [problemOf(line, message('rows.problem-again', { what: inBoth(said), count: times - 1 }))];
    });
  };
  return {
    get count() {
      return count;
    },
    add(line, said) {
      count += 1;
      if (line !== null && typeof said !== 'string')
        alike.set(kindOf(said), (alike.get(kindOf(said)) ?? 0) + 1);
      if (listed.length === listedCount) return;
      listed.push(typeof said === 'string' ? { line, message: said } : problemOf(line, said));
    },
    list(rows = Number.POSITIVE_INFINITY) {
      const inOrder = listed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
      const shared = [...alike].filter(
        ([kind, times]) =>
          times >= Math.max(fewestAlike, rows) && listed.some((problem) => isAlike(problem, kind)),
      );
      const shown = shared.reduce(once, inOrder);
      const sharedTimes = shared.reduce((sum, [, times]) => sum + times, 0);
      const left = count - sharedTimes - (shown.length - shared.length);
      return left === 0 ? shown : [...shown, problemOf(null, message('rows.more-problems', { count: left }))];
    },
  };
}
