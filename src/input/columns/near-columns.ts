/**
 * Pure. Headers that are not known but nearly so: proposed in an error, never used without being asked. A wrong guess would
 * send, and pay for, the wrong column.
 */

import { type Field, isPictureField } from '../../money/question.ts';
import { editDistance } from '../../text/near-word.ts';
import { hasQuestion, mapColumns } from './columns.ts';
import { headerKey, isFieldName, knownNames } from './known-names.ts';

/** Headers in other languages, and some that are often another column; as `headerKey` returns them. */
const proposedNames: readonly { readonly name: string; readonly field: Field }[] = (
  [
    ['question', '内容 正文 题文 內容'],
    ['question', 'aufgabe aufgaben frage fragen aufgabenstellung aufgabentext fragestellung'],
    ['question', 'énoncé enonce exercice pregunta ejercicio enunciado pergunta questão domanda esercizio'],
    ['question', 'вопрос задача задание 문제 질문 問題文 設問 soal câuhỏi đềbài'],
    ['answer', 'lösung loesung lösungen antwort musterlösung réponse corrigé respuesta solución resposta'],
    ['answer', 'risposta soluzione ответ решение 정답 답안 해설 正解 模範解答 jawaban đápán lờigiải'],
    [
      'answer',
      'ans correctans ansr soln correct gold answerkey reference references correctoption correctchoice rightoption 正确选项 正确项 選項答案',
    ],
    [
      'questionImages',
      'bild bilder abbildung imagen imágenes imagem immagine рисунок картинка 그림 이미지 画像',
    ],
    ['id', 'aufgabennummer numéro numero número номер 번호'],
  ] as const
).flatMap(([field, names]) => names.split(' ').map((name) => ({ name, field })));

/** A header that holds one of these words besides a known name says something about the question. */
const attribute =
  /类型|题型|难度|来源|是否|分值|分数|得分|年份|日期|时间|作者|数量|个数|字数|标签|分类|类别|章节|知识点|状态|备注|type|kind|level|difficulty|source|score|points|marks|author|date|year|time|count|tag|topic|category|status|note|length|lang|by$/;

/** Such a header is another kind of text, or several headers that were not split. */
const notOneName = /[|¦^~§¬@$!\\;,，；\t"{}<>=\ufffd]/;

/** In front of a known name: such a column says yes or no, or where a row begins. */
const flag = /^(?:is|has|have|was|new|no|show|hide|allow|shuffle|是否.{0,2}|有无|显示)$/;
/** A name in quotes: so are the cells. */
const quoted = /^\s*['‘’“”`´]/;

/** Columns compared: more are another kind of table. */
export const comparedCount = 200;
/** A name in fewer letters is in many words. */
const leastLatin = 5;
/** A word in fewer letters is one letter off from many others. */
const leastTyped = 6;
/** A short word may lack a letter, have one twice, or two in the wrong order: no other word is made of a name in this way. */
const leastSlipped = 3;
const leastOther = 2;

/** A column that nearly names a field. */
export interface NearColumn {
  readonly field: Field;
  readonly column: string;
  /** The lower, the nearer. */
  readonly rank: number;
}

/** The rank of a header that says more than a known name: `page number` may be another number than that of the row. */
export const holdsMore = 1;

/** The unknown columns that nearly name a field which has none, in the order of the file. */
export function nearColumns(
  columns: readonly string[],
  known: Readonly<Partial<Record<Field, string>>>,
): readonly NearColumn[] {
  const taken = new Set(Object.values(known));
  const parts = new Set(numberedParts(columns));
  return columns.slice(0, comparedCount).flatMap((column) => {
    const near = taken.has(column) || isFieldName(column) ? null : nearest(column);
    if (near === null || known[near.field] !== undefined) return [];
    return parts.has(column) && !isPictureField(near.field) ? [] : [{ column, ...near }];
  });
}

const numberIn = /\d{1,2}|[一二三四五六七八九十](?=[^\p{L}]*$)/u;

/** Columns that have a number and else the same name, as `题目1`, `题目2`: each of them is one of several, or a part. */
export function numberedParts(columns: readonly string[], field?: Field): readonly string[] {
  const stems = columns.slice(0, comparedCount).flatMap((column) => {
    const key = headerKey(column);
    const stem = key.replace(numberIn, '');
    return stem === key ? [] : [{ column, stem }];
  });
  return stems
    .filter(
      ({ column, stem }) =>
        stems.some((other) => other.stem === stem && other.column !== column) &&
        (field === undefined || nearest(stem)?.field === field),
    )
    .map(({ column }) => column);
}

/** The nearest one of each field. */
export function nearFields(
  columns: readonly string[],
  known: Readonly<Partial<Record<Field, string>>>,
): Partial<Record<Field, string>> {
  return Object.fromEntries(
    nearestOnes(nearColumns(columns, known)).map(({ field, column }) => [field, column]),
  );
}

/** Of each field the nearest one, the first of several. */
function nearestOnes(near: readonly NearColumn[]): readonly NearColumn[] {
  return equallyNear(near).map(([first]) => first);
}

/** The nearest ones, those of a field together. */
export function equallyNear(
  near: readonly NearColumn[],
): readonly (readonly [NearColumn, ...(readonly NearColumn[])])[] {
  const found = new Map<Field, [NearColumn, ...NearColumn[]]>();
  for (const each of near) {
    const nearer = found.get(each.field);
    if (nearer === undefined || each.rank < nearer[0].rank) found.set(each.field, [each]);
    else if (each.rank === nearer[0].rank) nearer.push(each);
  }
  return [...found.values()];
}

/** What a header nearly names; the lower the rank, the nearer. Null where it names nothing. */
function nearest(column: string): { readonly field: Field; readonly rank: number } | null {
  if (notOneName.test(column) || quoted.test(column)) return null;
  const key = headerKey(column);
  const bare = key.replace(/[([【].*?[)\]】]/gu, '').replace(/[^\p{L}\p{N}]/gu, '');
  const names = [...knownNames, ...proposedNames];
  const same = names.find(({ name }) => name === bare || name === key);
  if (same !== undefined) return { field: same.field, rank: 0 };
  const inside = names
    .filter(({ name }) => isLongEnough(name) && bare.includes(name) && name.length * 3 >= bare.length)
    .sort((one, other) => other.name.length - one.name.length)[0];
  if (inside !== undefined)
    return attribute.test(bare.replace(inside.name, '')) ||
      flag.test(bare.slice(0, bare.indexOf(inside.name)))
      ? null
      : { field: inside.field, rank: holdsMore };
  const typed =
    names.find(({ name }) => isLongEnough(name) && isTypo(bare, name)) ??
    knownNames.find(({ name }) => isSlip(bare, name));
  return typed === undefined ? null : { field: typed.field, rank: 2 };
}

function isLongEnough(name: string): boolean {
  return name.length >= (/^[\p{Script=Latin}\p{Script=Cyrillic}.]+$/u.test(name) ? leastLatin : leastOther);
}

/** One letter off, or two in a long word. Words of two or three signs are too near to each other. */
function isTypo(word: string, name: string): boolean {
  if (word.length < leastTyped || Math.abs(word.length - name.length) > 2) return false;
  return editDistance(word, name) <= (name.length < 8 ? 1 : 2);
}

/** One letter left out, typed twice, or in the place of its neighbour. Of a short name only the second: `txt` and `pi` are words. */
function isSlip(word: string, name: string): boolean {
  if (word.length < leastSlipped || !/^[a-z]+$/.test(name)) return false;
  return [...name].some((letter, at) => {
    const [before, next, after] = [name.slice(0, at), name[at + 1] ?? '', name.slice(at + 2)];
    if (word === before + letter + letter + next + after) return true;
    return (
      name.length >= leastLatin && (word === before + next + after || word === before + next + letter + after)
    );
  });
}

/** The place of the row that most likely names the columns, for the error about a table without a question column. */
export function likelyHeader(
  rows: readonly (readonly string[])[],
  overrides: Readonly<Partial<Record<Field, string>>>,
): number {
  const scores = rows.map((columns) => {
    const { fields: known } = mapColumns(columns, overrides);
    const near = nearFields(columns, known);
    const knownCount = Object.keys(known).length;
    const isBelowTitle = rows[0]?.length === 1 && columns.length > 1;
    const isLikely = hasQuestion(near) || knownCount > (isBelowTitle ? 0 : 1);
    return isLikely ? 2 * knownCount + Object.keys(near).length : 0;
  });
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}
