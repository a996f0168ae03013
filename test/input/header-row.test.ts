import { describe, expect, test } from 'vitest';
import { findHeader } from '../../src/input/header-row.ts';

const rows = (...written: readonly (readonly string[])[]) =>
  written.map((columns) => ({ columns, filled: columns.filter((column) => column !== '').length }));

describe('the header', () => {
  test('is the first row, where that has a question column', () => {
    expect(findHeader(rows(['question'], ['id', 'question']), {})).toBe(0);
  });

  test('stands below titles', () => {
    expect(findHeader(rows(['试题库'], ['班级', '高三'], ['题号', '题目', '答案']), {})).toBe(2);
    expect(findHeader(rows(['试题库'], ['题目'], ['1+1']), {})).toBe(1);
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

  test('is none of rows without a question column', () => {
    expect(findHeader(rows(['a'], ['b']), {})).toBeNull();
    expect(findHeader([], {})).toBeNull();
  });
});
