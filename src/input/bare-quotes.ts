/**
 * Takes quotes inside unquoted cells as they are, as in `37°36'37.8"N`: strict CSV has no meaning for them. Only where the
 * whole line is plain: where some cell begins with a quote, a wrong guess could join or split cells. Cells such as `="007"` are
 * taken as they are anywhere.
 */

import { countLineEnds } from './encoding/read-lines.ts';

/** Mends a text that comes in pieces of whole lines. */
export interface QuoteMender {
  /** The piece, in which such cells are quoted. `line` is its first line. */
  mend(text: string, line: number): string;
  /** The lines where it did, from 1. */
  readonly lines: readonly number[];
}

export function createQuoteMender(delimiter: string): QuoteMender {
  const lines: number[] = [];
  /** True inside a quoted cell that goes on in the next piece. */
  let isOpen = false;

  const beginsCell = (text: string, quote: number): boolean => {
    if (quote === 0 || text.startsWith(delimiter, quote - delimiter.length)) return true;
    const before = text.charCodeAt(quote - 1);
    return before === lineFeed || before === carriageReturn;
  };

  /** The end of a cell `="007"` with this quote; -1 for another cell. */
  const endOfEquals = (text: string, quote: number): number => {
    const end = closingQuote(text, quote + 1) + 1;
    const next = text[end] ?? '\n';
    const isWhole = end > 0 && (next === '\n' || next === '\r' || text.startsWith(delimiter, end));
    const inner = text.slice(quote + 1, end);
    return isWhole && !inner.includes(delimiter) && !/[\r\n]/.test(inner) ? end : -1;
  };

  return {
    lines,
    mend(text, firstLine) {
      const edits: Edit[] = [];
      /** The end of the last line that the parser refuses. */
      let refused = 0;
      let line = firstLine;
      let counted = 0;
      /** The line ends of this text: searching for others would read all of it again and again. */
      let ends: readonly string[] | null = null;
      let at = isOpen ? closingQuote(text, 0) : text.indexOf('"');
      if (isOpen && at >= 0) at = text.indexOf('"', at + 1);
      else if (isOpen) return text;
      isOpen = false;
      while (at >= 0) {
        if (beginsCell(text, at)) {
          const close = closingQuote(text, at + 1);
          isOpen = close < 0;
          at = isOpen ? -1 : text.indexOf('"', close + 1);
          continue;
        }
        const cellEnd = text[at - 1] === '=' && beginsCell(text, at - 1) ? endOfEquals(text, at) : -1;
        if (cellEnd >= 0) {
          edits.push({ start: at - 1, end: cellEnd, text: quoted(text.slice(at - 1, cellEnd)) });
          at = text.indexOf('"', cellEnd);
          continue;
        }
        if (at < refused) {
          at = text.indexOf('"', at + 1);
          continue;
        }
        ends ??= ['\n', '\r'].filter((end) => text.includes(end));
        const { start, end } = lineAround(text, at, ends);
        const cells = text.slice(start, end).split(delimiter);
        if (cells.some((cell) => /^\s*"/.test(cell))) {
          refused = end;
          continue;
        }
        line += countLineEnds(text.slice(counted, start));
        counted = start;
        lines.push(line);
        while ((edits.at(-1)?.start ?? -1) >= start) edits.pop();
        edits.push({ start, end, text: cells.map(quoted).join(delimiter) });
        at = text.indexOf('"', end);
      }
      return edited(text, edits);
    },
  };
}

/** A part of a text, and what stands in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with these parts replaced, which are in its order. */
function edited(text: string, edits: readonly Edit[]): string {
  let mended = '';
  let copied = 0;
  for (const edit of edits) {
    mended += text.slice(copied, edit.start) + edit.text;
    copied = edit.end;
  }
  return copied === 0 ? text : mended + text.slice(copied);
}

const lineFeed = 10;
const carriageReturn = 13;

/** The quote that ends a quoted cell; -1 where that is in a later piece. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === 34) at = text.indexOf('"', at + 2);
  return at;
}

function lineAround(
  text: string,
  at: number,
  ends: readonly string[],
): { readonly start: number; readonly end: number } {
  const next = ends.map((end) => text.indexOf(end, at)).filter((place) => place >= 0);
  return {
    start: Math.max(-1, ...ends.map((end) => text.lastIndexOf(end, at))) + 1,
    end: Math.min(text.length, ...next),
  };
}

function quoted(cell: string): string {
  return cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
}
