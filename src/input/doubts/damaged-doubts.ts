/** Pure. Doubts about texts that an earlier program damaged, cut, or never filled in. */

import { hasBrokenEscape, hasLeftOverEscape, hasPrivateLetter, hasWordField } from './damaged-text.ts';
import { type DoubtedRow, type FileTally, leastRows, type RowDoubt, signs } from './doubted-row.ts';
import {
  hasBadFormula,
  hasControl,
  hasLostLetters,
  hasPlaceholder,
  isDateAlone,
  isOpenEnded,
  isSum,
} from './text-doubts.ts';
import { isMisread, undamaged } from './undamage.ts';

/** In the order in which they are asked. */
export const damagedDoubts: readonly RowDoubt[] = [
  {
    id: 'broken-escape',
    needs: signs.control | signs.brace | signs.dollar,
    what: { en: 'LaTeX whose backslashes are lost', zh: '反斜杠丢失的 LaTeX' },
    looksOdd: ({ question, answer }) => hasBrokenEscape(question) || hasBrokenEscape(answer),
    odd: { question: 'What is $3 \times 4$?', answer: '12', cells: ['What is $3 \times 4$?', '12'] },
    plain: { question: 'What is $3 \\times 4$?\tExplain.', cells: ['What is $3 \\times 4$?\tExplain.'] },
  },
  {
    id: 'left-over-escape',
    needs: signs.backslash | signs.angle,
    what: { en: 'text with escapes left over', zh: '残留转义符的文字' },
    looksOdd: ({ question, answer }) => hasLeftOverEscape(question) || hasLeftOverEscape(answer),
    odd: { question: 'What is $\\\\frac{1}{2}$ of 4?', cells: ['What is $\\\\frac{1}{2}$ of 4?'] },
    plain: { question: '$a \\neq b \\\\ \\frac{1}{2}$', cells: ['$a \\neq b \\\\ \\frac{1}{2}$'] },
  },
  {
    id: 'word-field',
    what: { en: 'a formula that only Word can read', zh: '只有 Word 能读的公式域' },
    looksOdd: ({ question, answer }) => hasWordField(question) || hasWordField(answer),
    odd: { question: '计算 EQ \\f(1,2) + 1', cells: ['计算 EQ \\f(1,2) + 1'] },
    plain: { question: 'Eq (1): \\frac{1}{2}', cells: ['Eq (1): \\frac{1}{2}'] },
  },
  {
    id: 'private-letters',
    needs: signs.foreign,
    what: { en: 'text with letters that only one font has', zh: '含有专用字体字符的文字' },
    looksOdd: ({ question, answer }) => hasPrivateLetter(question) || hasPrivateLetter(answer),
    odd: { question: 'Find \uf061 + \uf062.', cells: ['Find \uf061 + \uf062.'] },
    plain: { question: 'Find α + β.', cells: ['Find α + β.'] },
  },
  {
    id: 'damaged-text',
    needs: signs.foreign,
    what: { en: 'damaged text', zh: '乱码' },
    looksOdd: ({ question, answer }) => isMisread(question) || isMisread(answer),
    mended: ({ question }) => (isMisread(question) ? undamaged(question) : null),
    odd: { question: '姹傚嚱鏁扮殑鏈€澶у€笺€�', cells: ['姹傚嚱鏁扮殑鏈€澶у€笺€�'] },
    plain: { question: '魑魅魍魉是什么意思？', cells: ['魑魅魍魉是什么意思？'] },
  },
  {
    id: 'control-characters',
    needs: signs.control,
    what: { en: 'text with a sign that stands for what is lost', zh: '含有占位或控制字符的文字' },
    looksOdd: ({ question, answer }) => hasControl(question) || hasControl(answer),
    odd: { question: 'Find the area. \ufffc', answer: '6', cells: ['Find the area. \ufffc', '6'] },
    plain: { question: '已知：\u000ba=3\u000b求 a', cells: ['已知：\u000ba=3\u000b求 a'] },
  },
  {
    id: 'lost-letters',
    needs: signs.question,
    what: { en: 'text whose letters became question marks', zh: '文字变成了问号' },
    looksOdd: ({ question, answer }) => hasLostLetters(question) || hasLostLetters(answer),
    odd: { question: '?x+1=3???', answer: '2', cells: ['?x+1=3???', '2'] },
    plain: { question: '??? + 5 = 12???', answer: '7', cells: ['??? + 5 = 12???', '7'] },
  },
  {
    id: 'bad-formula',
    needs: signs.foreign | signs.formula | signs.stray,
    what: { en: 'text whose formulas were lost or repeated by pasting', zh: '粘贴时公式丢失或重复的文字' },
    looksOdd: ({ question, answer }) => hasBadFormula(question) || hasBadFormula(answer),
    odd: { question: '若，则的取值范围是', cells: ['若，则的取值范围是'] },
    plain: { question: '由已知，a=3，且b=2，则a+b的值是', cells: ['由已知，a=3，且b=2，则a+b的值是'] },
  },
  {
    id: 'placeholder',
    needs: signs.brace | signs.bracket | signs.foreign | signs.percent | signs.angle,
    what: { en: 'text with a placeholder that nobody filled in', zh: '含有没有填写的占位符的文字' },
    looksOdd: ({ question, answer }) => hasPlaceholder(question) || hasPlaceholder(answer),
    odd: { question: 'What is {a} + {b}?', cells: ['What is {a} + {b}?'] },
    plain: {
      question: 'Compute 5![[1]] for the array [[1]].',
      cells: ['Compute 5![[1]] for the array [[1]].'],
    },
  },
  {
    id: 'date-among-sums',
    most: 40,
    what: { en: 'a date among sums', zh: '算式中的日期' },
    looksOdd: isDateAmongSums,
    odd: { question: '8月3日', answer: '5', cells: ['8月3日', '5'] },
    plain: { question: '8-3', answer: '5', cells: ['8-3', '5'] },
  },
  {
    id: 'cut-text',
    what: { en: 'a text cut at the length that others have', zh: '被截断的文字' },
    looksOdd: ({ question }, { cutAt = null }) =>
      cutAt !== null && cutAt - question.length <= 1 && isOpenEnded(question),
    odd: { question: `A farmer ${'has '.repeat(200)}`.slice(0, 255), cells: ['x'] },
    plain: { question: `${`A farmer ${'has '.repeat(200)}`.slice(0, 254)}.`, cells: ['x'] },
  },
];

/** True for a date alone where at least three other questions, and a third of all, are sums; or as the answer to one. */
function isDateAmongSums({ question, answer }: DoubtedRow, { rows, sums = 0 }: FileTally): boolean {
  if (isDateAlone(answer) && isSum(question)) return true;
  return sums >= leastRows && sums * 3 >= rows && isDateAlone(question);
}
