/** What is said of a file of questions, where it depends on more than its values. */

import { describe, expect, it } from 'vitest';
import type { Lines } from '../../src/messages/formats.ts';
import type { Place } from '../../src/messages/input.ts';
import { inBoth, type Message, message, several } from '../../src/messages/message.ts';

const inLine: Place = { line: 4, row: null };
const inSheet: Place = { line: 4, row: 3 };
const inTable: Place = { line: null, row: 4 };

function expectBoth(said: Message, en: string, zh: string): void {
  expect(inBoth(said)).toEqual({ en, zh });
}

describe('a row', () => {
  it.each([
    [inLine, 'on line 4', '第 4 行'],
    [inSheet, 'on line 4, sheet row 3', '第 4 行（表格第 3 行）'],
    [inTable, 'in row 4', '表格第 4 行'],
  ])('that has the id of another is named where the user finds it: %j', (place, en, zh) => {
    const twice = message('ids.twice', { id: 'a', place });
    expectBoth(twice, `the id "a" is already used ${en}`, `编号“a”在${zh}已经用过`);
  });

  it.each([
    [inLine, 'the row on line 4', '第 4 行'],
    [inSheet, 'the row on line 4, sheet row 3', '第 4 行（表格第 3 行）'],
    [inTable, 'row 4', '表格第 4 行'],
    [null, 'a row that has left the file', '已不在文件中的一行'],
  ])('whose id was made up is named, too: %j', (place, en, zh) => {
    expectBoth(
      message('ids.given', { id: 'a', place }),
      `the id "a" was given to ${en}, which has none of its own; use another id`,
      `编号“a”已分给${zh}，那一行自己没有编号；请换一个编号`,
    );
  });

  it.each([
    [1, inLine, '1 cell', 'line 4', '第 4 行'],
    [2, inSheet, '2 cells', 'first: line 4, sheet row 3', '首处：第 4 行，表格第 3 行'],
    [3, inTable, '3 cells', 'first: row 4', '首处：第 4 行'],
  ])('has the first of %i noted cells', (count, place, cells, en, zh) => {
    const what = { en: 'with HTML', zh: '含有 HTML' };
    const so = { en: 'sent as it is', zh: '按原样发送' };
    expectBoth(
      message('rows.noted-cells', { what, so, count, place, column: '"题目"' }),
      `warning: ${cells} with HTML (${en}, column "题目"): sent as it is`,
      `警告：${count} 个单元格含有 HTML（${zh}，"题目" 列）：按原样发送`,
    );
  });

  it('that is elsewhere in a spreadsheet has that place before whatever is said of it', () => {
    const what = inBoth(several([message('csv.open-quote'), message('json.deep', { count: 100 })]));
    expectBoth(
      message('rows.at', { row: 3, what }),
      'sheet row 3: a quote opened here or below is never closed; this row is nested deeper than 100 levels; make it flat',
      '表格第 3 行：从这里或下面开始的引号没有结束；这一行嵌套超过 100 层；请展开',
    );
  });

  it('is shown as it would be sent, even where nothing would be', () => {
    expectBoth(
      message('columns.sample', { sample: [] }),
      'this row would then be sent as an empty row',
      '这一行将这样发送：空行',
    );
    const sample = [
      { field: 'question', text: { en: '"1 + 1"', zh: '"1 + 1"' } },
      { field: 'questionImages', text: { en: 'a.png and 2 more', zh: 'a.png 等，另有 2 个' } },
    ];
    expectBoth(
      message('columns.sample', { sample }),
      'this row would then be sent as question "1 + 1", questionImages a.png and 2 more',
      '这一行将这样发送：question "1 + 1", questionImages a.png 等，另有 2 个',
    );
  });
});

describe('a header', () => {
  it.each([
    [{ row: 3, line: null, above: 0 }, 'row 3', '第 3 行'],
    [{ row: 3, line: 5, above: 0 }, 'row 3 (line 5)', '表格第 3 行（文件第 5 行）'],
    [{ row: 3, line: null, above: 1 }, 'row 3; 1 row above it is not read', '第 3 行；上面 1 行不读'],
    [{ row: 3, line: null, above: 2 }, 'row 3; 2 rows above it are not read', '第 3 行；上面 2 行不读'],
  ])('has its place, and what is above it: %j', (place, en, zh) => {
    expectBoth(message('header.place', place), `the header is ${en}`, `标题行是${zh}`);
  });

  it('names columns that may hold a comma', () => {
    const meant = [
      { column: '题目, 正文', field: 'question' },
      { column: '答案', field: 'answer' },
    ];
    expectBoth(
      message('columns.recognized', { meant }),
      'columns recognized: 题目, 正文 is question, 答案 is answer',
      '识别出的列：题目, 正文 是 question，答案 是 answer',
    );
  });
});

it.each([
  ['renumbered', 'other rows were renumbered', '其他行换过编号', /sent\)$/, /并发送）$/],
  ['added', 'added rows have', '新增的行用了', /sent\)$/, /并发送）$/],
  [
    'other-file',
    'no text is known',
    '内容都对不上',
    /, another --out \(another file\)$/,
    /、另选 --out（另一个文件）$/,
  ],
] as const)('a doubt about ids has its ways out: %s', (doubt, en, zh, end, endInChinese) => {
  const said = inBoth(message('ids.doubt', { doubt, trust: 'id=题号' }));
  expect(said.en).toMatch(end);
  expect(said.zh).toMatch(endInChinese);
  expect(said.en.startsWith(en) && said.zh.startsWith(zh)).toBe(true);
});

describe('a CSV file', () => {
  it.each([
    [{ count: 1, lines: [3] }, 'line 3', '第 3 行'],
    [{ count: 2, lines: [3, 4] }, 'lines 3, 4', '第 3, 4 行'],
    [{ count: 92, lines: [3, 4] }, 'lines 3, 4 and 90 more', '第 3, 4 行及另外 90 行'],
  ] satisfies [Lines, string, string][])('names the first lines: %j', (lines, en, zh) => {
    expectBoth(
      message('csv.header-again', { lines }),
      `the header is repeated on ${en}: skipped`,
      `标题行在${zh}重复：已跳过`,
    );
  });

  it.each([
    ['\t', 'tabs', '制表符'],
    ['|', '|', '|'],
  ])('has its delimiter by name, where it has one: %j', (delimiter, en, zh) => {
    expectBoth(message('csv.delimiter', { delimiter }), `cells are separated by ${en}`, `单元格以${zh}分隔`);
  });

  it('has the beginning of a broken row that is on another line', () => {
    expectBoth(
      message('csv.unreadable', { code: 'X', rowLine: 4 }),
      'this cannot be read as CSV (X), in the row that starts at line 4',
      '无法按 CSV 读取（X）（这一行从第 4 行开始）',
    );
    expectBoth(
      message('csv.unreadable', { code: 'X', rowLine: null }),
      'this cannot be read as CSV (X)',
      '无法按 CSV 读取（X）',
    );
  });

  it('speaks of one row as of one', () => {
    expect([1, 7].map((count) => message('csv.blank', { count }).text)).toEqual([
      '1 blank row skipped',
      '7 blank rows skipped',
    ]);
  });
});

it('a text in a doubtful encoding is shown by each that reads it', () => {
  const encodings = [
    { label: 'euc-kr', sample: '다음' },
    { label: 'gb18030', sample: '促澜' },
  ];
  expectBoth(
    message('text.doubtful', { rare: '促澜', encodings }),
    'this is not UTF-8, and as GB18030 it is mostly rare characters (促澜); nothing was read: add the one that reads right, --encoding euc-kr (다음) or --encoding gb18030 (促澜)',
    '这不是 UTF-8，按 GB18030 读出来多是生僻字（促澜）；没有读取：请加上读得通的一个：--encoding euc-kr（다음） 或 --encoding gb18030（促澜）',
  );
  expectBoth(
    message('text.doubtful', { rare: null, encodings: [{ label: 'shift_jis', sample: '次の' }] }),
    'this is not UTF-8; nothing was read: add the one that reads right, --encoding shift_jis (次の)',
    '这不是 UTF-8；没有读取：请加上读得通的一个：--encoding shift_jis（次の）',
  );
});

it('text between escapes has its encoding named, with its words and its option where they are known', () => {
  expectBoth(
    message('text.escaped', { encoding: 'ISO-2022-JP', words: '次の', option: '--encoding iso-2022-jp' }),
    'this is text in ISO-2022-JP (次の); nothing was read: add --encoding iso-2022-jp',
    '这是 ISO-2022-JP 编码的文字（次の）；没有读取：请加上 --encoding iso-2022-jp',
  );
  expectBoth(
    message('text.escaped', { encoding: 'UTF-7', words: '', option: null }),
    'this is text in UTF-7; nothing was read: save the file as UTF-8',
    '这是 UTF-7 编码的文字；没有读取：请把文件存为 UTF-8',
  );
});

it('totals rows are named', () => {
  expectBoth(
    message('workbook.totals', { lines: { count: 1, lines: [4] } }),
    'row 4 is the totals row of a table: not read',
    '第 4 行是表格的汇总行：不读',
  );
  expectBoth(
    message('workbook.totals', { lines: { count: 2, lines: [4, 9] } }),
    'the rows 4, 9 are totals rows of tables: not read',
    '第 4, 9 行是表格的汇总行：不读',
  );
});

it('options of multiple choice are named, and what to type for the answer', () => {
  const facts = { columns: { en: 'A to D', zh: 'A 至 D' }, answer: null, named: null };
  expectBoth(
    message('columns.options', { ...facts, isAnswered: true }),
    'columns A to D look like options and are not sent',
    'A 至 D 列看起来是选项，不发送',
  );
  expectBoth(
    message('columns.options', { ...facts, isAnswered: false }),
    'columns A to D look like options and are not sent; no answer is sent: --map answer=COLUMN chooses its column',
    'A 至 D 列看起来是选项，不发送；也不发送答案：用 --map answer=列名 选择答案列',
  );
  expectBoth(
    message('columns.options', { ...facts, isAnswered: false, answer: { column: 'Key', map: 'answer=Key' } }),
    'columns A to D look like options and are not sent; no answer is sent: if Key is the answer, add --map answer=Key',
    'A 至 D 列看起来是选项，不发送；也不发送答案：如果 Key 是答案，请加上 --map answer=Key',
  );
});

it('a text that is damaged has its place, and what to do', () => {
  expectBoth(
    message('json.invalid', { column: 3 }),
    'this is not valid JSON (column 3); each line must be one complete JSON object',
    '这不是有效的 JSON（第 3 列）；每行必须是一个完整的 JSON 对象',
  );
  expectBoth(
    message('text.invalid-line', { encoding: 'GBK', isAsked: true }),
    'this line is not valid GBK; is --encoding right?',
    '这一行不是有效的 GBK；--encoding 对吗？',
  );
  expectBoth(
    message('text.invalid-line', { encoding: 'UTF-8', isAsked: false }),
    'this line is not valid UTF-8; save the file as UTF-8, or specify its encoding with --encoding',
    '这一行不是有效的 UTF-8；请把文件存为 UTF-8，或用 --encoding 指明编码',
  );
});

it('choices in one column have the first answer where all are letters or numbers of them', () => {
  expectBoth(
    message('columns.choices', { column: '选项', named: '"C"' }),
    'column 选项 holds choices, which are not sent; the answers that are sent are letters or numbers of them only, such as "C"',
    '选项 列是选项，不发送；发送的答案只是选项的字母或序号，如 "C"',
  );
});
