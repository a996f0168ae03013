/** Maps the columns of a file to fields, by their headers in English and Chinese. */

import { andMore, type Words } from '../messages/both.ts';
import { type Message, message } from '../messages/message.ts';
import { type Field, fields } from '../money/question.ts';

/** Names a header may use; a field's own names win over its synonyms. */
interface Names {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** In the form `headerKey` returns: lower case, without spaces, `_` or `-`. */
const names: Readonly<Record<Field, Names>> = {
  id: {
    own: words('id 编号'),
    others: words(`no no. nr nr. num number # identifier serial serialnumber rowid itemid
      questionid questionno questionnumber problemid problemno problemnumber
      序号 题号 题目编号 题目序号 题目id 问题编号 问题id 试题编号 試題編號 編號 序號 題號`),
  },
  question: {
    own: words('question 题目'),
    others: words(`q questions questiontext questioncontent questionstem questionbody prompt prompttext
      problem problemtext problemstatement stem exercise text
      问题 题干 试题 题面 考题 原题 题目内容 题目文本 题目描述 问题内容 问题文本 问题描述 试题内容 题干内容
      題目 問題 題幹 試題 題目內容`),
  },
  questionImages: {
    own: words('questionimages 题目图片'),
    others: words(`questionimage questionimageurl questionimageurls questionpicture questionpictures
      questionpic questionimg questionimgs problemimage problemimages promptimage promptimages
      image images imageurl imageurls imagepath imagepaths imagefile imagefiles
      picture pictures pic pics img imgs figure figures photo photos
      图片 题图 图 配图 附图 插图 题目图 题目配图 问题图片 试题图片 题干图片 图片链接 图片地址 图片路径
      題目圖片 圖片 題圖 問題圖片`),
  },
  answer: {
    own: words('answer 答案'),
    others: words(`a answers answertext solution solutions solutiontext explanation reference
      referenceanswer referencesolution refanswer correctanswer modelanswer expectedanswer
      参考答案 标准答案 正确答案 题目答案 问题答案 答案内容 解析 解答 答案解析 参考解答 详解
      參考答案 標準答案 答案內容`),
  },
  answerImages: {
    own: words('answerimages 答案图片'),
    others: words(`answerimage answerimageurl answerimageurls answerpicture answerpictures answerpic
      answerimg answerimgs answerfigure solutionimage solutionimages solutionpicture solutionpictures
      referenceanswerimage referenceanswerimages
      答案图 答案配图 参考答案图片 解析图片 解析图 解答图片 答案圖片 解析圖片`),
  },
  quality: {
    own: words('quality 质量'),
    others: words('videoquality 清晰度 视频清晰度 画质 视频质量 品质 質量 畫質 品質'),
  },
  notify_url: {
    own: words('notifyurl 通知地址'),
    others: words(`notify notification notificationurl callback callbackurl webhook webhookurl
      通知 通知链接 通知url 回调 回调地址 回调链接 回调url 回調 回調地址`),
  },
};

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** How well a header matches its field; the lowest wins. */
const exactly = 0;
const ownName = 1;
const otherName = 2;

interface Meaning {
  readonly field: Field;
  readonly rank: number;
}

const meanings: ReadonlyMap<string, Meaning> = new Map(
  fields.flatMap((field) => [
    ...names[field].others.map((name): [string, Meaning] => [name, { field, rank: otherName }]),
    ...names[field].own.map((name): [string, Meaning] => [name, { field, rank: ownName }]),
  ]),
);

/** Known names by field, for finding headers that are nearly one. */
export const knownNames: readonly { readonly name: string; readonly field: Field }[] = fields.flatMap(
  (field) => [...names[field].own, ...names[field].others].map((name) => ({ name, field })),
);

/** A header without insignificant differences: case, white space, `_`, `-`, full-width forms. */
export function headerKey(column: string): string {
  return column
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '');
}

function meaningOf(column: string): Meaning | undefined {
  const meaning = meanings.get(headerKey(column));
  return meaning?.field === column ? { field: meaning.field, rank: exactly } : meaning;
}

/** True for a header that is a field name by itself; other headers need an override. */
export function isFieldName(column: string): boolean {
  return meanings.has(headerKey(column));
}

/** True for a header that may or may not be an id: `No.` and the like often just number the rows. */
export function isGuessedId(column: string): boolean {
  const meaning = meaningOf(column);
  return meaning?.field === 'id' && meaning.rank === otherName;
}

/** An override that gives a field no column, whatever the headers say. */
export const noColumn = 'none';

/** The column with this name, in any of its spellings. */
export function findColumn(columns: readonly string[], wanted: string): string | undefined {
  return (
    columns.find((each) => each === wanted) ?? columns.find((each) => headerKey(each) === headerKey(wanted))
  );
}

/** True when a row read by these columns can contain a question. */
export function hasQuestion(columnOf: Readonly<Partial<Record<Field, string>>>): boolean {
  return columnOf.question !== undefined || columnOf.questionImages !== undefined;
}

/**
 * Field -> column. An override wins over every header; then the field's exact name, its own names, its synonyms. Two
 * equally good columns, and an override that names a missing column, are problems: one line each.
 */
export function mapColumns(
  columns: readonly string[],
  overrides: Readonly<Partial<Record<Field, string>>>,
): { fields: Partial<Record<Field, string>>; problems: Message[] } {
  const found: Partial<Record<Field, string>> = {};
  const problems: Message[] = [];
  const withoutColumn = new Set<Field>();
  for (const [name, wanted] of Object.entries(overrides)) {
    const field = fields.find((known) => known === name);
    const column = findColumn(columns, wanted);
    if (field === undefined)
      problems.push(message('columns.no-field', { map: `${name}=${wanted}`, fields: fields.join(', ') }));
    else if (column === undefined && wanted === noColumn) withoutColumn.add(field);
    else if (column === undefined)
      problems.push(
        message('columns.no-column', { map: `${name}=${wanted}`, columns: quoteColumns(columns) }),
      );
    else found[field] = column;
  }
  const taken = new Set(Object.values(found));
  const free = columns.filter((column) => !taken.has(column));
  for (const field of fields) {
    if (found[field] !== undefined || withoutColumn.has(field)) continue;
    const named = free.flatMap((column) => {
      const meaning = meaningOf(column);
      return meaning?.field === field ? [{ column, rank: meaning.rank }] : [];
    });
    const best = Math.min(...named.map(({ rank }) => rank));
    const [first, ...rivals] = named.filter(({ rank }) => rank === best).map(({ column }) => column);
    if (first === undefined) continue;
    found[field] = first;
    if (rivals.length > 0)
      problems.push(message('columns.rivals', { columns: quoteColumns([first, ...rivals]), field }));
  }
  return { fields: found, problems };
}

/**
 * How many column names a message lists, and how much of each: a file that is not a table can have thousands, or very
 * long ones.
 */
const shownNames = 20;
const shownLetters = 40;

/** A name of bearable length. */
export function cutName(name: string): string {
  return name.length > shownLetters ? `${name.slice(0, shownLetters).toWellFormed()}…` : name;
}

/** The first columns by name, for a message. */
export function listColumns(columns: readonly string[], show = (name: string): string => name): Words {
  const shown = columns
    .slice(0, shownNames)
    .map((name) => show(cutName(name)))
    .join(', ');
  return andMore(shown, columns.length - shownNames);
}

/** The first columns by name, in quotes. */
export function quoteColumns(columns: readonly string[]): Words {
  return listColumns(columns, (name) => JSON.stringify(name));
}
