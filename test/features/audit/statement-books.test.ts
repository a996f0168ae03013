import { describe, expect, it } from 'vitest';
import { AuditTally } from '../../../src/features/audit/audit-tally.ts';
import { type Amount, readAmount } from '../../../src/features/audit/read-amount.ts';
import {
  type BookedAttempt,
  StatementBooks,
  type StatementLine,
  type Verdict,
  verdicts,
} from '../../../src/features/audit/statement-books.ts';
import { billingMs, isSamePoints } from '../../../src/features/audit/statement-clues.ts';
import { chooseColumns } from '../../../src/features/audit/statement-columns.ts';
import { Dice } from '../../sim/dice.ts';

const last = 10_000_000;

function line(
  taskId: string,
  amount: number | null | Amount,
  more: Partial<StatementLine> = {},
): StatementLine {
  return {
    line: 2,
    taskId,
    amount: typeof amount === 'object' && amount !== null ? amount : { point: amount, comma: amount },
    isRefund: false,
    at: last,
    span: 1,
    wall: null,
    day: '2026-11-27',
    text: null,
    ...more,
  };
}

function attempt(taskId: string, points: number | null, more: Partial<BookedAttempt> = {}): BookedAttempt {
  const book = {
    run: './videos',
    row: 1,
    id: 'a',
    attempt: 1,
    status: 'completed',
    day: '2026-11-26',
  } as const;
  return { ...book, taskId, points, submittedAt: 0, endedAt: 0, by: null, ...more };
}

function booksOf(lines: readonly StatementLine[]): StatementBooks {
  const books = new StatementBooks();
  for (const each of lines) books.add(each);
  return books;
}

const open = { status: 'open', endedAt: null } as const;
const failed = { status: 'failed' } as const;

describe('an attempt', () => {
  it.each<[string, BookedAttempt, readonly StatementLine[], Verdict]>([
    ['with the same points', attempt('t', 10), [line('t', 10)], 'matched'],
    ['with another spelling of its task', attempt('0T', 10), [line('00t', 10)], 'matched'],
    ['whose charge is written below zero', attempt('t', 10), [line('t', -10)], 'matched'],
    ['charged in three parts', attempt('t', 10), [line('t', 4.1), line('t', 5), line('t', 0.9)], 'matched'],
    [
      'given back by another sign',
      attempt('t', 0, failed),
      [line('t', -10), line('t', 10), line('u', -10)],
      'matched',
    ],
    [
      'given back by its kind',
      attempt('t', 0, failed),
      [line('t', 10), line('t', 10, { isRefund: true })],
      'matched',
    ],
    ['given back in part', attempt('t', 10), [line('t', 10), line('t', -4), line('u', 1)], 'price'],
    ['with a line of nothing', attempt('t', 0, failed), [line('t', 0)], 'matched'],
    ['with other points', attempt('t', 10), [line('t', 12)], 'price'],
    ['that is free here', attempt('t', 0, failed), [line('t', 10)], 'price'],
    ['charged twice', attempt('t', 10), [line('t', 10), line('t', 10)], 'twice'],
    ['charged twice at unknown points', attempt('t', null), [line('t', 10), line('T', 10)], 'twice'],
    ['of unknown points', attempt('t', null), [line('t', 10)], 'learned'],
    ['whose amount cannot be read', attempt('t', 10), [line('t', 5), line('t', null)], 'unreadable'],
    ['without a line', attempt('t', 10), [line('u', 10)], 'ours-only'],
    [
      'without a line, long ended',
      attempt('t', 10, { endedAt: last - billingMs }),
      [line('u', 10)],
      'ours-only',
    ],
    ['that ended just now', attempt('t', 10, { endedAt: last - billingMs + 1 }), [line('u', 10)], 'not-yet'],
    ['whose end is not known', attempt('t', 10, { endedAt: null }), [line('u', 10)], 'ours-only'],
    [
      'beside a statement without times',
      attempt('t', 10, { endedAt: last }),
      [line('u', 1, { at: null })],
      'ours-only',
    ],
    [
      'that ended just now, by times of no zone that is known',
      attempt('t', 10, { endedAt: last }),
      [line('u', 10, { wall: last })],
      'ours-only',
    ],
    ['that is open', attempt('t', null, open), [line('u', 10)], 'not-yet'],
    ['that is submitting', attempt('t', null, { status: 'submitting' }), [], 'not-yet'],
    ['that failed', attempt('t', 0, failed), [line('u', 10)], 'nothing'],
    ['that is lost', attempt('t', null, { status: 'lost' }), [line('u', 10)], 'nothing'],
  ])('%s is told as that', (_, ours, lines, verdict) => {
    expect(booksOf(lines).compare(ours).verdict).toBe(verdict);
  });
});

it('a task of no attempt is left, and the period is that of all lines', () => {
  const books = booksOf([
    line('t', -10, { at: 5 }),
    line('u', -10, { at: 3, line: 3 }),
    line('v', null, { at: null }),
    line('u', -1),
  ]);
  books.compare(attempt('t', 10));
  const left = [...books.left()].map(({ theirs: { taskId, points, line: at } }) => [taskId, points, at]);
  expect(left).toEqual([
    ['u', 11, 3],
    ['v', null, 2],
  ]);
  expect(books).toMatchObject({
    lines: 4,
    taskCount: 3,
    first: 3,
    last,
    points: 21,
    clues: { isNegative: true },
  });
});

it('an id that a spreadsheet spoiled is told line by line, unless the books have it so', () => {
  const ids = ['1.23E+17', '1.23E+17', '123456789012345000', '1,2e+20', '12345678901234567'];
  const books = booksOf([...ids.map((id) => line(id, 10)), line('1E+17', 10)]);
  expect(books.compare(attempt('1e+17', 10)).verdict).toBe('matched');
  const left = [...books.left()].map(({ verdict, theirs: { taskId, points } }) => [taskId, verdict, points]);
  expect(left).toEqual(ids.map((id, at) => [id, at === 4 ? 'theirs-only' : 'spoiled', 10]));
});

it('a task of both tells how the statement is written', () => {
  const books = booksOf(['t', 'u', 'v'].map((id) => line(id, id === 't' ? -10 : 10)));
  for (const id of ['t', 'w']) books.learn(attempt(id, 10));
  expect(books.compare(attempt('t', 10)).verdict).toBe('matched');
});

it('sums of decimals are the same points', () => {
  expect(isSamePoints(0.1 + 0.2, 0.3)).toBe(true);
  expect(isSamePoints(1, 1.01)).toBe(false);
});

describe('the tally', () => {
  const books = booksOf([line('t', 10), line('u', 7), line('v', 3, { day: '' })]);
  const all = [attempt('t', 10, { by: 'algebra' }), attempt('w', 5, { by: 'algebra', run: 'b', day: '' })];
  const tally = new AuditTally(1);
  for (const each of all) tally.add(books.compare(each));
  for (const each of books.left()) tally.add(each);

  it('sums by day, by run and by column, and keeps the first tasks', () => {
    const sum = (tasks: number, ours: number, theirs: number) => ({ tasks, ours, theirs });
    expect([...tally.days()]).toEqual([
      ['', sum(2, 5, 3)],
      ['2026-11-27', sum(2, 10, 17)],
    ]);
    expect(Object.fromEntries(tally.runs())).toEqual({
      './videos': sum(1, 10, 10),
      b: sum(1, 5, 0),
      '': sum(2, 0, 10),
    });
    expect([...tally.values()]).toEqual([
      ['', sum(2, 0, 10)],
      ['algebra', sum(2, 15, 10)],
    ]);
    expect(tally.sum('theirs-only')).toEqual(sum(2, 0, 10));
    expect(tally.shown('theirs-only').map(({ theirs }) => theirs?.taskId)).toEqual(['u']);
    expect(tally).toMatchObject({ differences: 3, isClean: false });
  });

  it.each<[string, readonly BookedAttempt[], readonly StatementLine[], boolean]>([
    ['all matches', [attempt('t', 10)], [line('t', 10)], true],
    ['the rest is not yet billed', [attempt('t', 10), attempt('u', null, open)], [line('t', 10)], true],
    ['a price is learned', [attempt('t', 10), attempt('u', null)], [line('t', 10), line('u', 1)], true],
    ['only a price is learned', [attempt('u', null)], [line('u', 1)], false],
    ['nothing is charged, and there is no line', [attempt('t', 0, failed)], [], false],
    ['there is neither', [], [], false],
    [
      'an amount cannot be read',
      [attempt('t', 10), attempt('u', 10)],
      [line('t', 10), line('u', null)],
      false,
    ],
    ['something is left', [attempt('t', 10)], [line('t', 10), line('u', 1)], false],
  ])('is clean only where something matched: %s', (_, attempts, lines, isClean) => {
    const clean = new AuditTally(9);
    const held = booksOf(lines);
    for (const each of attempts) clean.add(held.compare(each));
    for (const each of held.left()) clean.add(each);
    expect(clean.isClean).toBe(isClean);
  });
});

/** How one amount is written, in the ways of pages and spreadsheets. */
const spellings: readonly [(points: number) => string, ...((points: number) => string)[]] = [
  String,
  (points) => points.toFixed(2),
  (points) => `="${points}"`,
  (points) => `=${points}`,
  (points) => `${points} 积分`,
  (points) => points.toFixed(1).replace('.', ','),
];

const names: readonly [Names, ...Names[]] = [
  { task: 'task_id', amount: 'points', money: 'amount (CNY)' },
  { task: '任务ID', amount: '消耗积分', money: '金额(元)' },
  { task: 'Task No.', amount: 'credits', money: 'price' },
];

interface Names {
  readonly task: string;
  readonly amount: string;
  readonly money: string;
}

type Oddity = 'late' | 'missing' | 'double' | 'price' | 'strange' | 'unknown' | 'refunded' | 'none';

/** A statement as a table, and what a comparison has to say of each task. */
function makeStatement(seed: number) {
  const dice = new Dice(seed, 'statement');
  const { task, amount, money } = dice.pick(names);
  const spell = dice.pick(spellings);
  const sign = dice.chance(0.3) ? -1 : 1;
  const expected = new Map<string, Verdict>();
  const attempts: BookedAttempt[] = [];
  const table: string[][] = [];
  const bill = (id: string, points: number): void => {
    table.push([id, spell(sign * points), `¥${points / 10}`]);
  };
  const count = dice.integer(5, 40);
  for (let at = 0; at < count; at++) {
    const oddity: Oddity = dice.chance(0.7)
      ? 'none'
      : dice.pick(['late', 'missing', 'double', 'price', 'strange', 'unknown', 'refunded']);
    const [id, points] = [`t${seed}-${at}`, dice.pick([5, 10, 20, 1234])];
    const endedAt = oddity === 'late' ? last - dice.integer(0, billingMs - 1) : last - billingMs - at;
    const known = oddity === 'unknown' ? null : oddity === 'refunded' ? 0 : points;
    if (oddity !== 'strange') attempts.push(attempt(id, known, { endedAt, row: at + 1 }));
    if (oddity !== 'late' && oddity !== 'missing') bill(id, oddity === 'price' ? points + 1 : points);
    if (oddity === 'double') bill(id.toUpperCase(), points);
    if (oddity === 'refunded') bill(id, -points);
    expected.set(id, verdictOf[oddity]);
  }
  // A sign is known by most of the lines.
  for (let at = 0; at < 40; at++) {
    attempts.push(attempt(`s${at}`, 10));
    bill(`s${at}`, 10);
    expected.set(`s${at}`, 'matched');
  }
  return { columns: [money, task, amount], table, attempts, expected };
}

const verdictOf: Readonly<Record<Oddity, Verdict>> = {
  late: 'not-yet',
  missing: 'ours-only',
  double: 'twice',
  price: 'price',
  strange: 'theirs-only',
  unknown: 'learned',
  refunded: 'matched',
  none: 'matched',
};

it('names every difference of five hundred statements, and invents none', () => {
  const seen = new Set<Verdict>();
  for (let seed = 1; seed <= 500; seed++) {
    const { columns, table, attempts, expected } = makeStatement(seed);
    const { columns: found, problems } = chooseColumns(columns, {});
    expect(problems).toEqual([]);
    expect(found).toEqual({ task_id: columns[1], amount: columns[2] });
    const books = booksOf(table.map(([id = '', amount = '']) => line(id, readAmount(amount))));
    const told = new Map(attempts.map((each) => [each.taskId, books.compare(each).verdict]));
    for (const { verdict, theirs } of books.left()) told.set(theirs.taskId, verdict);
    expect([seed, Object.fromEntries(told)]).toEqual([seed, Object.fromEntries(expected)]);
    for (const verdict of told.values()) seen.add(verdict);
  }
  expect(verdicts.filter((verdict) => !seen.has(verdict))).toEqual(['nothing', 'unreadable', 'spoiled']);
});
