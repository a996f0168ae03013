/** Pure. Doubts about rows that nobody meant as questions: what templates, programs and switched-off lines have in their place. */

import { leastRows, type RowDoubt } from './doubted-row.ts';
import { isModelPrompt, isNoQuestion, isPicturePath, isReference } from './program-texts.ts';
import { isElsewhere, isNeverTyped, isSample, isWordless } from './whole-cells.ts';

const nearlyAll = 0.8;
/** Where more ids than these have a mark, it is a part of them. */
const mostMarked = 0.34;

const offMark = /^(?:[#＃]\s*|\/\/\s*(?=\d)|(?:\/\/|--|;)\s+)[\p{L}\d]/u;

/** True for an id behind a mark that switches off a line of a program. */
export function isMarkedOff(id: string): boolean {
  return '#＃/-;'.includes(id.charAt(0)) && offMark.test(id);
}

export const noQuestionDoubts: readonly RowDoubt[] = [
  {
    id: 'switched-off',
    what: { en: 'a row that is switched off', zh: '被注释掉的行' },
    looksOdd: ({ id = '' }, { rows, marked = 0 }) =>
      isMarkedOff(id) && rows >= leastRows && marked <= mostMarked * rows,
    odd: { question: '3+3=?', cells: ['# 2', '3+3=?'], hasId: true, id: '# 2' },
    plain: { question: '3+3=?', cells: ['C#2', '3+3=?'], hasId: true, id: 'C#2' },
  },
  {
    id: 'template',
    what: { en: 'a text of a template', zh: '模板里的文字' },
    looksOdd: ({ question, answer, hasPictures, id = '' }) =>
      question !== '' && (isSample(question, id) || (!hasPictures && isNeverTyped(question.trim(), answer))),
    odd: { question: '示例：1+1=?（导入时请删除本行）', cells: ['示例：1+1=?（导入时请删除本行）'] },
    plain: { question: 'Excel 中如何删除本行（快捷键）？', cells: ['Excel 中如何删除本行（快捷键）？'] },
  },
  {
    id: 'elsewhere',
    what: { en: 'a question that stands elsewhere', zh: '题目在别处' },
    looksOdd: ({ question, answer, hasPictures }) =>
      question !== '' && !hasPictures && isElsewhere(question.trim(), answer.trim()),
    odd: { question: '课本 P35 第 3 题', answer: 'x=2', cells: ['课本 P35 第 3 题', 'x=2'] },
    plain: { question: '同上', answer: 'the same as above', cells: ['同上', 'the same as above'] },
  },
  {
    id: 'program-text',
    tellsColumn: true,
    what: { en: 'a text of a program for programs', zh: '程序内部的文字，不是题目' },
    looksOdd: ({ question, answer, hasPictures }) =>
      question !== '' && !hasPictures && isNoQuestion(question.trim(), answer.trim()),
    odd: { question: '[object Object]', answer: '4', cells: ['[object Object]', '4'] },
    plain: { question: 'What does [object Object] mean?', cells: ['What does [object Object] mean?'] },
  },
  {
    id: 'picture-path',
    tellsColumn: 'pictures',
    what: { en: 'the path or address of a picture', zh: '图片的路径或地址' },
    looksOdd: ({ question, hasPictures }) => !hasPictures && isPicturePath(question.trim()),
    odd: { question: 'images/q4.jpg', answer: '7', cells: ['images/q4.jpg', '7'] },
    plain: { question: 'What is a.png?', cells: ['What is a.png?'] },
  },
  {
    id: 'reference',
    tellsColumn: true,
    what: { en: 'an address or a code', zh: '地址或代码' },
    looksOdd: ({ question, answer, hasPictures }, { rows, references = 0 }) =>
      question !== '' &&
      !hasPictures &&
      isReference(question.trim()) &&
      (isWordless(answer) || (rows > leastRows && references >= nearlyAll * rows)),
    odd: { question: 'Q3', answer: '56', cells: ['Q3', '56'] },
    plain: { question: 'Q1', answer: 'first quartile', cells: ['Q1', 'first quartile'] },
  },
  {
    id: 'model-prompt',
    what: { en: 'a prompt of a language model', zh: '语言模型的提示词' },
    looksOdd: ({ question }) => isModelPrompt(question),
    odd: { question: '<|im_start|>user\n1+1=?', cells: ['<|im_start|>user\n1+1=?'] },
    plain: { question: 'What is <|im_start|>?', cells: ['What is <|im_start|>?'] },
  },
];
