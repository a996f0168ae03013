/** Text that came from a file or from the service, made fit for one line of a terminal. */

import { stripVTControlCharacters } from 'node:util';

/** Line and paragraph ends, tabs: what would break a line becomes a space. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** C0, DEL, C1: a terminal may take them for orders. Bidi marks, embeddings, overrides, isolates: they show a text as another one. */
const orders = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text on one line, with nothing in it that moves, colours or turns what is around it. */
export function toTerminalText(text: string): string {
  return stripVTControlCharacters(text).replace(breaks, ' ').replace(orders, '').toWellFormed().trim();
}
