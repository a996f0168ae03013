/** Breaks the lines of a text where they would leave the terminal. */

import { asTyped } from '../text/run-words.ts';
import { toTerminalLine } from './terminal-text.ts';
import { commandParts, textWidth } from './text-width.ts';

/** Columns for text in a terminal of so many: disagreement about the last one would break a line twice. */
export function roomFor(columns: number): number {
  return Math.max(20, columns - 1);
}

/**
 * The text in lines of at most `width` columns, each after `indent` columns, which the first one does not need: it stands
 * after something. A path or command longer than that stays whole, so that it can be copied.
 */
export function wrapAfter(text: string, width: number, indent: number): readonly string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { gap, text: part } of commandParts(text, Number.POSITIVE_INFINITY)) {
    const last = lines.at(-1);
    const needed = gap.length + textWidth(part);
    if (last === undefined || indent + used + needed > width) {
      lines.push(part);
      used = textWidth(part);
    } else {
      lines[lines.length - 1] = last + gap + part;
      used += needed;
    }
  }
  return lines.map((line, at) => (at === 0 ? line : ' '.repeat(indent) + line));
}

/** A line as it is where it fits, else in several, the later ones indented. */
function wrapLine(line: string, width: number): readonly string[] {
  if (textWidth(line) <= width) return [line];
  const lead = /^ */.exec(line)?.[0] ?? '';
  const [first = '', ...rest] = wrapAfter(line.trimStart(), width, lead.length + 2);
  return [lead + first, ...rest];
}

/** A line as it is printed, with commands as the user types them; on a terminal of so many columns words stay whole. */
export function shownLines(line: string, columns: number | null): readonly string[] {
  const shown = toTerminalLine(asTyped(line));
  return columns === null ? [shown] : wrapLine(shown, roomFor(columns));
}
