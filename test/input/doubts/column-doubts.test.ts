import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/input/columns/columns.ts';
import { ColumnDoubts } from '../../../src/input/doubts/column-doubts.ts';
import { isOtherHeader } from '../../../src/input/doubts/other-table.ts';
import type { FieldColumns } from '../../../src/input/read-rows.ts';
import { shellOption } from '../../../src/text/shell-word.ts';

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
    maps: problems.flatMap(({ text }) => text.match(/--map (?:'[^']*'|[^\s,:]+)/g) ?? []),
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
    ['Ans', '2', '--map answer=Ans', '--map answer=none'],
    ['Ans.', '2', '--map answer=Ans.', '--map answer=none'],
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

  test('is the nearest one whose cells look like it, or one of several', () => {
    expect(
      doubted(['question', 'image_id', 'imges', 'iamge'], [['1+1?', '7', 'a.png', 'b.png']]).maps,
    ).toEqual(['imges', 'iamge', 'none'].map((column) => `--map questionImages=${column}`));
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

describe('a second column of one name', () => {
  const rows = [['1+1?', '2+2?', '2', '4']];

  test.each([
    [['question', 'question.1', 'answer', 'level'], 'question', 'question.1'],
    [['题目', '题目_1', '答案', '难度'], '题目', '题目_1'],
    [['Question', 'Question (2)', 'answer', 'level'], 'Question', 'Question (2)'],
  ])('%j is doubted', (columns, own, other) => {
    const maps = [own, other].map((column) => shellOption('map', `question=${column}`));
    expect(doubted(columns, rows).maps).toEqual(maps);
    expect(doubted(columns, rows, { question: own }).maps).toEqual([]);
    expect(doubted(columns, [['same', 'same']]).maps).toEqual([]);
  });

  test('is one of several', () => {
    const columns = ['question', 'question.1', 'question.2'];
    const maps = columns.map((column) => `--map question=${column}`);
    expect(doubted(columns, [['1+1?', '2+2?', '3+3?']]).maps).toEqual(maps);
  });

  test('is one of an answer where a program wrote it, and not where it may be a further answer', () => {
    const columns = (other: string) => ['question', 'answer', other];
    const maps = ['--map answer=answer', '--map answer=answer.1'];
    expect(doubted(columns('answer.1'), rows).maps).toEqual(maps);
    expect(doubted(columns('answer_1'), rows).maps).toEqual([]);
  });
});

describe('a column that is not sent and holds a part of the question', () => {
  const text = '小明骑车去学校，先走上坡路 3 千米，再走下坡路 5 千米。';
  const english = 'The Normans gave their name to Normandy, a region in the north of France.';
  const send = '--map question=question';

  test.each([
    ['材料', text, '他用了多少分钟？'],
    ['材料', text, '根据材料，他用了多少分钟？'],
    ['context', english, 'In what country is Normandy?'],
    ['大题题干', text, '他用了多少分钟？'],
    ['附加', text, '根据以上材料，他用了多少分钟？'],
    ['remarks', english, 'According to the passage, where is Normandy?'],
  ])('is a text: %s, %s, %s', (column, cell, question) => {
    expect(
      doubted(
        ['question', column],
        [
          [question, cell],
          ['1', '（同上）'],
        ],
      ).maps,
    ).toEqual([send]);
    expect(doubted(['question', column], [[question, cell]], { question: 'question' }).maps).toEqual([]);
  });

  test.each([
    ['material', 'paper', 'Find x.'],
    ['背景', '期末考试', '求 x。'],
    ['context', 'https://example.com/a/long/address/of/some/page.html', 'Find x.'],
    ['context', english, `${english} Where is Normandy?`],
    ['remarks', english, 'Where is Normandy?'],
    ['解析', text, '根据材料，他用了多少分钟？'],
  ])('but not %s, %s, %s', (column, cell, question) => {
    expect(doubted(['question', 'answer', column], [[question, '4', cell]]).maps).toEqual([]);
  });

  test.each([
    ['attachment', 'https://img.example.com/a.png?size=2'],
    ['附件', 'images/a.jpg'],
    ['media', ['a.webp']],
    ['file', { bytes: null, path: 'a.png' }],
    ['题目截图', 'data:image/png;base64,AAAA'],
  ])('is a picture: %s, %j', (column, cell) => {
    const rows = [
      ['Find x.', cell],
      ['Find y.', ''],
    ];
    const maps = [`--map questionImages=${column}`, '--map questionImages=none'];
    expect(doubted(['question', column], rows).maps).toEqual(maps);
    expect(doubted(['question', column], rows, { questionImages: 'none' }).maps).toEqual([]);
  });

  test('is a picture of the answer, or one of several', () => {
    expect(doubted(['question', '解题过程'], [['1+1', 'a.png']]).maps).toEqual([
      '--map questionImages=解题过程',
      '--map questionImages=none',
    ]);
    expect(doubted(['question', 'answer', '解析附件'], [['1+1', '2', 'a.png']]).maps[0]).toBe(
      '--map answerImages=解析附件',
    );
    expect(
      doubted(
        ['question', '附件', 'media'],
        [
          ['1', 'a.png', ''],
          ['2', '', 'b.png'],
        ],
      ).maps,
    ).toEqual(['附件', 'media', 'none'].map((column) => `--map questionImages=${column}`));
    expect(
      doubted(
        ['question', 'image', '附件'],
        [
          ['1', 'a.png', ''],
          ['2', '', 'b.png'],
        ],
      ).maps,
    ).toEqual(['image', '附件', 'none'].map((column) => `--map questionImages=${column}`));
  });

  test.each([
    ['avatar', 'a.png'],
    ['附件', '有'],
    ['附件', 'see figure a.png'],
    ['选项A图', 'a.png'],
    ['options', 'a.png'],
  ])('but not %s, %s', (column, cell) => {
    expect(doubted(['question', column], [['Find x.', cell]]).maps).toEqual([]);
  });

  test('is none where its row has a picture, where few cells are pictures, or where it is read', () => {
    expect(doubted(['question', 'image', 'small'], [['1', 'a.png', 'b.png']]).maps).toEqual([]);
    expect(
      doubted(
        ['question', '附件'],
        [
          ['1', 'a.png'],
          ['2', 'no'],
          ['3', 'no'],
        ],
      ).maps,
    ).toEqual([]);
    expect(doubted(['question', '图片1', '图片2'], [['1', 'a.png', 'b.png']]).maps).toEqual([]);
    const many = Array.from({ length: 30 }, (_, at) => ['1', at < 20 ? 'no' : 'a.png']);
    expect(doubted(['question', '附件'], many).maps).toEqual([]);
  });

  test('is one that had pictures before a key was added', () => {
    const doubts = new ColumnDoubts({});
    const fields = { question: 'question' };
    doubts.look({
      rows: [{ input: { question: '1', 附件: 'a.png' } }],
      columns: ['question', '附件'],
      fields,
    });
    doubts.look({
      rows: [{ input: { question: '2', level: 1 } }],
      columns: ['question', '附件', 'level'],
      fields,
    });
    expect(doubts.problems()).toHaveLength(1);
  });

  test('is the parts of an answer', () => {
    const rows = [['Which is prime?', '4', '7']];
    expect(doubted(['question', 'Answer 1', 'Answer 2'], rows).maps).toEqual(['--map answer=none']);
    expect(doubted(['question', 'Answer 1', 'Answer 2'], rows, { answer: 'none' }).maps).toEqual([]);
    expect(doubted(['image', '答案1', '答案2'], [['a.png', '4', '7']]).maps).toEqual([]);
    expect(doubted(['question', 'Page 1', 'Page 2'], rows).maps).toEqual([]);
  });
});

describe('a column of a field for which no row can be sent', () => {
  test.each([
    ['quality', 'quality', '0.91', 'h'],
    ['quality', '质量', '优', 'm'],
    ['questionImages', '图片', '有', 'a'],
    ['questionImages', 'image', 'FALSE', 'a.png'],
    ['answerImages', '答案图片', '0', 'a.png'],
    ['notify_url', 'notify', 'yes', 'https://me.example'],
    ['id', '_id', { a: 1 }, { $oid: '66a1c3f0' }],
  ])('is doubted: %s, %s, %j', (field, column, cell, right) => {
    const row = (value: unknown) => ['1+1?', value];
    const none = `--map ${field}=none`;
    expect(doubted(['question', column], [row(cell), row(cell)]).maps).toEqual([none]);
    expect(doubted(['question', column], [row(cell), row(''), row(cell)]).maps).toEqual([]);
    expect(doubted(['question', column], [row(cell), row(right), row(cell)]).maps).toEqual([]);
    expect(doubted(['question', column], [row(''), row(null)]).maps).toEqual([]);
    expect(doubted(['question', column], [row(cell)]).maps).toEqual([]);
    expect(doubted(['question', column], []).maps).toEqual([]);
    expect(
      new ColumnDoubts({}).look({ rows: [], columns: [column], fields: { [field]: column } }),
    ).toBeUndefined();
    expect(doubted(['question', column], [row(cell), row(cell)], { [field]: column }).maps).toEqual([]);
    expect(doubted(['question', column], [row('nan'), row('nan')]).maps).toEqual([]);
  });
});

test('of several columns that mean one field, the plan says which one is read', () => {
  const { maps, notes } = doubted(['题目', '答案', '解析'], [['1+1', '2', '加法']]);
  expect(maps).toEqual([]);
  expect(notes.map(({ text }) => text)).toEqual(['answer is read from 答案, not from "解析"']);
  expect(doubted(['题目', '答案', '解析'], [], { answer: '解析' }).notes).toEqual([]);
  expect(doubted(['question', 'answer', 'A', 'B'], [['1+1', '2', '2', '3']]).notes).toEqual([]);
});

test('of answers that say where they stand, the plan says how to send the column with them', () => {
  const notes = (columns: readonly string[], cells: readonly (readonly string[])[]): string | undefined =>
    doubted(columns, cells).notes.map(({ text }) => text)[1];
  const columns = ['题目', '答案', '解析'];
  const told = (count: string): string =>
    `${count} where the answer stands; --map answer=解析 sends the column "解析" in place of them`;
  expect(
    notes(columns, [
      ['1+1', '见解析', '=2'],
      ['1+2', '3', ''],
      ['1+3', '略', ''],
    ]),
  ).toBe(told('1 answer only says'));
  expect(
    notes(columns, [
      ['1+1', '见解析', '=2'],
      ['1+2', '略', '3'],
    ]),
  ).toBe(told('2 answers only say'));
  expect(notes(columns, [['1+1', '2', '=2']])).toBeUndefined();
});

test.each([
  ['状态', '已删除', '启用'],
  ['Status', 'Draft', 'published'],
  ['is_deleted', '1', '0'],
  ['启用', '否', '是'],
])('rows that the column %j says are not in use are told', (column, off, on) => {
  const told = (...cells: readonly string[]): string[] =>
    doubted(
      ['question', column],
      cells.map((cell) => ['1+1', cell]),
    ).notes.map(({ text }) => text);
  expect(told(on, off, on, off)).toEqual([
    `warning: 2 rows with "${off}" or the like in the column "${column}": sent like others; remove them if that is not meant`,
  ]);
  expect(told(off)[0]).toContain('1 row with');
  expect(told(on, on)).toEqual([]);
  expect(doubted(['question', 'level'], [['1+1', off]]).notes).toEqual([]);
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
