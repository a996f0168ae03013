/**
 * Reads JSON as careless servers write it. Only what is certain is mended: whatever a text means, it loses nothing but what JSON
 * has no word for. A text that is cut, or of which two readings are possible, is not read.
 */

import { stringEnd } from '../../text/json-text.ts';

/** A value, and the sound text it was read from: numbers in it have all their digits. */
export interface ReadJson {
  readonly value: unknown;
  readonly text: string;
  /** Nothing stood before it or behind it. */
  readonly isAlone: boolean;
}

/** JSON in a string in a string is no accident any more. */
const mostWraps = 2;

/**
 * The value of a text: as it is; out of a string that holds the JSON of an object; or an object with NaN, comments, commas too
 * many or raw control characters, and with a notice before or behind it. Null where it cannot be read.
 */
export function readJson(text: string, wraps = mostWraps): ReadJson | null {
  const value = parsed(text);
  if (value === undefined) return readObject(text);
  const isWrapped = typeof value === 'string' && wraps > 0 && value.trimStart().startsWith('{');
  return (isWrapped ? readJson(value, wraps - 1) : null) ?? { value, text, isAlone: true };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objectStart = /\{\s*(?:["}]|\/[/*])/;

/** On the line of an object, they make it a part of something that is not read as a whole. */
const partOfMore = /[[{:,(="'][ \t]*$/;

/** Behind an object, they show the same, or that a piece of the object is missing. */
const restOfMore = /^\s*[\]}):,"']/;

/** The one object of a text, with something before or behind it. Both at once is a page that shows it. */
function readObject(text: string): ReadJson | null {
  const at = objectStart.exec(text)?.index ?? -1;
  const before = text.slice(0, Math.max(0, at));
  if (at < 0 || partOfMore.test(before)) return null;
  const mended = mendObject(text, at);
  if (mended === null) return null;
  const behind = text.slice(mended.end);
  const around = [before, behind].filter((text) => text.trim() !== '').length;
  if (around > 1) return null;
  if (restOfMore.test(behind) || objectStart.test(behind)) return null;
  const value = parsed(mended.text);
  return value === undefined ? null : { value, text: mended.text, isAlone: around === 0 };
}

const comment = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
const noNumber = /-?(?:NaN|Infinity)\b/y;
/** A comma with nothing behind it, or only comments. */
const lastComma = /,(?=(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*[}\]])/y;

/** What is left out, or stands for nothing, outside of strings: each with what takes its place. */
const mends: readonly (readonly [RegExp, string])[] = [
  [comment, ' '],
  [noNumber, 'null'],
  [lastComma, ''],
];

/** The object that begins there, as JSON, and where it ends; null where it has no end. */
function mendObject(text: string, from: number): { readonly text: string; readonly end: number } | null {
  let mended = '';
  let taken = from;
  const replace = (at: number, length: number, by: string): void => {
    mended += text.slice(taken, at) + by;
    taken = at + length;
  };
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"') {
      const end = stringEnd(text, at);
      if (end === null) return null;
      const quoted = text.slice(at, end);
      if (raw.test(quoted)) replace(at, quoted.length, escapeRaw(quoted));
      at = end - 1;
    }
    const [length, right] = mendAt(text, at, letter);
    // A comment without an end: looking for it again and again would take for ever.
    if (letter === '/' && length === 0) return null;
    if (length > 0) replace(at, length, right);
    at += Math.max(0, length - 1);
    if (letter === '{' || letter === '[') depth += 1;
    if (letter === '}' || letter === ']') depth -= 1;
    if (depth === 0) return { text: mended + text.slice(taken, at + 1), end: at + 1 };
  }
  return null;
}

/** How many characters are replaced here, and by what; 0 for none. */
function mendAt(text: string, at: number, letter: string): readonly [number, string] {
  if (!'/-NI,'.includes(letter)) return [0, ''];
  for (const [wrong, right] of mends) {
    wrong.lastIndex = at;
    const [found] = wrong.exec(text) ?? [];
    if (found !== undefined) return [found.length, right];
  }
  return [0, ''];
}

const raw = /[\u0000-\u001f]/;

/** A backslash before a raw character is no escape, and stays: then the text is no JSON. */
function escapeRaw(quoted: string): string {
  return quoted.replace(/\\[\s\S]|[\u0000-\u001f]/g, (letter) =>
    letter.startsWith('\\') ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
