import { expect, test } from 'vitest';
import { parseSort, start } from '../../src/page/address.ts';
import { reasonsOf } from '../../src/page/list/reasons.ts';
import { createRows, type Query } from '../../src/page/list/rows.ts';
import type { Mark } from '../../src/page/marks/mark.ts';
import { somePageRow as rowOf, type SomeRow as Some } from './support/page-rows.ts';

function idsOf(
  some: readonly Some[],
  query: Partial<Query>,
  marks: Readonly<Record<string, Mark | readonly Mark[]>> = {},
): string[] {
  const rows = createRows();
  rows.put(some.map(rowOf));
  return rows.select({ ...start, ...query }, (id) => [marks[id] ?? []].flat()).map(({ id }) => id);
}

test('every word must occur, in whatever text of the row, in whatever case', () => {
  const some = [
    { key: 1, question: 'Solve the EQUATION' },
    { key: 2, failure: 'equation not understood' },
    { key: 3, taskId: 'task-Equation', id: '解方程' },
  ];
  expect(idsOf(some, { text: 'equation' })).toEqual(['r-1', 'r-2', '解方程']);
  expect(idsOf(some, { text: ' solve  equation ' })).toEqual(['r-1']);
  expect(idsOf(some, { text: '方程 ANSWER' })).toEqual(['解方程']);
});

test('a word is looked for as it stands', () => {
  const some = [{ key: 1, question: '(a+b)* [x] \\frac{1}{2} $5.00 ^|?' }, { key: 2 }];
  for (const text of ['(a+b)*', '[x]', '\\frac{1}{2}', '$5.00', '^|?']) {
    expect(idsOf(some, { text }), text).toEqual(['r-1']);
  }
  expect(idsOf(some, { text: '.' })).toEqual(['r-1']);
});

test('the user’s own columns are searched, and a value of one of them chooses its rows', () => {
  const rows = createRows();
  const own = [['1.2', 'Sums'], ['1.3'], null];
  rows.put(own.map((cells, at) => rowOf({ key: at + 1, own: cells })));
  const idsIn = (query: Partial<Query>) => rows.select({ ...start, ...query }, () => []).map(({ id }) => id);
  // Which columns there are is said at the end of the page.
  expect(idsIn({ column: 'chapter', value: 'Sums' })).toHaveLength(3);
  const { version } = rows;
  rows.name(['number', 'chapter']);
  expect(rows.version).not.toBe(version);
  expect(idsIn({ text: 'sums' })).toEqual(['r-1']);
  expect(idsIn({ column: 'chapter', value: 'Sums' })).toEqual(['r-1']);
  expect(idsIn({ column: 'chapter', value: '' })).toEqual(['r-2', 'r-3']);
  expect(idsIn({ column: 'chapter', value: null })).toHaveLength(3);
});

test('rows that were drawn stay in the order drawn, and are filtered like others', () => {
  const rows = createRows();
  rows.put([1, 2, 3, 4].map((key) => rowOf({ key, question: key % 2 === 0 ? 'even' : 'odd' })));
  const drawn = [4, 1, 2].flatMap((key) => rows.get(key) ?? []);
  const idsIn = (query: Partial<Query>) =>
    rows.select({ ...start, sort: parseSort('-row'), ...query }, () => [], drawn).map(({ id }) => id);
  expect(idsIn({})).toEqual(['r-4', 'r-1', 'r-2']);
  expect(idsIn({ text: 'even' })).toEqual(['r-4', 'r-2']);
});

test('the row whose number or id was typed comes first', () => {
  const some = [{ key: 1, question: '3417 apples' }, { key: 3417 }, { key: 4000, id: '3417' }];
  expect(idsOf(some, { text: '3417' })).toEqual(['r-3417', '3417', 'r-1']);
  expect(idsOf(some, { text: 'r-3417' })).toEqual(['r-3417']);
});

test('several statuses may be asked for, and marks of each kind', () => {
  const some = [
    { key: 1, status: 'failed' },
    { key: 2, status: 'lost' },
    { key: 3 },
  ] as const satisfies Some[];
  const marks: Record<string, Mark> = {
    'r-1': { verdict: 'bad', note: '', attempt: 1 },
    'r-2': { verdict: null, note: 'look again', attempt: 1 },
  };
  expect(idsOf(some, { statuses: new Set(['failed', 'lost']) })).toEqual(['r-1', 'r-2']);
  expect(idsOf(some, { mark: 'bad' }, marks)).toEqual(['r-1']);
  expect(idsOf(some, { mark: 'good' }, marks)).toEqual([]);
  expect(idsOf(some, { mark: 'none' }, marks)).toEqual(['r-2', 'r-3']);
  expect(idsOf(some, { mark: 'noted' }, marks)).toEqual(['r-2']);
  const good: Mark = { verdict: 'good', note: '', attempt: 1, answer: '2' };
  const two = { 'r-1': [{ ...good, verdict: 'bad' }, good] } as const;
  for (const mark of ['good', 'bad', 'corrected'] as const)
    expect(idsOf(some, { mark }, two)).toEqual(['r-1']);
  expect(idsOf(some, { mark: 'none' }, two)).toEqual(['r-2', 'r-3']);
  const again = some.map((row) => ({ ...row, attempts: 2 }));
  expect(idsOf(again, { mark: 'bad' }, marks)).toEqual([]);
  expect(idsOf(again, { mark: 'none' }, marks)).toEqual(['r-1', 'r-2', 'r-3']);
});

test('what is not known stands last, whichever way the order goes', () => {
  const some = [
    { key: 1, points: null },
    { key: 2, points: 5 },
    { key: 3, points: 20 },
  ];
  expect(idsOf(some, { sort: parseSort('points') })).toEqual(['r-2', 'r-3', 'r-1']);
  expect(idsOf(some, { sort: parseSort('-points') })).toEqual(['r-3', 'r-2', 'r-1']);
});

test('ids are ordered as people count', () => {
  const some = [
    { key: 1, id: 'q10' },
    { key: 2, id: 'q9' },
    { key: 3, id: 'Q1' },
  ];
  expect(idsOf(some, { sort: parseSort('id') })).toEqual(['Q1', 'q9', 'q10']);
});

test('a row that left the input stands after those that are in it', () => {
  expect(
    idsOf(
      [
        { key: 1, row: null },
        { key: 2, row: 1 },
      ],
      {},
    ),
  ).toEqual(['r-2', 'r-1']);
});

test('a row that comes again takes the place of what it was', () => {
  const rows = createRows();
  rows.put([rowOf({ key: 1, status: 'open' }), rowOf({ key: 2 })]);
  const { version } = rows;
  rows.put([rowOf({ key: 1, status: 'completed' })]);
  expect(rows.count).toBe(2);
  expect(rows.version).not.toBe(version);
  expect(rows.get(1)?.status).toBe('completed');
  expect(rows.find('r-1')).toBe(rows.get(1));
  expect([rows.get(3), rows.find('r-3')]).toEqual([null, null]);
});

test('suspect videos come first, the worst of them before the others, and then the rows of the file', () => {
  const some: Some[] = [
    { key: 1 },
    { key: 2, findings: [{ code: 'same-title', rows: ['r-2', 'r-4'] }] },
    { key: 3, row: 5, findings: [{ code: 'cut-off' }, { code: 'silent' }] },
    { key: 4, row: 4, findings: [{ code: 'cut-off' }] },
    { key: 5, row: null },
    { key: 6, row: 3 },
  ];
  expect(idsOf(some, {})).toEqual(['r-4', 'r-3', 'r-2', 'r-1', 'r-6', 'r-5']);
  expect(idsOf(some, { sort: parseSort('-suspect') })).toEqual(['r-2', 'r-4', 'r-3', 'r-1', 'r-6', 'r-5']);
  expect(idsOf(some, { sort: parseSort('row') })).toEqual(['r-1', 'r-2', 'r-6', 'r-4', 'r-3', 'r-5']);
  expect(idsOf(some, { suspect: 'any' })).toEqual(['r-4', 'r-3', 'r-2']);
  expect(idsOf(some, { suspect: 'silent' })).toEqual(['r-3']);
});

test('suspects are counted as rows come and change', () => {
  const rows = createRows();
  rows.put([rowOf({ key: 1, findings: [{ code: 'black' }] }), rowOf({ key: 2 })]);
  expect(rows.suspectCount).toBe(1);
  rows.put([rowOf({ key: 1 }), rowOf({ key: 2, findings: [{ code: 'black' }] })]);
  rows.put([rowOf({ key: 3, findings: [{ code: 'silent' }] })]);
  expect(rows.suspectCount).toBe(2);
});

test('reasons are those of the terminal, the most frequent first, and each finds its rows', () => {
  const some: Some[] = [
    { key: 1, status: 'rejected', failure: 'row r-1: refused' },
    { key: 2, status: 'failed', failure: 'no answer after 30 s', taskId: 'task-2' },
    { key: 3, status: 'failed', failure: 'no answer after 31 s' },
    { key: 4, status: 'lost', failure: 'no answer after 32 s', failureZh: '没有答复' },
    { key: 5, status: 'failed' },
    { key: 6, failure: 'an earlier attempt' },
  ];
  const reasons = reasonsOf(some.map(rowOf));
  expect(reasons.map(({ name, status, count }) => [name, status, count])).toEqual([
    ['failed:no answer after … s', 'failed', 2],
    ['rejected:row …: refused', 'rejected', 1],
    ['lost:no answer after … s', 'lost', 1],
  ]);
  expect(reasons.map(({ name }) => idsOf(some, { reason: name }))).toEqual([
    ['r-2', 'r-3'],
    ['r-1'],
    ['r-4'],
  ]);
  expect(idsOf(some, { reason: 'failed:something else' })).toEqual([]);
  expect(idsOf(some, { text: '没有答复' })).toEqual(['r-4']);
});
