/** Pure. What looks odd about a row: such rows would be paid for, and their videos would be of nothing. */

import { isPictureFormula, isSheetError, isSheetFormula } from '../../text/cell-kinds.ts';
import { headerKey, meaningOf, ownFieldOf } from '../columns/known-names.ts';
import { isRest } from './cut-texts.ts';
import { damagedDoubts } from './damaged-doubts.ts';
import { type DoubtedRow, type FileTally, leastRows, type RowDoubt, signs, signsIn } from './doubted-row.ts';
import { noQuestionDoubts } from './no-questions.ts';
import { isAnswerLine, isPageLine } from './page-lines.ts';
import {
  isBareHint,
  isBareTitle,
  isColumnType,
  isCountedTitle,
  isDrawnLine,
  isEnd,
  isExercisesTitle,
  isFiller,
  isFooterLine,
  isHeaderHint,
  isNamedTitle,
  isNoValue,
  isNumber,
  isQuestionNumber,
  isSectionTitle,
  isTotal,
} from './table-words.ts';

/** Longer texts are no headers, titles and footers. */
const shortLength = 100;
const leastFuller = 0.8;
/** A title that is not certain to be one, or may have been sent. */
export const titleDoubt: RowDoubt = {
  id: 'section-title',
  what: { en: 'a title of a section', zh: '小节标题' },
  looksOdd: isTitleRow,
  odd: { question: '一、选择题（每题 5 分）', cells: ['一、选择题（每题 5 分）'], hasId: false },
  plain: { question: '第一章 总结', cells: ['12', '第一章 总结'], hasId: true },
};

export const pageLineDoubt: RowDoubt = {
  id: 'page-line',
  what: { en: 'a line of a page', zh: '页面上的说明文字' },
  looksOdd: (row) => isAlone(row) && isShort(row.question) && isPageLine(row.question.trim()),
  odd: { question: '第 1 页 共 4 页', cells: ['第 1 页 共 4 页'], hasId: false },
  plain: { question: '第 1 页有多少字？', cells: ['第 1 页有多少字？'], hasId: false },
};

export const answerLineDoubt: RowDoubt = {
  id: 'answer-line',
  what: { en: 'an answer or explanation without its question', zh: '单独成行的答案或解析' },
  looksOdd: (row) => isAlone(row) && isAnswerLine(row.question.trimStart()),
  odd: { question: '【答案】C', cells: ['【答案】C'], hasId: false },
  plain: { question: 'Answer: what is 1 + 1?', cells: ['Answer: what is 1 + 1?'], hasId: false },
};

/** In the order in which they are asked. */
export const rowDoubts: readonly RowDoubt[] = [
  {
    id: 'header',
    most: shortLength,
    what: { en: 'a header', zh: '表头' },
    looksOdd: (row) => row.question !== '' && (isHeaderName(row) || isHeaderRow(row)),
    odd: { question: '题目', answer: '答案', cells: ['编号', '题目', '答案'], hasId: true },
    plain: { question: 'question', answer: '问题', cells: ['7', 'question', '问题'], hasId: true },
  },
  {
    id: 'header-hint',
    most: shortLength,
    what: { en: 'a hint below a header', zh: '表头下的说明' },
    looksOdd: ({ question, answer, cells }) => {
      const text = question.trim();
      if (isBareHint(text)) return true;
      if (isHeaderHint(text)) return answer === '' || isHeaderHint(answer.trim());
      return isColumnType(text) && cells.length > 1 && cells.every((cell) => isColumnType(cell.trim()));
    },
    odd: { question: '(text; LaTeX allowed)', cells: ['(text; LaTeX allowed)'] },
    plain: { question: '(text) What does the author mean?', cells: ['(text) What does the author mean?'] },
  },
  {
    id: 'drawn-line',
    most: shortLength,
    what: { en: 'a line below a header', zh: '表头下的分隔线' },
    looksOdd: ({ question, cells }) =>
      isDrawnLine(question.trim()) && cells.every((cell) => isDrawnLine(cell.trim()) || cell.trim() === '-'),
    odd: { question: '--------', answer: '------', cells: ['--', '--------', '------'], hasId: true },
    plain: { question: '--', answer: 'decrement', cells: ['--', 'decrement'] },
  },
  titleDoubt,
  {
    id: 'footer',
    what: { en: 'a footer', zh: '表尾' },
    looksOdd: isFooterRow,
    odd: { question: 'Total:', cells: ['Total:'], hasId: false },
    plain: { question: 'Total', answer: '总数', cells: ['Total', '总数'] },
  },
  pageLineDoubt,
  answerLineDoubt,
  {
    id: 'split-row',
    what: { en: 'a question cut at a comma', zh: '在逗号处断开的题目' },
    looksOdd: isSplit,
    odd: {
      question: 'Let f(x',
      answer: 'y) = x + y. What is f?',
      cells: ['Let f(x', ' y) = x + y. What is f?'],
    },
    plain: { question: 'f(x) = 2x for x in (0', answer: '1)', cells: ['f(x) = 2x for x in (0', '1)'] },
  },
  {
    id: 'number-alone',
    most: 23,
    tellsColumn: true,
    what: { en: 'a number alone', zh: '只有编号，没有题目' },
    looksOdd: ({ question, hasPictures }) =>
      question !== '' && !hasPictures && isQuestionNumber(question.trim()),
    odd: { question: '第 4 题（5 分）', answer: '4', cells: ['第 4 题（5 分）', '4'] },
    plain: { question: '2^10', answer: '1024', cells: ['2^10', '1024'] },
  },
  {
    id: 'punctuation-alone',
    most: shortLength,
    tellsColumn: true,
    what: { en: 'punctuation alone', zh: '只有标点，没有题目' },
    looksOdd: ({ question, answer, hasPictures }) => !hasPictures && isFiller(question.trim(), answer),
    odd: { question: '???', answer: 'B', cells: ['???', 'B'] },
    plain: { question: ';', answer: 'semicolon', cells: [';', 'semicolon'] },
  },
  {
    id: 'missing-value',
    most: 11,
    tellsColumn: true,
    what: { en: 'a word for a missing value', zh: '表示没有内容的词' },
    looksOdd: ({ question, answer, hasPictures }) =>
      question !== '' && !hasPictures && isNoValue(question.trim(), answer.trim()),
    odd: { question: 'NULL', answer: 'NULL', cells: ['8', 'NULL', 'NULL'], hasId: true },
    plain: { question: '无', answer: 'wú', cells: ['无', 'wú'] },
  },
  ...noQuestionDoubts,
  {
    id: 'lost-picture',
    needs:
      signs.bracket |
      signs.formula |
      signs.angle |
      signs.brace |
      signs.at |
      signs.dollar |
      signs.backslash |
      signs.foreign,
    what: { en: 'a question whose picture is missing', zh: '缺少图片的题目' },
    looksOdd: ({ question, hasPictures }) => !hasPictures && namesPicture(question),
    odd: { question: '[图片] 求面积', cells: ['[图片] 求面积'] },
    plain: { question: '如图，求三角形的面积', cells: ['如图，求三角形的面积'] },
  },
  {
    id: 'sheet-error',
    most: shortLength,
    what: { en: 'an error of a spreadsheet', zh: '表格的错误值' },
    looksOdd: ({ question }) => isSheetError(question),
    odd: { question: '#NAME?', cells: ['#NAME?'] },
    plain: { question: 'What does #NAME? mean?', cells: ['What does #NAME? mean?'] },
  },
  {
    id: 'sheet-formula',
    what: { en: 'a formula of a spreadsheet', zh: '表格公式' },
    looksOdd: ({ question }) => question.trimStart().startsWith('=') && isFormula(question),
    odd: { question: '=SUM(A1:A3)', cells: ['=SUM(A1:A3)'] },
    plain: { question: '=SUM(A1:A3) 的结果是？', cells: ['=SUM(A1:A3) 的结果是？'] },
  },
  ...damagedDoubts,
];

/** The first doubt about the row; null for none. */
export function doubtAbout(row: DoubtedRow, tally: FileTally): RowDoubt | null {
  const found = signsIn(row.question) | signsIn(row.answer);
  return (
    rowDoubts.find(
      (doubt) => (doubt.needs === undefined || (doubt.needs & found) !== 0) && doubt.looksOdd(row, tally),
    ) ?? null
  );
}

function isShort(text: string): boolean {
  return text.length <= shortLength && text !== '';
}

/** Words of a language, which a list of words may have alone in their row. */
const ordinaryNames: ReadonlySet<string> = new Set(
  'q questions prompt problem stem exercise text 问题 問題 试题 試題 考题 原题'.split(' '),
);

/** True for a row that is the name of the question's column, and nothing else that matters. */
function isHeaderName({ question, answer, hasId }: DoubtedRow): boolean {
  if (answer !== '' || hasId === true) return false;
  return meaningOf(question)?.field === 'question' && !ordinaryNames.has(headerKey(question));
}

/**
 * True where the question and another cell are names of two fields. Lists of words have two names of one field in a row,
 * `question | 问题`, and numbers next to words that are no field's own name, `7 | problem | solution`.
 */
function isHeaderRow({ question, cells }: DoubtedRow): boolean {
  const field = meaningOf(question)?.field;
  if (field === undefined || question.trim().length < 2) return false;
  const others = cells.filter((cell) => isShort(cell) && cell.trim().length > 1);
  const named = others.filter((cell) => (meaningOf(cell)?.field ?? field) !== field);
  if (named.length === 0) return false;
  const isOwn = ownFieldOf(question) !== null && named.some((cell) => ownFieldOf(cell) !== null);
  return isOwn || !cells.some((cell) => isNumber(cell.trim()));
}

/** The title of a section that the row may be, in whatever column it stands; '' where it has more than that. */
function titleOf({ question, answer, cells, hasPictures }: DoubtedRow): string {
  if (hasPictures || answer !== '') return '';
  const text = question === '' && cells.length === 1 ? cells.join('') : question;
  return isShort(text) ? text.trim() : '';
}

/** A title that can be nothing else, or one with a name. */
type TitleForm = 'bare' | 'named';

/** The form of a title that the row has, whatever the others are like; null for none. */
export function titleForm(row: DoubtedRow): TitleForm | null {
  const title = titleOf(row);
  if (title === '') return null;
  return isBareTitle(title) ? 'bare' : isNamedTitle(title) ? 'named' : null;
}

/**
 * True for the title of a section, which is no row; `form` is its own. Without a column for answers, where no question has one, it takes another
 * sign: no id among rows with ids, a cell merged over the table, or no other cell among rows with several. `tally` is
 * without rows of such a form.
 */
export function isHeading(
  row: DoubtedRow,
  { rows, fuller, columns }: FileTally,
  {
    hasAnswers,
    form = titleForm(row),
  }: { readonly hasAnswers: boolean; readonly form?: TitleForm | null | undefined },
): boolean {
  if (form === null) return false;
  if (row.question === '') return true;
  const isBare = form === 'bare';
  if (row.hasId === true && !(isBare && hasAnswers)) return false;
  if (hasAnswers || row.isMerged === true) return true;
  if (row.hasId === false && isBare) return true;
  return row.cells.length === 1 && columns > 1 && rows >= leastRows && fuller >= leastFuller * rows;
}

/** True for a title alone in its row, in a table whose other rows have more cells; with points it is one in any table. */
function isTitleRow(row: DoubtedRow, { rows, fuller, merged, columns }: FileTally): boolean {
  const { question, cells, hasId, hasPictures, isMerged } = row;
  if (cells.length !== 1 || hasId === true || hasPictures || !isShort(question)) return false;
  const text = question.trim();
  if (isCountedTitle(text)) return true;
  if (columns < 2) return false;
  // A title of exercises without an id is one in the first row too.
  if (hasId === false && isExercisesTitle(text)) return true;
  // Where most rows are merged, that is how the sheet is laid out.
  const isAbove = fuller >= Math.max(merged, leastFuller * (rows - merged), 1);
  if (isMerged && isAbove && !/[?？=]/.test(text)) return true;
  return rows >= leastRows && fuller >= leastFuller * rows && isSectionTitle(text);
}

/** True for a line below the table, in the column of the question or in the first one. */
function isFooterRow(row: DoubtedRow, { columns }: FileTally): boolean {
  const { question, answer, cells, hasId, hasPictures } = row;
  const first = cells[0]?.trim() ?? '';
  if (first === '' || first.length > shortLength || hasPictures) return false;
  if (isTotal(first))
    return (columns > 1 || /[:：]$/.test(first)) && cells.slice(1).every((cell) => isNumber(cell.trim()));
  if (cells.length === 1 && isFooterLine(first)) return true;
  if (cells.length === 1 && isEnd(first)) return columns > 1 || !/^\w+$/.test(first);
  const text = question.trim();
  if (hasId === true || !isShort(text) || text === first) return false;
  if (answer !== '' && !isNumber(answer.trim())) return false;
  return isFooterLine(text) || isEnd(text) || isTotal(text);
}

/** True for a row that has its question alone, and no id. */
function isAlone({ cells, hasId, hasPictures }: DoubtedRow): boolean {
  return cells.length === 1 && hasId !== true && !hasPictures;
}

/** True where the answer is the rest of the question, which a comma without quotes ended. */
function isSplit({ question, answer, isLong }: DoubtedRow, { rows, indented = 0 }: FileTally): boolean {
  if (answer.length < 3 || question === '') return false;
  // Where many answers begin with a blank, that is how the file is written.
  const isIndented = /^\s/.test(answer) && indented <= Math.max(rows / 2, 1);
  return isRest(question.trimEnd(), answer.trim(), { isLong: isLong === true, isIndented });
}

/** Words and a question mark next to a formula make it a question about it. */
function isFormula(question: string): boolean {
  if (!isSheetFormula(question)) return false;
  return !/[?？]|\p{Script=Han}|[a-z]{2,} [a-z]{2,}/u.test(question.replace(/"[^"]*"/g, ''));
}

const picture =
  /@@PLUGINFILE@@\/|\$IMS-CC-FILEBASE\$|@X@EmbeddedFile|\[\[(?:File|Image|Datei|Fichier|Archivo|文件|图像|檔案):[^\]\n]{1,200}\]\]|!\[\[(?!\d{1,2}\]\])[^\]\n]{1,200}\]\]|!\[[^\]\n]{0,200}\]\([^()\s]{1,2000}\)|\\includegraphics\s*(?:\[[^\]\n]{0,200}\])?\{|<(?:image|img|图片?)[\s_-]?\d+\s*\/?>|(?<!\b(?:an?|the|this|each|every|your|my|with|using|use|add|between|and|or|does) )<(?:image|img|图片?)\s*\/?>|<img\s+src=(?:["']{2}|…|\.\.\.)|[[【](?:img|image|pic|picture|图片?|插图|配图)[\s_-]?\d*[\]】]|\(image\)\[[^\]\n]{1,200}\]|\{\{[^{}\n]{1,200}\.(?:png|jpe?g|gif|svg|webp|bmp)\}\}/i;
/** A cheap test: each of them has one of these. */
const pictureSign = /[[<【{@$]/;
const aboutMarkup =
  /`|markdown|html|latex|\bsvg|xml|bbcode|\btags?\b|\belements?\b|\bcss\b|flexbox|\battributes?\b|属性|标签|元素|标记|语法/i;

/** True for a text that names a picture by a sign of another program, and is not about that sign. */
function namesPicture(question: string): boolean {
  if (isPictureFormula(question)) return true;
  return (
    pictureSign.test(question) && picture.test(question) && !aboutMarkup.test(question.replace(picture, ''))
  );
}
