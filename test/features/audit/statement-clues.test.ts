import { describe, expect, it } from 'vitest';
import { type Amount, type DecimalMark, readAmount } from '../../../src/features/audit/read-amount.ts';
import {
  type BilledLine,
  type PaidTask,
  StatementClues,
} from '../../../src/features/audit/statement-clues.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 27, 12);

/** The lines of a task, and what the books say of it; null for a task of the statement alone. */
type Task = readonly [lines: readonly [BilledLine, ...BilledLine[]], ours: PaidTask | null];

function cluesOf(tasks: readonly Task[], given: DecimalMark | null = null): StatementClues {
  const clues = new StatementClues(given);
  for (const [lines] of tasks) for (const each of lines) clues.add(each);
  for (const [lines, ours] of tasks) if (ours !== null) clues.learn(ours, lines);
  return clues;
}

function line(amount: Amount, more: Partial<BilledLine> = {}): BilledLine {
  return { line: 2, amount, isRefund: false, at: null, span: 1, wall: null, ...more };
}

const task = (points: number | null, ...written: readonly [string, ...string[]]): Task => {
  const [first, ...others] = written;
  return [[line(readAmount(first)), ...others.map((each) => line(readAmount(each)))], ours(points)];
};
const theirs = (...written: readonly [string, ...string[]]): Task => [task(null, ...written)[0], null];

function ours(points: number | null, submittedAt: number | null = null, endedAt = submittedAt) {
  return { points, submittedAt, endedAt };
}

describe('charges are written below zero', () => {
  it.each<[string, readonly Task[], boolean]>([
    ['by most of the lines', [theirs('-10'), theirs('-10'), theirs('10')], true],
    ['not by fewer of them', [theirs('-10'), theirs('10'), theirs('10')], false],
    ['by a task that is known, however many give back', [task(10, '-10'), theirs('10'), theirs('10')], true],
    ['not by a task that is known', [task(10, '10'), theirs('-10'), theirs('-10')], false],
    ['not by one whose points differ', [task(9, '10'), theirs('-10'), theirs('-10')], true],
    ['not by one that was free', [task(0, '10', '-10'), task(null, '10'), theirs('10')], false],
    ['by its lines together', [task(10, '-4', '-6'), theirs('1'), theirs('1'), theirs('1')], true],
    ['by lines where tasks disagree', [task(10, '-10'), task(7, '7'), theirs('-1')], true],
    [
      'by a kind of its own at most what comes back',
      [[[line(readAmount('-10'), { isRefund: true })], null], theirs('10')],
      false,
    ],
  ])('%s', (_, tasks, isNegative) => {
    expect(cluesOf(tasks).isNegative).toBe(isNegative);
  });
});

describe('an amount that may be read in two ways is', () => {
  it.each<[string, readonly Task[], DecimalMark | null, number | null]>([
    ['asked for where nothing tells', [theirs('1.001'), theirs('10')], null, null],
    ['what the rest of the column tells', [theirs('1.001'), theirs('10.5')], null, 1.001],
    ['the other one by a comma', [theirs('1.001'), theirs('10,5')], null, 1001],
    ['what a task that is known tells', [theirs('1.001'), task(2002, '2.002')], null, 1001],
    ['the other one by another', [theirs('1,001'), task(2.002, '-2,002')], null, 1.001],
    ['asked for where they disagree', [theirs('1.001'), theirs('10.5'), task(2002, '2.002')], null, null],
    ['not told by an amount of a whole number', [theirs('1.001'), task(10, '10')], null, null],
    ['not told by one that cannot be read', [theirs('1.001'), task(2002, '2.002', 'ten')], null, null],
    ['what the user says', [theirs('1.001'), theirs('10.5')], 'comma', 1001],
  ])('%s', (_, tasks, given, expected) => {
    const clues = cluesOf(tasks, given);
    const first = tasks[0]?.[0][0] as BilledLine;
    expect(clues.unsure).toBe(expected === null ? first : null);
    if (expected !== null) expect(Math.abs(clues.chargeOf(first) ?? 0)).toBe(expected);
  });

  it('an amount that is sure stays what it is', () => {
    const clues = cluesOf([theirs('10,5'), theirs('10.5'), theirs('ten')], 'point');
    expect(['10,5', '10.5', 'ten'].map((each) => clues.chargeOf(line(readAmount(each))))).toEqual([
      10.5,
      10.5,
      null,
    ]);
    expect(cluesOf([theirs('1')], 'comma').chargeOf(line(readAmount('10.5')))).toBe(10.5);
  });
});

/** A task that took some minutes, and its line, whose clock is `ahead` hours before UTC; `local` is that of this machine. */
const timed = (ahead: number, { local = 0, minutes = 5, span = 1_000, from = noon } = {}): Task => {
  const until = from + minutes * 60_000;
  const wall = until + ahead * hour;
  return [[line(readAmount('10'), { at: wall - local * hour, wall, span })], ours(10, from, until)];
};

describe('the zone of times that name none is', () => {
  it.each<[string, readonly Task[], string | number]>([
    ['that of this machine', [timed(8, { local: 8 }), timed(8, { local: 8, minutes: 200 })], 'sure'],
    ['that of this machine, half an hour off', [timed(5.5, { local: 5.5 })], 'sure'],
    ['that of this machine, in summer and winter', [timed(1, { local: 1 }), timed(2, { local: 2 })], 'sure'],
    ['another one, behind', [timed(0, { local: 8 }), timed(0, { local: 8 })], 0],
    ['another one, before', [timed(8), timed(8, { minutes: 300 })], 8],
    ['not known where tasks disagree', [timed(8), timed(3)], 'unknown'],
    ['not known by tasks that took hours', [timed(0, { minutes: 300 })], 'unknown'],
    ['not known by other ones that took hours', [timed(9, { minutes: 300 })], 'unknown'],
    ['not known by days alone', [timed(0, { span: 24 * hour })], 'unknown'],
    ['not known without a task that both have', [[timed(0)[0], null]], 'unknown'],
    ['not known by a task that is open', [[timed(0)[0], ours(null, noon, null)]], 'unknown'],
    ['not known by a task without a submission', [[timed(0)[0], ours(10)]], 'unknown'],
    [
      'not known by a task of two lines',
      [[[...timed(0)[0], line(readAmount('10'))], ours(10, noon)]],
      'unknown',
    ],
    ['not to be known where each names its own', [task(10, '10')], 'sure'],
    ['not learned from one that names its own', [timed(8), [task(10, '10')[0], ours(10, noon)]], 8],
  ])('%s', (_, tasks, zone) => {
    expect(cluesOf(tasks).zone).toBe(zone);
  });
});

it('the books are asked only where they have something to tell', () => {
  expect(cluesOf([theirs('10'), theirs('10.5')]).isOpen).toBe(false);
  for (const tasks of [[theirs('10'), theirs('-10')], [theirs('1.001')], [timed(0)]])
    expect(cluesOf(tasks).isOpen).toBe(true);
});
