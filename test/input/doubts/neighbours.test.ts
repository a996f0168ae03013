import { describe, expect, test } from 'vitest';
import { type Neighbour, Neighbours, neighbourDoubts } from '../../../src/input/doubts/neighbours.ts';
import { plainRows } from './plain-rows.ts';

/** A row of `id|question|answer`; of `question|answer` in a file without ids. */
function neighbour(text: string, hasIds = true): Neighbour {
  const cells = text.split('|');
  const [id = '', question = '', answer = ''] = hasIds ? cells : ['', ...cells];
  const kind = /^第 \d+ 页$/.test(question) ? 'aside' : question.startsWith('一、') ? 'title' : 'row';
  const filled = cells.filter((cell) => cell !== '');
  const row = { question, answer, hasPictures: false, cells: filled, hasId: hasIds ? id !== '' : null };
  return { row: question === '图' ? { ...row, question: '', hasPictures: true } : row, kind };
}

/** What each row seems to be, as the first letters of the doubts' ids; `-` for nothing. */
function judged(rows: readonly Neighbour[], pageRows = rows.length): string {
  const neighbours = new Neighbours();
  const doubts = [];
  for (let at = 0; at < rows.length; at += pageRows)
    doubts.push(
      ...neighbours.judge(rows.slice(at, at + pageRows), rows.slice(at + pageRows, at + pageRows + 4)),
    );
  return doubts.map((doubt) => doubt?.id[0] ?? '-').join('');
}

const withIds = (...texts: readonly string[]): Neighbour[] => texts.map((text) => neighbour(text));
const without = (...texts: readonly string[]): Neighbour[] => texts.map((text) => neighbour(text, false));
/** Further rows of a file, which have all. */
const asked = ['7|1+1=?|2', '8|What is 1+2?|3', '9|计算 1+3。|4'];

test.each(neighbourDoubts.map((doubt) => ({ id: doubt.id, doubt })))(
  '$id: is about its example only',
  ({ doubt, id }) => {
    expect(judged(withIds(...doubt.odd))).toContain(id[0]);
    expect(judged(withIds(...doubt.plain))).toMatch(/^-+$/);
  },
);

describe('rows that belong to the one above', () => {
  test.each<[name: string, rows: readonly Neighbour[], doubts: string]>([
    ['options', withIds('1|最大的是|B', '|A. 3|', '|B. 9|', '|C. 5|', '2|1+1=?|2'), 'hooo-'],
    ['options that say which is right', withIds('1|最大的是|', '|(a) 3|错', '|(b) 9|对'), 'hoo'],
    ['options, two in a row', without('Which?', 'A. 3  B. 9', 'C. 5  D. 7'), 'hoo'],
    ['options of a second question', without('Which?', 'A) 3', 'B) 9', 'Why?', 'A) 1', 'B) 2'), 'hoohoo'],
    ['options below a page', without('Which?', '第 1 页', 'A. 3', 'B. 9'), 'h-oo'],
    [
      'options without letters, one the answer',
      withIds(...asked, '1|Which?|Red', '|Red|', '|Green|'),
      '---hpp',
    ],
    ['options without letters, named by one', withIds(...asked, '1|Which?|B', '|Red|', '|Green|'), '---hpp'],
    ['a remark', withIds(...asked, '|以上各题由李老师提供|'), '---p'],
    ['parts', withIds('1|已知 a=1。|', '|（1）求 a+1。|2', '|（2）求 a+2。|3'), 'hpp'],
    ['parts of other numbers', withIds('1|Let a be 1.|', '|(i) Find a.|1', '|(ii) Find b.|2'), 'hpp'],
    ['parts with circles', withIds('1|已知 a=1。|', '|①求 a+1。|2', '|②求 a+2。|3'), 'hpp'],
    ['parts with bare letters', withIds('1|Let a be 1.|', '|a) Find a.|1', '|b) Find b.|2'), 'hpp'],
    ['parts below a whole question', withIds('1|What is a?|1', '|(1) And b?|2'), '-p'],
    ['parts without ids', without('已知 a 为正数。|', '（一）求 a+1。|2', '（二）求 a+2。|3'), 'hpp'],
    ['lines', withIds('1|A train leaves at 9 and|2', '|travels at 60. How far|', '|by noon?|'), 'hpp'],
    [
      'lines after a joining word',
      withIds('1|He takes the train from Rome to|2', '|Paris. How long is it?|'),
      'hp',
    ],
    ['lines of prose', withIds('1|小明骑车去学校，先走上坡路三千米，再走下坡|2', '|路五千米。|'), 'hp'],
    ['lines after a comma', withIds('1|甲有五个，|2', '|乙有三个。|'), 'hp'],
    ['a question below what is given', withIds(...asked, '1|已知 a=1。|', '|求 a+1。|2'), '---hp'],
    ['answers of several lines', withIds('1|Why?|First', '||Second'), 'h-'],
  ])('%s', (_, rows, doubts) => {
    expect(judged(rows)).toBe(doubts);
    for (const pageRows of [1, 2, 3]) expect(judged(rows, pageRows)).toBe(doubts);
  });

  test('may have an id where the cell of the question is merged', () => {
    const [stem, below] = withIds('1|Stem|1', '2||2') as [Neighbour, Neighbour];
    expect(judged([stem, below])).toBe('--');
    expect(judged([stem, { ...below, row: { ...below.row, isBelow: true } }])).toBe('h-');
    expect(judged([stem, { ...below, row: { ...below.row, cells: [], isBelow: true } }])).toBe('--');
  });
});

describe('rows of their own', () => {
  test.each<[name: string, rows: readonly Neighbour[]]>([
    ['lettered questions', withIds('1|A. One|1', '2|B. Two|2')],
    ['lettered questions without ids', without('A. What is 1+1?', 'B. What is 2+2?')],
    ['lettered questions with answers', without('Which?|1', 'A. One|1', 'B. Two|2')],
    ['lettered questions in a table with ids', withIds('1|Which?|1', '|A. One and one|two', '|B. Two|four')],
    ['one letter', without('Who was it?', 'A. Lincoln', 'Why?')],
    ['letters that begin later', without('Who was it?', 'B. Franklin', 'C. Darwin')],
    ['numbered questions', without('（1）1+1=|2', '（2）1+2=|3')],
    ['numbered questions below a title', without('一、计算|', '（1）1+1=|2', '（2）1+2=|3')],
    ['numbered questions below one', without('Why?|', '(1) 1+1=|2', '(2) 1+2=|3')],
    ['one with a number', without('已知 a 为正数。|', '（1）求 a+1。|2')],
    ['a bracket', withIds('1|(x) is what|1', '|(3) What is it?|2', '2|(a+b)(a-b)|x')],
    ['questions without an id', withIds(...asked, '|证明题：求证 n²+n 是偶数。|', '|7 × 8|', '|Who is it?|')],
    ['phrases', withIds('1|give up|x', '|look after|', '2|run|y')],
    ['lines of poems', withIds('1|床前明月光，|疑是地上霜', '|举头望明月，|', '2|春眠不觉晓|x')],
    ['a question of two sentences', withIds('1|他走了，请问他去了哪里|家', '|大家都知道。|')],
    ['a question below a gap to fill', withIds('1|He goes from Rome to|Paris', '|Who is it?|')],
    ['short names', withIds('1|二战|1945', '|新中国成立。|')],
    ['names', withIds('1|第二次世界大战结束的时间|1945', '|中华人民共和国成立的时间|')],
    ['what others leave out too', withIds('7|1+1=?|2', '8|What?|', '9|Why?|', '10|How?|', '|地球是圆的。|')],
    ['statements', withIds('1|地球是圆的。|对', '2|火星很近。|错', '3|月亮会发光。|错', '|太阳很远。|')],
    ['statements without answers', withIds('1|Tom has 3 apples.|', '|How many has he?|')],
    ['a number without letters', withIds(...asked, '|7, 8, 9|')],
    ['a picture without an id', withIds('1|Why?|1', '|图|2', '|(1) x|')],
    ['two rows without a question', withIds('1||1', '||2')],
  ])('%s', (_, rows) => {
    expect(judged(rows)).toMatch(/^-+$/);
  });

  test('are those that people ask in earnest', () => {
    const rows = plainRows.map((row): Neighbour => ({ row, kind: 'row' }));
    for (const id of [true, null]) expect(judged(rows.filter(({ row }) => row.hasId === id))).toMatch(/^-+$/);
    expect(judged(Array.from({ length: 300 }, (_, at) => neighbour(`${at}|1+1=?|2`)))).toMatch(/^-+$/);
  });
});
