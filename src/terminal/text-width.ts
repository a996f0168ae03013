/** The width of text in terminal columns. */

import stringWidth, { plain } from './string-width.ts';
import { type TextPart, textParts } from './text-parts.ts';

let segmenter: Intl.Segmenter | null = null;

/** Made when it is first needed: that takes as long as a hundredth of a second. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text.slice(0, longestLine));
}

/** Letters of two columns each: the usual ones of a Chinese text. */
const wide = /^[\u4e00-\u9fff\u3001\u3002\uff01-\uff60]+$/;

/** Longer lines are never visible. */
const longestLine = 4_000;

/**
 * The largest width of a text. Terminals disagree about combined characters (a family of emoji is 2 wide here and 8
 * there), so the larger number counts and no line is too long.
 */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  if (wide.test(text)) return 2 * Math.min(text.length, longestLine);
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(segment: string): number {
  if (segment.length === 1) return stringWidth(segment);
  const apart = [...segment].reduce((sum, letter) => sum + stringWidth(letter), 0);
  return Math.max(stringWidth(segment), apart);
}

/** The same, with a command in backticks in one part where it is no wider than `widest`: it is copied whole. */
export function commandParts(text: string, widest: number): readonly TextPart[] {
  const whole: TextPart[] = [];
  let command: TextPart[] = [];
  for (const part of textParts(text)) {
    command.push(part);
    if (command.reduce((ticks, one) => ticks + one.text.split('`').length - 1, 0) % 2 === 1) continue;
    whole.push(...joined(command, widest));
    command = [];
  }
  return [...whole, ...command];
}

function joined(parts: readonly TextPart[], widest: number): readonly TextPart[] {
  const [first] = parts;
  const text = parts.map(({ gap, text: part }, at) => (at === 0 ? part : gap + part)).join('');
  return first === undefined || textWidth(text) > widest ? parts : [{ gap: first.gap, text }];
}

/** The text, shortened with `...` to at most `width` columns. */
export function cutText(text: string, width: number): string {
  const dots = '...'.slice(0, Math.max(0, width));
  if (plain.test(text)) return text.length <= width ? text : text.slice(0, Math.max(0, width - 3)) + dots;
  let fitting = '';
  let used = 0;
  let usedWithDots = '';
  for (const { segment } of graphemesOf(text)) {
    used += graphemeWidth(segment);
    if (used > width) return usedWithDots + dots;
    fitting += segment;
    if (used + dots.length <= width) usedWithDots = fitting;
  }
  return fitting;
}

/** The text, cut or padded to exactly `width` columns. */
export function fitText(text: string, width: number): string {
  const fitting = cutText(text, width);
  return fitting + ' '.repeat(Math.max(0, width - textWidth(fitting)));
}
