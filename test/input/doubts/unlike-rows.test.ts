import { expect, it } from 'vitest';
import { UnlikeRows } from '../../../src/input/doubts/unlike-rows.ts';
import { wordProblems } from '../../support/word-problems.ts';
import { plainRows } from './plain-rows.ts';

type Row = readonly [question: string, answer: string, id?: string];

const english = wordProblems(300).map((question, at): Row => [question, `${at * 3}`]);
const chinese = plainRows
  .filter(({ question, hasId }) => hasId === true && /\p{Script=Han}/u.test(question))
  .filter((_, at) => at % 2 === 0)
  .slice(0, 300)
  .map(({ question, answer }): Row => [question, answer]);

function unlike(rows: readonly Row[]): readonly string[] {
  const compared = new UnlikeRows((line) => ({ line, row: null }));
  const columns = ['id', 'question', 'answer', 'note'];
  const inputs = rows.map(([question, answer, id = '7'], at) => ({
    line: at + 1,
    input: { id, question, answer, note: null },
  }));
  const sent = rows.map(([question, answer]) => ({
    id: null,
    question,
    answer,
    questionImages: [],
    answerImages: [],
    quality: null,
    notifyUrl: null,
  }));
  compared.look(inputs, [...sent.slice(0, -1), null], { columns });
  return compared.notes().map(({ text }) => text);
}

/** Among these rows, the last of which is not sent. */
const among = (rows: readonly Row[], row: Row): readonly string[] =>
  unlike([...rows.slice(0, 150), row, ...rows.slice(150), ['', '']]);

const rubbish: readonly (readonly [rows: readonly Row[], ...row: Row])[] = [
  [english, 'goes on at 70 km/h until it is', '', ''],
  [english, 'What is 4 + 4?,8\n12,What is 6 + 6?,12\n13,How long is 5 in', '12.7 cm'],
  [english, 'Mandatory. At most 300 letters.', 'Mandatory. Separate them with ;'],
  [english, 'New question', ''],
  [english, 'Enter your question', ''],
  [english, 'Dolor sit amet consectetur.', ''],
  [english, 'https://tiku.example.com/q/99.html', 'C'],
  [english, '\u2060', '4'],
  [english, '\u3164', '7'],
  [english, 'pics/17.png', '6'],
  [english, '[object Object]', '4'],
  [english, 'System.Object[]', 'System.Object[]'],
  [english, '{"ops":[{"insert":"What is 3 + 3?\\n"}]}', '6'],
  [english, 'SG93IG1hbnkgbGVncyBoYXMgYSBkb2c/', '4'],
  [english, '########', '12'],
  [english, 'Q17', '56'],
  [english, '<|user|>\nWhat is 1 + 1?<|end|>', '2'],
  [english, 'Find the perimeter of the square. \ufffc', '6'],
  [english, '7-Jun', '1'],
  [english, 'If $tan beta = frac{5}{12}$, find $sin beta$.', '$frac{5}{13}$'],
  [english, 'What is {p} times {q}?', '{={p}*{q}}'],
  [english, '@@PLUGINFILE@@/cone.png What is its volume?', '2'],
  [english, 'q9', 'What is 2 + 2?'],
  [english, '<ul compact><li>x</li><li>1</li></ul> Find x.', '1'],
  [chinese, 'B. 17', '', ''],
  [chinese, '解析：由题意得', '', ''],
  [chinese, '学号：________ 成绩：________', '', ''],
  [chinese, '（2）若 a=3，求 f(x) 的最大值；', '8', ''],
  [chinese, '第 3 页 共 8 页', '', ''],
  [chinese, '示例：2+2 等于几？（请删除本行）', 'B'],
  [chinese, '请在此处填写', ''],
  [chinese, '练习册 P12 第 4 题', 'x=2'],
  [chinese, '见下图', ''],
  [chinese, '[{"type":"text","text":"求 "},{"type":"text","text":"x+2=5"}]', '3'],
  [chinese, '=E6=B1=82y-1=3D5=E7=9A=84=E8=A7=A3', '6'],
  [chinese, '?y-1=5???', '6'],
  [chinese, '?????90?????', '?'],
  [chinese, '1.98765E+15', '读作？'],
  [chinese, '若，则的最大值是', ''],
  [chinese, '根据上文，小明还剩几个苹果？', '62'],
];

const [plain = ''] = english[7] ?? [];

it('a row of another kind is among the five named rows, for two thirds of the kinds', () => {
  const found = rubbish.filter(([rows, ...row]) =>
    among(rows, row).some((note) => note.startsWith('line 151 is unlike the others (')),
  );
  expect(found.length).toBeGreaterThanOrEqual(rubbish.length * (2 / 3));
});

it('rows that are alike are not named, nor are the few rows of a short file', () => {
  expect(unlike(english)).toEqual([]);
  expect(among(english.slice(0, 5), ['[object Object]', ''])).toEqual([]);
  const justWeeded = [...english, ...english].slice(0, 514);
  expect(
    unlike([
      ...justWeeded,
      ['a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(9), '42'],
      ['', ''],
    ]),
  ).toHaveLength(1);
});

it.each<[why: string, question: string, answer?: string, id?: string]>([
  ['without an answer', 'How many are there in all of them at the market?', ''],
  ['with other cells filled than most', 'How many were sold at the market on Tuesday?', '4', ''],
  [
    'with another kind of answer than most',
    'How many apples?',
    'as many as there were before, and those that came',
  ],
  ['no letter in it', '12 + 30'],
  ['in other letters than most', '苹果有几个？'],
  ['ends unlike most', `Gru frobs zork bazz wugs ${plain} (he sold it)`],
  ['13 times as long as most', 'He had apples at the market on Monday. '.repeat(60)],
  ['much shorter than most', 'Apples?'],
  ['the sign U+200B in it, which few have', `Gru\u200b frobs a quux ${plain}`],
  ['many more signs than most', `Ada ${'(((('.repeat(20)} had apples on Monday?`],
  [
    'words in it that the others do not have',
    'Gru frobs a quux bazz under lorem ipsum dolor sit amet elit, while some zorks fly over it with wugs and blickets tomorrow?',
  ],
])('of many rows, one is named for what it is: %s', (why, question, answer = '42', id = '7') => {
  const many = Array.from({ length: 4 }, () => english).flat();
  const [first = ''] = among(many, [question, answer, id]);
  expect(first).toContain(`(${why})`);
});
