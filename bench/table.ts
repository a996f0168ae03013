/** What a benchmark gives, and the table of it. */

import { availableParallelism, totalmem } from 'node:os';

/** Where and how much. */
export interface Setting {
  /** For files; files made once are shared between benchmarks. */
  readonly folder: string;
  /** 1 is the full size. */
  readonly scale: number;
  /** Runs that the median is taken of. */
  readonly runs: number;
}

/** One line of the table. */
export interface Figure {
  readonly work: string;
  /** What was reached, with its unit. */
  readonly reached: string;
  /** What it is held against, with its unit. */
  readonly floor: string;
  /** `reached` against `floor`, or the figure itself where the goal is one of its own. */
  readonly ratio: number;
  /** null for a line that only stands beside the others. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** Runs its programs and says what they took. */
export type Bench = (setting: Setting) => Promise<Figure[]>;

/** The middle one of an odd number of values, the lower of two middle ones else. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Runs two things in turns, so that what the machine does meanwhile meets both. */
export async function inTurns<A, B>(
  runs: number,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<{ readonly first: A[]; readonly second: B[] }> {
  const results = { first: [] as A[], second: [] as B[] };
  for (let run = 0; run < runs; run += 1) {
    results.first.push(await first());
    results.second.push(await second());
  }
  return results;
}

/** `1,234 ms`, `31,000 rows/s`. */
export function quantity(value: number, unit: string): string {
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`;
}

/** What stands above the lines: the machine, and the head of a Markdown table. */
export function renderHead(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, ${memory}`;
  return [machine, '', '| work | reached | floor | ratio | goal | met |', '|---|---|---|---|---|---|'].join(
    '\n',
  );
}

/** One line of the table. */
export function renderLine({ work, reached, floor, ratio, goal }: Figure): string {
  const cells = [work, reached, floor, ratio.toFixed(2), ...renderGoal(ratio, goal)];
  return `| ${cells.join(' | ')} |`;
}

function renderGoal(ratio: number, goal: Figure['goal']): [goal: string, isMet: string] {
  if (goal === null) return ['', ''];
  if ('atLeast' in goal) return [`>= ${goal.atLeast}`, ratio >= goal.atLeast ? 'yes' : 'NO'];
  return [`<= ${goal.atMost}`, ratio <= goal.atMost ? 'yes' : 'NO'];
}
