import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/input/columns/columns.ts';
import { ColumnDoubts } from '../../../src/input/doubts/column-doubts.ts';
import { isOtherHeader } from '../../../src/input/doubts/other-table.ts';
import type { FieldColumns } from '../../../src/input/read-rows.ts';

/** What is doubted in a table, by the options to type. */
function doubted(
  columns: readonly string[],
  cells: readonly (readonly unknown[])[],
  overrides: FieldColumns = {},
) {
  const doubts = new ColumnDoubts(overrides);
  const { fields } = mapColumns(columns, overrides);
  // A row a page, as slow senders have it.
  for (const row of cells) {
    const input = Object.fromEntries(columns.map((column, place) => [column, row[place]]));
    doubts.look({ rows: [{ input }], columns, fields });
  }
  const problems = doubts.problems();
  return {
    maps: problems.flatMap(({ text }) => text.match(/--map (?:'[^']*'|\S+?)(?=[,\s]|$)/g) ?? []),
    notes: doubts.notes(),
  };
}

describe('two columns that mean the question', () => {
  test.each([
    [
      ['Question', 'Question Text'],
      ['--map question=Question', "--map 'question=Question Text'"],
    ],
    [
      ['题目', '题干', '答案'],
      ['--map question=题目', '--map question=题干'],
    ],
  ])('%j are doubted where both have cells', (columns, maps) => {
    expect(
      doubted(columns, [
        ['1', 'What is 1+1?'],
        ['2', ''],
      ]).maps,
    ).toEqual(maps);
    expect(doubted(columns, [['1', '']]).maps).toEqual([]);
    expect(doubted(columns, [['same', 'same']]).maps).toEqual([]);
    expect(doubted(columns, [['1', 'What?']], { question: columns[0] as string }).maps).toEqual([]);
  });
});

describe('a column that seems to hold a field', () => {
  test.each([
    ['答案（选填）', '2', "--map 'answer=答案（选填）'", '--map answer=none'],
    ['reference', 'It is 2.', '--map answer=reference', '--map answer=none'],
    [
      'Image Link',
      'https://img.example/1.png',
      "--map 'questionImages=Image Link'",
      '--map questionImages=none',
    ],
    ['image_file_name', 'a.png', '--map questionImages=image_file_name', '--map questionImages=none'],
    ['清晰度设置', 'h', '--map quality=清晰度设置', '--map quality=none'],
    ['imges', 'a.png', '--map questionImages=imges', '--map questionImages=none'],
    ['answr', '2', '--map answer=answr', '--map answer=none'],
    ['iid', 'q-1', '--map id=iid', '--map id=none'],
    ['qualty', 'h', '--map quality=qualty', '--map quality=none'],
    ['notify_ulr', 'https://me.example/hook', '--map notify_url=notify_ulr', '--map notify_url=none'],
  ])('%j with %j is doubted', (column, cell, map, none) => {
    expect(doubted(['question', column], [['1+1?', cell]]).maps).toEqual([map, none]);
    expect(doubted(['question', column], [['1+1?', '']]).maps).toEqual([]);
    const field = none.slice('--map '.length).split('=')[0] as string;
    expect(doubted(['question', column], [['1+1?', cell]], { [field]: 'none' }).maps).toEqual([]);
  });

  test.each([
    ['image_id', '17'],
    ['picture caption', 'a triangle'],
    ['试卷编号', '7'],
    ['清晰度设置', 'bright'],
    ['答案数量', '2'],
    ['imges', '7'],
    ['iid', 'exam of May'],
    ['notfy_url', 'yes'],
    ['phone number', '555'],
    ...['pid', 'uid', 'mid', 'hid', 'kid', 'grid', 'ids', 'ID2', 'uuid', 'Invoice number'].map(
      (name) => [name, '7'] as const,
    ),
  ] as const)('%j with %j is not', (column, cell) => {
    expect(doubted(['question', column], [['1+1?', cell]]).maps).toEqual([]);
  });

  test('is an id where rows have different ones', () => {
    const rows = (ids: readonly string[]) => ids.map((id) => ['1+1?', id]);
    expect(doubted(['question', 'iid'], rows(['a', 'b', 'c'])).maps).toHaveLength(2);
    expect(doubted(['question', 'iid'], rows(['a', 'b', 'a'])).maps).toEqual([]);
  });

  test('is the nearest one whose cells look like it', () => {
    expect(
      doubted(['question', 'image_id', 'imges', 'iamge'], [['1+1?', '7', 'a.png', 'b.png']]).maps,
    ).toEqual(['--map questionImages=imges', '--map questionImages=none']);
  });

  test('is judged by its first cells, lists by their first entry', () => {
    const cells = Array.from({ length: 30 }, (_, at) => ['1+1?', at < 25 ? ['a.png'] : [7]]);
    expect(doubted(['question', 'image link'], cells).maps).toHaveLength(2);
    expect(
      doubted(
        ['question', 'image link'],
        [
          ['1+1?', []],
          ['', null],
          ['', { a: 1 }],
        ],
      ).maps,
    ).toEqual([]);
  });

  test('is the question itself where only pictures have a column', () => {
    expect(doubted(['images', '题目正文'], [['a.png', '求面积']]).maps).toEqual([
      '--map question=题目正文',
      '--map question=none',
    ]);
  });
});

test('of several columns that mean one field, the plan says which one is read', () => {
  const { maps, notes } = doubted(['题目', '答案', '解析'], [['1+1', '2', '加法']]);
  expect(maps).toEqual([]);
  expect(notes.map(({ text }) => text)).toEqual(['answer is read from 答案, not from "解析"']);
  expect(doubted(['题目', '答案', '解析'], [], { answer: '解析' }).notes).toEqual([]);
  expect(doubted(['question', 'answer', 'A', 'B'], [['1+1', '2', '2', '3']]).notes).toEqual([]);
});

describe('the header of a second table', () => {
  const fields = { id: 'id', question: 'question', answer: 'answer' };
  const at = (id: unknown, question: unknown, answer: unknown, level = '') => ({
    id,
    question,
    answer,
    level,
  });

  test.each([
    ['in another order', at('id', 'answer', 'question')],
    ['in another order that leaves the question in its place', at('answer', 'question', 'id')],
    ['in other words', at('题目', '答案', '')],
    ['with a column more', at('题目', '编号', '答案', '难度')],
  ])('%s is found', (_, input) => {
    expect(isOtherHeader(input, fields)).toBe(true);
  });

  test.each([
    ['a header in the same order', at('编号', '题目', '答案')],
    ['a header with a field that has no column', at('题目图片', '题目', '')],
    ['a word of a list', at('7', 'question', '问题')],
    ['a word with another one', at('7', 'answer', 'question')],
    ['a question', at('7', 'What is an answer?', 'question')],
    ['no text', at(7, 7, 7)],
    ['a row with an object', at('id', 'answer', { question: 1 })],
    ['the question alone', at('', 'question', '')],
  ])('%s is none', (_, input) => {
    expect(isOtherHeader(input, fields)).toBe(false);
  });

  test('needs a column of the question', () => {
    expect(isOtherHeader({ images: 'answer', id: 'question' }, { questionImages: 'images' })).toBe(false);
  });
});
