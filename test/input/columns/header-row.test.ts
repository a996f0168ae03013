import { describe, expect, test } from 'vitest';
import {
  doubtfulHeader,
  filledRows,
  findHeader,
  headerName,
  isSeparatorRow,
  nearestHeader,
} from '../../../src/input/columns/header-row.ts';

const rows = (...written: readonly (readonly string[])[]) =>
  written.map((columns) => ({ columns, filled: columns.filter((column) => column !== '').length }));

test('a name has U+FFFD in place of what no store could keep', () => {
  expect([' no\0te ', '\ud800', '\u{1f3ac}'].map(headerName)).toEqual(['no\ufffdte', '\ufffd', '\u{1f3ac}']);
});

describe('the header', () => {
  test('is the first row, where that has a question column', () => {
    expect(findHeader(rows(['question', 'level'], ['id', 'question']), {})).toBe(0);
  });

  test('stands below titles', () => {
    expect(findHeader(rows(['试题库'], ['班级', '高三'], ['题号', '题目', '答案']), {})).toBe(2);
    expect(findHeader(rows(['试题库'], ['题目'], ['1+1']), {})).toBe(1);
  });

  test('stands below a title that is itself a known word, and below a label with its value', () => {
    expect(findHeader(rows(['题目'], ['序号', '题目', '答案'], ['1', '1+1', '2']), {})).toBe(1);
    expect(findHeader(rows(['Questions', 'Final exam'], ['id', 'question', 'answer']), {})).toBe(1);
    expect(findHeader(rows(['question', 'level', 'topic'], ['id', 'question', 'answer']), {})).toBe(0);
    expect(findHeader(rows(['question'], ['1+1'], ['question']), {})).toBe(0);
  });

  test('is no row of questions in which one cell is such a word', () => {
    expect(findHeader(rows(['Nr.', 'Wort'], ['1', 'Text'], ['2', 'Stem']), {})).toBeNull();
    expect(findHeader(rows(['题号', '题目正文', '答案'], ['1', '题目', '答案']), {})).toBeNull();
  });

  test('has the column that was chosen, below a title', () => {
    const table = rows(['题目', ''], ['试题库'], ['编号', '内容'], ['1', 'text']);
    expect(findHeader(table.slice(1), { question: '内容' })).toBe(1);
    expect(findHeader(rows(['title'], ['id', 'text'], ['编号', '内容']), { question: '内容' })).toBe(2);
    expect(findHeader(rows(['title'], ['id', 'images']), { question: 'none' })).toBe(1);
  });

  test('is no word of a list, but may be the field itself below one or two titles', () => {
    expect(findHeader(rows(['试题库'], ['高三'], ['题目'], ['1+1']), {})).toBe(2);
    expect(findHeader(rows(['a list'], ['text'], ['house']), {})).toBeNull();
    expect(findHeader(rows(['apple'], ['pear'], ['plum'], ['question'], ['sky']), {})).toBeNull();
    expect(findHeader(rows(['answer'], ['question'], ['example']), {})).toBeNull();
    expect(findHeader(rows(['a list'], ['text', 'level'], ['house', '1']), {})).toBe(1);
    expect(findHeader(rows(['a list'], ['text'], ['house']), { question: 'text' })).toBe(1);
  });

  test('is no row of a table that explains the columns', () => {
    const explained = rows(['question', 'the text'], ['answer', 'what is right'], ['quality', 'h or l']);
    expect(findHeader(explained, {})).toBeNull();
    expect(findHeader(explained, { question: 'question' })).toBe(0);
    expect(findHeader(explained.slice(0, 2), {})).toBeNull();
    // Neither other names nor questions below make rows of it.
    expect(
      findHeader([...explained.slice(0, 2), ...rows(['topic', 'algebra'], ['1 + 1?', '2'])], {}),
    ).toBeNull();
    expect(
      findHeader(rows(['question text', 'the text'], ['correct answer', 'x'], ['1 + 1?', '2']), {}),
    ).toBeNull();
    expect(findHeader(rows(['id', 'number'], ['question', 'text'], ['answer', 'text']), {})).toBeNull();
    expect(findHeader(rows(['images', 'a file'], ['id', 'a number']), {})).toBeNull();
    expect(findHeader(rows(['question'], ['answer'], ['sky']), {})).toBe(0);
    expect(findHeader(rows(['level', 'question'], ['easy']), {})).toBe(0);
    expect(findHeader(rows(['question', 'level'], ['', '1'], ['question', '2']), {})).toBe(0);
    expect(findHeader(rows(['question', 'answer'], ['quality', 'x'], ['id', 'y']), {})).toBe(0);
  });

  test('that is not taken is told, unless a header without a question stands above it', () => {
    expect(doubtfulHeader(rows(['a list'], ['text']), {})).toEqual({ at: 1, isOnSide: false });
    expect(doubtfulHeader(rows(['id', '1'], ['question', 'x'], ['answer', '2']), {})).toEqual({
      at: 1,
      isOnSide: true,
    });
    expect(doubtfulHeader(rows(['题号', '答案'], ['1', '题目']), {})).toBeNull();
    expect(doubtfulHeader(rows(['Wort'], ['Haus']), {})).toBeNull();
  });

  test('that is missing is complained about at the row that is nearest to it', () => {
    const table = rows(['title'], ['编号', '题目正文', '答案'], ['1', 'text', '2']);
    expect(nearestHeader(table, {})).toEqual({ at: 1, doubtful: null });
    expect(nearestHeader(rows(['Aufgabe', 'Art'], ['1+1', 'Text']), {})).toEqual({
      at: 0,
      doubtful: { at: 1, isOnSide: false },
    });
  });

  test('is none of rows without a question column', () => {
    expect(findHeader(rows(['a'], ['b']), {})).toBeNull();
    expect(findHeader([], {})).toBeNull();
  });
});

describe('records as rows that may be the header', () => {
  test('are the first ten that are not empty, with the names that their cells give', () => {
    const records = [['', ' '], ["'=a", '', ' b ', ''], ...Array.from({ length: 12 }, () => ['x'])];
    const found = filledRows(records.map((cells) => ({ cells })));
    expect(found).toHaveLength(10);
    expect(found[0]).toEqual({ at: 1, columns: ['=a', 'column 2', 'b'], filled: 2 });
  });

  test('leave out the line that names a delimiter', () => {
    expect(['sep=;', 'SEP=', ' sep=| '].map((cell) => isSeparatorRow([cell, '']))).toEqual([
      true,
      true,
      true,
    ]);
    expect(isSeparatorRow(['sep=;', 'x'])).toBe(false);
    expect(isSeparatorRow(['question'])).toBe(false);
  });
});
