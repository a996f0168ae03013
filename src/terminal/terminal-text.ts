/** Makes foreign text safe for one line of a terminal. */

import { stripVTControlCharacters } from 'node:util';

/** Line and paragraph ends, tabs: all that breaks a line becomes a space. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * C0, DEL, C1: a terminal may obey them. Bidi marks, embeddings, overrides, isolates: they disguise text. Annotations
 * and tags are invisible.
 */
const orders =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A line without anything that moves, colours or reorders the text around it; outer white space stays. */
export function toTerminalLine(line: string): string {
  return stripVTControlCharacters(line).replace(breaks, ' ').replace(orders, '').toWellFormed();
}

/** The text on one line, without anything that moves, colours or reorders the text around it. */
export function toTerminalText(text: string): string {
  return toTerminalLine(text).trim();
}

/** JSON on one line: control characters are escaped, so that programs read the exact values. */
export function toTerminalJson(value: unknown): string {
  return JSON.stringify(value).replace(orders, (order) => {
    const units = Array.from({ length: order.length }, (_, at) => order.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
