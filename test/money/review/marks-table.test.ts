import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isKnownMark,
  type MarkedRow,
  parseMarksTable as parse,
  renderMarksTable,
} from '../../../src/money/review/marks-table.ts';
import { renderRowKey } from '../../../src/text/ids/row-key.ts';
import { defuse } from '../../../src/text/spreadsheet-text.ts';
import { anyText } from '../any-text.ts';

const rows: readonly MarkedRow[] = [
  { row: 1, id: 'q-1', mark: 'good', note: '', attempt: 1, status: 'completed' },
  {
    row: null,
    id: '=1+1',
    mark: 'bad',
    note: 'says "two";\r\nshould say\tthree, 题目',
    attempt: 12,
    status: 'failed',
  },
  { row: 3, id: '007', mark: '', note: ' =SUM(A1) ', attempt: null, status: 'open' },
];
/** What a table says of its rows, without where. */
const parseMarksTable = (text: string) =>
  parse(text)?.rows.map(({ id, mark, note, attempt }) => ({ id, mark, note, attempt })) ?? null;
const header = ['row', 'id', 'mark', 'note', 'attempt', 'status'];
const marks = rows.map(({ id, mark, note, attempt }) => ({ id, mark, note, attempt }));

test('the table is one that spreadsheets open: their UTF-8 mark, CRLF, quotes, and nothing they would run', () => {
  expect(renderMarksTable(rows)).toBe(
    [
      '\ufeffrow,id,mark,note,attempt,status',
      '1,q-1,good,,1,completed',
      `,'=1+1,bad,"says ""two"";\r\nshould say\tthree, 题目",12,failed`,
      `3,007,,"' =SUM(A1) ",,open`,
      '',
    ].join('\r\n'),
  );
});

test('every table is read back as it was written', () => {
  const word = anyText.map((text) => text.replaceAll('\ufeff', ''));
  const row = fc.record({
    row: fc.option(fc.nat()),
    id: word.map((text) => text.trim()).filter((text) => text !== ''),
    mark: fc.constantFrom('good', 'bad', ''),
    note: word,
    attempt: fc.option(fc.nat(999_999_999)),
    status: fc.constant('failed'),
  });
  fc.assert(
    fc.property(fc.array(row), (table) => {
      expect(parseMarksTable(renderMarksTable(table))).toEqual(
        table.map(({ id, mark, note, attempt }) => ({ id, mark, note, attempt })),
      );
    }),
  );
});

test.each([
  ['another delimiter', () => rewritten(';')],
  ['tabs', () => rewritten('\t')],
  ['no mark of UTF-8', (text: string) => text.slice(1)],
  ['other line ends', (text: string) => text.replaceAll(/\r\n(?=\d|,|$)/g, '\n')],
  ['no line end at the end', (text: string) => text.trimEnd()],
  ['other letters in the header', (text: string) => text.replace('row,id,mark', ' Row , ID,Mark ')],
  ['GOOD and Bad', (text: string) => text.replace(',good,', ', GOOD ,').replace(',bad,', ',Bad,')],
])('a spreadsheet may save it with %s', (_, save) => {
  expect(parseMarksTable(save(renderMarksTable(rows)))).toEqual(marks);
});

/** As a spreadsheet writes it: its own delimiter, everything quoted, the defusing quotes as they stood. */
function rewritten(delimiter: string): string {
  const cells = (line: MarkedRow): string[] =>
    [line.row ?? '', line.id, line.mark, line.note, line.attempt ?? '', line.status].map(
      (cell) => `"${defuse(String(cell)).replaceAll('"', '""')}"`,
    );
  return [header, ...rows.map(cells)].map((line) => line.join(delimiter)).join('\n');
}

test('any table with a column of ids will do; rows without one are left out', () => {
  expect(parseMarksTable('id\na\n\n , \nb\n')).toEqual([
    { id: 'a', mark: null, note: '', attempt: null },
    { id: 'b', mark: null, note: '', attempt: null },
  ]);
  expect(parseMarksTable('question;id\n"a\nb";c;d\nonly')).toEqual([
    { id: 'c', mark: null, note: '', attempt: null },
  ]);
});

test.each(['', 'question\na\n', 'ids,marks\n1,bad\n', '"id'])('%j is no such table', (text) => {
  expect(parseMarksTable(text) ?? []).toEqual([]);
});

test('a quote that nothing closes ends with the text', () => {
  expect(parseMarksTable('id,note\na,"so\nit is')).toEqual([
    { id: 'a', mark: null, note: 'so\nit is', attempt: null },
  ]);
  expect(parseMarksTable('id,note\n"a"b,c"d')).toEqual([
    { id: 'ab', mark: null, note: 'c"d', attempt: null },
  ]);
});

test('a note of a megabyte is read', () => {
  const note = 'n"'.repeat(500_000);
  expect(parseMarksTable(renderMarksTable([{ ...rows[0], note } as MarkedRow]))?.[0]?.note).toBe(note);
});

test('rows are told by the line they start on, notes with line breaks counted', () => {
  const table = 'id,note\r\na,"one\r\ntwo\nthree"\r\n\r\nb,\r\n';
  expect(parse(table)?.rows.map(({ id, line }) => [id, line])).toEqual([
    ['a', 2],
    ['b', 6],
  ]);
});

describe('the number of an attempt', () => {
  const attemptOf = (cell: string) => {
    const [row] = parse(`id;attempt\na;"${cell}"`)?.rows ?? [];
    return row === undefined ? null : { attempt: row.attempt, unreadable: row.unreadable };
  };
  const fullWidth = (text: string) =>
    text.replace(/[0-9.,E+]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

  test('is understood however a spreadsheet writes it', () => {
    const shapes: readonly ((attempt: number) => string)[] = [
      String,
      (attempt) => `${attempt}.`,
      (attempt) => `${attempt}.0`,
      (attempt) => `${attempt},0`,
      (attempt) => `${attempt},00`,
      (attempt) => `${attempt}.0000`,
      (attempt) => `0${attempt}`,
      (attempt) => attempt.toExponential().toUpperCase(),
      (attempt) => attempt.toExponential().toUpperCase().replace('.', ','),
    ];
    fc.assert(
      fc.property(
        fc.nat(999_999_999),
        fc.constantFrom(...shapes),
        fc.constantFrom('', ' ', '\t', '\u00a0', '\u3000'),
        fc.boolean(),
        (attempt, shape, space, isWide) => {
          const cell = `${space}${isWide ? fullWidth(shape(attempt)) : shape(attempt)}${space}`;
          expect(attemptOf(cell)).toEqual({ attempt, unreadable: null });
        },
      ),
    );
  });

  test('is not told where there is none', () => {
    for (const cell of ['', ' ', '\u3000'])
      expect(attemptOf(cell)).toEqual({ attempt: null, unreadable: null });
    expect(parse('id\na')?.rows[0]).toMatchObject({ attempt: null, unreadable: null });
  });

  test.each([
    ...['one', '1.5', '-1', '1e9', '99999999999', '1.000', '1,000', '1 000', '1.0.0', '1/2', '#', 'NaN'],
    ...['0x1', '1E', '1E-1', '=1', '1-1', '2026-01-01', '１．５', '．5'],
  ])('is unreadable where it is %j', (cell) => {
    expect(attemptOf(cell)).toEqual({ attempt: null, unreadable: cell });
  });
});

test.each([
  ['bad,,b01234567-1-89abcdef-3-0af1', 3],
  ['bad,3,b01234567-1-89abcdef-3-0af1', 3],
  ['bad,3,b01234567-1-89abcdef', 3],
  ['bad,,b01234567-1-89abcdef', null],
])('a mark is about the attempt of its cell, or else of its key: %s', (line, attempt) => {
  const table = parse(`id,mark,attempt,batch\nq1,${line}\n`);
  expect(table).toMatchObject({ isKeyed: true, rows: [{ attempt, broken: null }] });
});

test('a column "batch" without keys is the user\u2019s own', () => {
  const table = parse('id,mark,batch\nq1,bad,2024-A\n');
  expect(table).toMatchObject({ isKeyed: false, rows: [{ id: 'q1', key: null }] });
});

test('a row that ends before its id names none', () => {
  expect(parseMarksTable('mark,id\ngood\nbad,a\n')?.map(({ id }) => id)).toEqual(['a']);
});

test('a text without any line is no table of marks', () => {
  expect(parse('')).toBeNull();
});

test('what few marks have is in the table only where a mark has it, and is read back', () => {
  const [first, second] = rows as [MarkedRow, MarkedRow];
  const texts = { question: '=7+1\r\n"?"', answer: ' 8 ' };
  const table = renderMarksTable([
    { ...first, ...texts, prefer: 2, reviewer: 'Anna' },
    { ...second, question: null, answer: null, prefer: null, reviewer: '' },
  ]);
  expect(table.split('\r\n')[0]).toBe(
    '\ufeffrow,id,mark,note,attempt,status,question,answer,prefer,reviewer',
  );
  expect(parse(table)?.rows).toMatchObject([
    { ...texts, prefer: '2', reviewer: 'Anna' },
    { question: null, answer: null, prefer: '', reviewer: '' },
  ]);
  expect(renderMarksTable([{ ...first, prefer: 1 }])).toContain('attempt,status,prefer\r\n');
  expect(parse('id,question\nq-1, \n')?.rows).toMatchObject([{ question: null, answer: null }]);
});

test.each([
  ['id,mark,question\nq1,bad,"a', 'quote'],
  ['id,mark,question\nq1,bad,a,b', 'cells'],
  ['id,mark,question\nq1,bad,a\ufffd', 'character'],
  ['id,mark,answer\nq1,bad,a\ufffd', 'character'],
  ['id,mark,question,answer\nq1,bad,a,b,', null],
  ['id,mark\nq1,bad', null],
  ['id,mark,attempt,batch\nq1,bad,2,b01234567-1-89abcdef-1', 'attempt'],
])('a row of %j says what is broken: %s', (text, broken) => {
  expect(parse(text)?.rows).toMatchObject([{ id: 'q1', broken }]);
});

test('reviewers may write their words in Chinese; what else they write is kept, to be told', () => {
  const words = ['good', ' 好', '通过', 'BAD', '坏', '差', '不好', '重做', '', 'bad?', 'perhaps'];
  const read = parse(['id,mark', ...words.map((word, at) => `q${at},${word}`), ''].join('\n'))?.rows ?? [];
  expect(read.map(({ mark }) => mark)).toEqual([
    ...['good', 'good', 'good', 'bad', 'bad', 'bad', 'bad', 'bad', ''],
    ...['bad?', 'perhaps'],
  ]);
  expect(read.map(({ mark }) => isKnownMark(mark))).toEqual([...Array(9).fill(true), false, false]);
  expect(isKnownMark(null)).toBe(true);
});

test('a line with a key needs no id', () => {
  const key = 'b01234567-3-89abcdef';
  expect(parse(`mark,batch\nbad,${key}\nbad,\n`)?.rows).toMatchObject([{ id: '', key, mark: 'bad' }]);
});

test('the text that a line was written with is no correction of it', () => {
  const key = renderRowKey('0123456789abcdef', { key: 1, attempt: 1, token: null }, 'One?');
  const read = parse(`id,mark,question,batch\nq1,bad,One?,${key}\nq1,bad,Two?,${key}\nq1,bad,,${key}\n`);
  expect(read?.rows.map(({ question }) => question)).toEqual([null, 'Two?', null]);
});
