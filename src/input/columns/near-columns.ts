/**
 * Pure. Headers that are not known but nearly so: proposed in an error, never used without being asked. A wrong guess would
 * send, and pay for, the wrong column.
 */

import type { Field } from '../../money/question.ts';
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
      'correct gold answerkey reference references correctoption correctchoice rightoption 正确选项 正确项 選項答案',
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
  /类型|题型|难度|来源|分值|分数|得分|年份|日期|时间|作者|数量|个数|字数|标签|分类|类别|章节|知识点|状态|备注|type|kind|level|difficulty|source|score|points|marks|author|date|year|time|count|tag|topic|category|status|note|length|lang|by$/;

/** Such a header is another kind of text, or several headers that were not split. */
const notOneName = /[|¦^~§¬@$!\\;,，；\t"{}<>=\ufffd]/;

/** Columns compared: more are another kind of table. */
const comparedCount = 200;
/** A name in fewer letters is in many words. */
const leastLatin = 5;
/** A word in fewer letters is one letter off from many others. */
const leastTyped = 6;
const leastOther = 2;

/** The unknown columns that nearly name a field which has none: the nearest one of each field. */
export function nearFields(
  columns: readonly string[],
  known: Readonly<Partial<Record<Field, string>>>,
): Partial<Record<Field, string>> {
  const taken = new Set(Object.values(known));
  const found: Partial<Record<Field, { readonly column: string; readonly rank: number }>> = {};
  for (const column of columns.slice(0, comparedCount)) {
    const near = taken.has(column) || isFieldName(column) ? null : nearest(column);
    if (near === null || known[near.field] !== undefined) continue;
    if (near.rank < (found[near.field]?.rank ?? Number.POSITIVE_INFINITY))
      found[near.field] = { column, rank: near.rank };
  }
  return Object.fromEntries(Object.entries(found).map(([field, { column }]) => [field, column]));
}

/** What a header nearly names; the lower the rank, the nearer. Null where it names nothing. */
function nearest(column: string): { readonly field: Field; readonly rank: number } | null {
  if (notOneName.test(column)) return null;
  const key = headerKey(column);
  const bare = key.replace(/[([【].*?[)\]】]/gu, '').replace(/[^\p{L}\p{N}]/gu, '');
  const names = [...knownNames, ...proposedNames];
  const same = names.find(({ name }) => name === bare || name === key);
  if (same !== undefined) return { field: same.field, rank: 0 };
  const inside = names
    .filter(({ name }) => isLongEnough(name) && bare.includes(name) && name.length * 3 >= bare.length)
    .sort((one, other) => other.name.length - one.name.length)[0];
  if (inside !== undefined)
    return attribute.test(bare.replace(inside.name, '')) ? null : { field: inside.field, rank: 1 };
  const typed = names.find(({ name }) => isLongEnough(name) && isTypo(bare, name));
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
