/** Pure. Choices in one cell, which are not sent, and answers that only name one of them: `2`, `C`. */

import { headerKey } from '../columns/known-names.ts';

const name = /^(?:(?:answer|mc|multiple)?(?:choices?|options?)|candidates|选项|選項|选项列表|候选项|备选项)$/;
const lettered = /(?:^|[\s;；，,])[(（]?[A-H][.．、:：)）]/g;
const sign = /^[A-H](?:\s*[,，、;；]?\s*[A-H])*$|^[a-h]$|^\d{1,2}(?:\.0)?$/;
const mostLetters = 24;

/** True for a column whose name says that its cells hold choices. */
export function isChoicesName(column: string): boolean {
  return name.test(headerKey(column));
}

/** How many choices a cell holds, as a list, an object, either of them in JSON, or `A. 4  B. 6`; 0 for none. */
export function choiceCount(value: unknown): number {
  if (typeof value === 'string') return countInText(value.trim());
  if (typeof value !== 'object' || value === null) return 0;
  const { text } = value as { readonly text?: unknown };
  const parts = Array.isArray(value) ? value : Array.isArray(text) ? text : Object.keys(value);
  return parts.length > 1 ? parts.length : 0;
}

function countInText(text: string): number {
  if (/^[[{]/.test(text)) {
    try {
      return choiceCount(JSON.parse(text));
    } catch {
      return 0;
    }
  }
  const count = text.match(lettered)?.length ?? 0;
  return count > 1 ? count : 0;
}

/** True for an answer that is the letter, several letters in their order, or the number of one of so many choices. */
export function namesChoice(answer: string, count: number): boolean {
  const text = answer.trim();
  if (text.length > mostLetters || !sign.test(text)) return false;
  if (/\d/.test(text)) return Number(text) <= count;
  const letters = [...text.toUpperCase().matchAll(/[A-H]/g)];
  const places = letters.map(([letter]) => letter.charCodeAt(0) - 'A'.charCodeAt(0));
  return places.every((place, at) => place < count && place > (places[at - 1] ?? -1));
}
