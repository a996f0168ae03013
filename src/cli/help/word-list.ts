/** Words and their meanings in two columns: how every help page shows commands, options and exit codes. */

import { textParts } from '../../terminal/text-parts.ts';

/** A word, which is ASCII, and its meaning. */
export type WordRow = readonly [word: string, meaning: string];

const indent = '  ';
const gap = 2;
/** A meaning in fewer columns than this is hard to read, so it goes below its word. */
const narrowest = 30;

/** Lines of at most `width` columns, unless a word itself is wider. `wordWidth` aligns several lists. */
export function renderWordList(rows: readonly WordRow[], width: number, wordWidth = widest(rows)): string[] {
  const start = startAfter(wordWidth);
  const isBelow = width - start < narrowest;
  const margin = ' '.repeat(isBelow ? 3 * indent.length : start);
  return rows.flatMap(([word, meaning]) => {
    const [first = '', ...more] = wrapText(meaning, width - margin.length);
    const rest = more.map((line) => margin + line);
    if (isBelow || word.length > wordWidth) return [indent + word, margin + first, ...rest];
    return [`${indent}${word}`.padEnd(start) + first, ...rest].map((line) => line.trimEnd());
  });
}

/** Where meanings begin. */
function startAfter(wordWidth: number): number {
  return indent.length + wordWidth + gap;
}

/** True for a word that can have its meaning next to it. */
export function leavesRoom(word: string, width: number): boolean {
  return width - startAfter(word.length) >= narrowest;
}

export function widest(rows: readonly WordRow[]): number {
  return Math.max(0, ...rows.map(([word]) => word.length));
}

/** Lines of at most `width` columns, broken at spaces and between Chinese letters. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { gap, text: part } of textParts(text)) {
    if (line !== '' && columnsOf(line + gap + part) > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? part : gap + part;
  }
  return [...lines, line];
}

/** Of a text of the help: what it has besides ASCII is wide. Loads no package, for the help is to be there at once. */
export function columnsOf(text: string): number {
  return text.length + (text.match(/[\u2e80-\uffff]/g)?.length ?? 0);
}
