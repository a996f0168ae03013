/** What parsing JSON does not tell: a key that stands twice, which it silently accepts, and the place of an error. */

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
    for (at += 1; text[at] !== '"'; at++) if (text[at] === '\\') at += 1;
    colon.lastIndex = at + 1;
    if (!colon.test(text)) continue;
    const key = storable(JSON.parse(text.slice(start, at + 1)));
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return null;
}

/**
 * The character of an invalid text, from 1, that JSON cannot have there; one behind the end where something is missing.
 * The engine tells it of most errors, and of the others only the character itself.
 */
export function jsonErrorColumn(text: string): number {
  const told = errorPlace(text);
  if (told !== null) return told + 1;
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

/** From 0; the length of a text that is JSON or only lacks its end; null where the engine does not tell. */
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
