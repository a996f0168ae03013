/** Pure. What a header may be called, in English and Chinese, and which field it then names. */

import { type Field, fields } from '../../money/question.ts';

/** Names a header may use; a field's own names win over its synonyms. */
interface Names {
  readonly own: readonly string[];
  readonly others: readonly string[];
  /** They name something beside it: taken where no column has another name. */
  readonly last?: readonly string[];
}

/** In the form `headerKey` returns: lower case, without spaces, `_` or `-`. */
const names: Readonly<Record<Field, Names>> = {
  id: {
    own: words('id 编号'),
    others: words(`no no. nr nr. num number # #id identifier serial serialnumber rowid itemid
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
    others: words(`a answers answertext solution solutions solutiontext
      referenceanswer referencesolution refanswer correctanswer modelanswer expectedanswer
      参考答案 标准答案 正确答案 题目答案 问题答案 答案内容 解答 参考解答
      參考答案 標準答案 答案內容`),
    last: words('explanation 解析 答案解析 详解'),
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
const lastName = 3;

export interface Meaning {
  readonly field: Field;
  readonly rank: number;
}

const meanings: ReadonlyMap<string, Meaning> = new Map(
  fields.flatMap((field) => [
    ...(names[field].last ?? []).map((name): [string, Meaning] => [name, { field, rank: lastName }]),
    ...names[field].others.map((name): [string, Meaning] => [name, { field, rank: otherName }]),
    ...names[field].own.map((name): [string, Meaning] => [name, { field, rank: ownName }]),
  ]),
);

/** Known names by field, for finding headers that are nearly one. */
export const knownNames: readonly { readonly name: string; readonly field: Field }[] = fields.flatMap(
  (field) =>
    [...names[field].own, ...names[field].others, ...(names[field].last ?? [])].map((name) => ({
      name,
      field,
    })),
);

/** A header without insignificant differences: case, white space, letters that nothing shows, `_`, `-`, full-width forms. */
export function headerKey(column: string): string {
  return column
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cf}_-]+/gu, '');
}

/** Of ASCII, what stays in a key and is in no known name. */
const foreign = /[!"$-,/0-9:-@[-^`{-~]/;

/** What a header means by itself; the lower its rank, the better. */
export function meaningOf(column: string): Meaning | undefined {
  // It is asked of the cells of every row: most are a text that no header is.
  if (foreign.test(column)) return undefined;
  const meaning = meanings.get(headerKey(column));
  return meaning?.field === column ? { field: meaning.field, rank: exactly } : meaning;
}

const copies = /^(.+?)(?:\.\d{1,2}|_[xy])$/s;
const numberedCopies = /^(.+?)(?:\.\d{1,2}|_[xy]|_\d{1,2}|\s*[(（]\d{1,2}[)）])$/s;

/** The name of which this one is a second one, as programs write `question.1` and `question_y`; null for none. */
export function copiedName(column: string, isSure: boolean): string | null {
  return (isSure ? copies : numberedCopies).exec(column)?.[1] ?? null;
}

/** The field whose own name this is, in any spelling; null for another word. */
export function ownFieldOf(text: string): Field | null {
  const meaning = meaningOf(text);
  return meaning === undefined || meaning.rank >= otherName ? null : meaning.field;
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
