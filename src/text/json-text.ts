/**
 * What parsing JSON does not report: a key that stands twice, which it silently accepts, the digits of a number, and the place of
 * an error.
 */

import { storable } from './cells/storable-text.ts';

/** The first key that occurs twice in one object of a valid JSON text, as stores keep it; parsing silently keeps the last one. */
export function doubledKey(text: string): string | null {
  /** Keys of the enclosing objects, the outermost first; a list has none. */
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if ('{['.includes(letter)) open.push(new Set());
    if ('}]'.includes(letter)) open.pop();
    if (letter !== '"') continue;
    const start = at;
    const end = stringEnd(text, start) ?? text.length;
    at = end - 1;
    colon.lastIndex = end;
    if (!colon.test(text)) continue;
    const key = storable(JSON.parse(text.slice(start, end)));
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return null;
}

/** Behind the closing quote of the string that begins there; null where it has none. */
export function stringEnd(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') return at + 1;
    if (letter === '\\') at += 1;
  }
  return null;
}

/** The text with something else in place of NaN and Infinity, which Python writes into JSON; those in strings stay. */
export function withoutNoNumbers(text: string, by: (word: string) => string): string {
  const mark = /"|NaN|-?Infinity/g;
  let mended = '';
  let taken = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [word] = found;
    if (word === '"') {
      mark.lastIndex = stringEnd(text, found.index) ?? text.length;
      continue;
    }
    mended += text.slice(taken, found.index) + by(word);
    taken = mark.lastIndex;
  }
  return mended + text.slice(taken);
}

/** What an object of MongoDB's extended JSON stands for, as `{"$oid": "..."}`; other values as they are. */
export function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[name, inner] = [], ...others] = Object.entries(value);
  const isPlain = /^\$(?:oid|number(?:Int|Long|Double|Decimal))$/.test(name ?? '');
  return isPlain && typeof inner === 'string' && others.length === 0 ? inner : value;
}

/** False for a number that parsing rounded or made infinite. */
export function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** A number that may not be written back as it stands, such as `1.10`, `5.0`, `1e5`, `-0`, or one with many digits. */
const mayLoseDigits =
  /[:[,]\s*-?(?:\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]|0\.000000|\d[\d.]{15}|(?<=-)0(?![.\d]))/;

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
/** The type of the function does not know of the digits yet. */
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** The object of a JSON text with those numbers as texts that would lose digits; null where none does. `read`: as it was parsed. */
export function withAllDigits(text: string, read: object): { readonly value: unknown } | null {
  // Most rows have texts alone: looking at their values is quicker than at their letters.
  const isAnyNumber = Object.values(read).some(
    (each) => typeof each === 'number' || typeof each === 'object',
  );
  if (!isAnyNumber || !mayLoseDigits.test(text)) return null;
  let isAny = false;
  const value = parseWith(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (isExact(value) && String(value) === source) return value;
    isAny = true;
    return source;
  });
  return isAny ? { value } : null;
}

/**
 * The character of an invalid text, from 1, that JSON cannot have there; one behind the end where something is missing.
 * The engine reports it for most errors, and of the others only the character itself.
 */
export function jsonErrorColumn(text: string): number {
  const reported = errorPlace(text);
  if (reported !== null) return reported + 1;
  let [sound, broken] = [0, text.length];
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (isBeginning(text.slice(0, middle))) sound = middle;
    else broken = middle;
  }
  return broken;
}

/** True for a text that could still become JSON. */
function isBeginning(text: string): boolean {
  return errorPlace(text) === text.length;
}

/** From 0; the length of a text that is JSON or only lacks its end; null where the engine does not report it. */
function errorPlace(text: string): number | null {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message.startsWith('Unexpected end')) return text.length;
    const place = /at position (\d+)/.exec(message)?.[1];
    return place === undefined ? null : Number(place);
  }
}
