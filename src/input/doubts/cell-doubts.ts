/** Pure. What is noted about cells: they are sent or read as the note says, and are probably not what their writer meant. */

import { listImages, splitEntries } from '../../files/image-source.ts';
import type { Words } from '../../messages/both.ts';
import { type Field, pictureFields } from '../../money/question.ts';
import { hasMarkdownImage, isHtml, isSheetError, isSheetFormula } from '../../text/cell-kinds.ts';
import {
  isDoubtfulAnswer,
  isMissingEntry,
  isMissingValue,
  isNoAnswer,
  isNoneTo,
  mayBeNoAnswer,
} from '../../text/cells/missing-values.ts';
import { isNoAnswerText } from './program-texts.ts';

/** A cell as far as notes look at it. */
export interface NotedCell {
  readonly field: Field;
  readonly text: string;
  /** Of its row. */
  readonly question: string;
  /** True where words for a missing value are sent as answers. */
  readonly areWordsTexts: boolean;
}

/** A cell of a row that has another question, where it says none. */
export type CellExample = Pick<NotedCell, 'field' | 'text'> & Partial<NotedCell>;

export interface CellDoubt {
  /** Stable, kebab-case. */
  readonly id: string;
  /** What the cell has, as in `2 cells with HTML`. */
  readonly what: Words;
  /** What becomes of it, and what to do. */
  readonly so: Words;
  /** It is asked of the cells of these fields only. */
  readonly fields: readonly Field[];
  /** It is asked of every cell of a million rows: cheap checks come first. */
  isAbout(cell: NotedCell): boolean;
  /** A cell that it notes, and one close by that it does not. */
  readonly odd: CellExample;
  readonly plain: CellExample;
}

const texts: readonly Field[] = ['question', 'answer'];

/** A cell that is noted for several reasons is counted for each. */
export const cellDoubts: readonly CellDoubt[] = [
  {
    id: 'error',
    what: {
      en: 'with an error of a spreadsheet such as #NAME? or #REF!',
      zh: '是电子表格的错误值，如 #NAME? 或 #REF!',
    },
    so: { en: 'sent as it is; mend it in the spreadsheet', zh: '按原样发送；请在表格中改正' },
    fields: texts,
    isAbout: (cell) => isSheetError(cell.text) && !isMissingText(cell),
    odd: { field: 'answer', text: ' #REF! ' },
    plain: { field: 'answer', text: '#REF! was shown' },
  },
  {
    id: 'formula',
    what: { en: 'with a formula of a spreadsheet', zh: '是电子表格的公式' },
    so: { en: 'sent as it is, not calculated; save its value', zh: '按原样发送，不计算；请保存为值' },
    fields: texts,
    isAbout: ({ text }) => isSheetFormula(text),
    odd: { field: 'answer', text: '=SUM(A1:A3)' },
    plain: { field: 'answer', text: '=2x+1' },
  },
  {
    id: 'html',
    what: { en: 'with HTML', zh: '含有 HTML' },
    so: {
      en: 'sent as it is; --html text turns it into text, and takes its images along',
      zh: '按原样发送；--html text 可转为文字，并带上其中的图片',
    },
    fields: texts,
    isAbout: ({ text }) => isHtml(text),
    odd: { field: 'question', text: 'x<br>y' },
    plain: { field: 'question', text: 'a<b and b>c' },
  },
  {
    id: 'markdown-image',
    what: { en: 'with an image of Markdown, ![](...)', zh: '含有 Markdown 图片 ![](...)' },
    so: {
      en: 'sent as text; list the image in a column questionImages',
      zh: '按文字发送；请把图片写在 questionImages 列',
    },
    fields: texts,
    isAbout: ({ text }) => hasMarkdownImage(text),
    odd: { field: 'question', text: 'see ![figure 1](images/a.png "A")' },
    plain: { field: 'question', text: '5! [sic]' },
  },
  {
    id: 'escaped-formula',
    what: {
      en: 'with a formula that Markdown escaped, such as $x\\_1$',
      zh: '的公式被 Markdown 转义，如 $x\\_1$',
    },
    so: { en: 'sent as it is; take the backslashes away', zh: '按原样发送；请去掉多余的反斜杠' },
    fields: texts,
    isAbout: ({ text }) => text.includes('\\') && escapedFormula.test(text),
    odd: { field: 'question', text: 'Solve $x\\_1 + x\\_2 = 3$.' },
    plain: { field: 'question', text: '$\\text{max\\_speed} = \\|x\\|$' },
  },
  {
    id: 'missing-answer',
    what: {
      en: 'with an answer that says there is none here, such as nan, 略 or "see solution"',
      zh: '的答案只表示此处没有答案，如 nan、“略”、“见解析”',
    },
    so: {
      en: 'read as no answer; --odd send sends it as it is',
      zh: '按没有答案处理；要按原样发送请加 --odd send',
    },
    fields: ['answer'],
    isAbout: isEmptied,
    odd: { field: 'answer', text: '见解析' },
    plain: { field: 'answer', text: 'null and void' },
  },
  {
    id: 'program-answer',
    what: {
      en: 'with an answer that only a program reads, such as [object Object] or ######',
      zh: '的答案是程序内部的文字，如 [object Object] 或 ######',
    },
    so: { en: 'sent as it is; mend it where the table was made', zh: '按原样发送；请在制表的程序中改正' },
    fields: ['answer'],
    isAbout: ({ text, question }) => isNoAnswerText(text.trim(), question),
    odd: { field: 'answer', text: '[object Object]' },
    plain: { field: 'answer', text: '[1, 2]' },
  },
  {
    id: 'short-number',
    what: {
      en: 'with a number as spreadsheets shorten it, such as 1.23E+11',
      zh: '是电子表格缩写的数字，如 1.23E+11',
    },
    so: {
      en: 'sent as it is; its last digits may be lost: format the column as a number and save it again',
      zh: '按原样发送，末尾几位可能已丢失；请把该列设为数值格式后重新保存',
    },
    fields: texts,
    isAbout: ({ text }) =>
      text.length < 14 && text.includes('E+') && /^\s*-?\d(?:\.\d{1,5})?E\+(?:1[1-9]|[2-9]\d)\s*$/.test(text),
    odd: { field: 'answer', text: '1.23552E+11' },
    plain: { field: 'answer', text: '1.6E-19' },
  },
  {
    id: 'answer-is-question',
    what: { en: 'with the question itself as the answer', zh: '的答案就是题目本身' },
    so: { en: 'sent as it is; empty the cell if there is no answer', zh: '按原样发送；如果没有答案，请清空' },
    fields: ['answer'],
    isAbout: ({ text, question }) => text.length > 3 && text.trim() === question.trim(),
    odd: { field: 'answer', text: ' What is 1 + 1?' },
    plain: { field: 'answer', text: 'x+1', question: 'x+1' },
  },
  {
    id: 'sent-word',
    what: {
      en: 'with an answer that may say there is none, such as None, NULL, 无 or /',
      zh: '的答案可能表示没有内容，如 None、NULL、无、/',
    },
    so: { en: 'sent as it is; empty the cell if there is no answer', zh: '按原样发送；如果没有答案，请清空' },
    fields: ['answer'],
    isAbout: (cell) =>
      isDoubtfulAnswer(cell.text) ||
      mayBeNoAnswer(cell.text) ||
      ((isMissingValue(cell.text) || isNoAnswer(cell.text)) && !isEmptied(cell)),
    odd: { field: 'answer', text: 'NULL', question: 'What does NULL + 1 give in SQL?' },
    plain: { field: 'answer', text: 'none' },
  },
  {
    id: 'missing-entry',
    what: {
      en: 'with a word for a missing value in place of a picture, a quality or an address',
      zh: '应是图片、质量或地址，却是表示没有内容的词',
    },
    so: { en: 'read as empty', zh: '按空白处理' },
    fields: ['questionImages', 'answerImages', 'quality', 'notify_url'],
    isAbout: ({ text }) => isMissingEntry(text),
    odd: { field: 'questionImages', text: 'None' },
    plain: { field: 'questionImages', text: 'none.png' },
  },
  {
    id: 'several-images',
    what: {
      en: 'with several addresses or paths of pictures',
      zh: '含有多个图片地址或路径',
    },
    so: { en: 'read as that many pictures', zh: '按多幅图片处理' },
    fields: pictureFields,
    isAbout: ({ text }) => holdsSeveral(text),
    odd: { field: 'questionImages', text: 'https://a.example/1.png，https://a.example/2.png' },
    plain: { field: 'questionImages', text: 'https://a.example/?crop=1,2|https' },
  },
];

/** Signs of Markdown with a backslash of their own in a formula, brackets of a set with two, and words in those of a formula. */
const escapedFormula =
  /\$[^$\n]*(?:(?<![a-zA-Z]{2})[a-zA-Z0-9)}]\\_[\w{]|\d ?\\\* ?\d|\\\\\{[^{}$]*\\\\\})[^$\n]*\$|\\\[[A-Z][a-z]+(?: [a-z]+){2,}[.?!]?\\\]/;

/** Longer cells hold the pictures themselves. */
const mostListed = 65_536;

function holdsSeveral(cell: string): boolean {
  if (cell.length > mostListed) return false;
  const listed = listImages(cell);
  return splitEntries(listed, cell).length > listed.length;
}

function isMissingText({ field, text }: NotedCell): boolean {
  return field === 'answer' && isMissingValue(text);
}

function isEmptied({ text, question, areWordsTexts }: NotedCell): boolean {
  return !areWordsTexts && isNoneTo(text, question);
}

/** What is noted of the cell. */
export function doubtsAbout(cell: NotedCell): readonly CellDoubt[] {
  return cellDoubts.filter(({ fields, isAbout }) => fields.includes(cell.field) && isAbout(cell));
}
