/**
 * Finds the formulas in a text. `\(`, `\[` and `\begin` are unambiguous; a dollar sign is more often money, so text
 * between two of them must also look like a formula.
 */

/** A piece of a text. A formula comes without its delimiters, an environment with them. A table has text in its cells. */
export interface TextPiece {
  readonly kind: 'text' | 'inline' | 'display' | 'table';
  readonly text: string;
}

/** Characters of one formula, of one table, of a formula between single dollars, and of the text searched for formulas. */
const formulaMaxLength = 5_000;
const tableMaxLength = 10_000;
const inlineMaxLength = 1_000;
const searchedLength = 100_000;
/** Characters before and after a formula that show whether it stands on its own line. */
const aroundLength = 20;

const environment =
  /\\begin\{((?:equation|align|alignat|gather|multline|eqnarray|flalign|CD|split)\*?|aligned|alignedat|gathered|[dr]?cases|[pbvBV]?matrix\*?|smallmatrix|s?array|subarray)\}/y;

const tableStart = /\\begin\{tabular[*x]?\}/y;

/** The frame of a table; it says only where the table stands. */
const frameBefore = /\\begin\{(?:center|table)\}(?:\[[^\]\n]{0,20}\])?\s{0,20}(?:\\centering\s{0,20})?$/;
const frameAfter = /^\s{0,20}\\end\{(?:center|table)\}/;

/** Signs used in Chinese and in school books that renderers of LaTeX do not know, in terms of what they know. */
export const schoolSigns: Readonly<Record<string, string>> = {
  '\\parallelogram': '\\text{▱}',
  '\\overparen': '\\overset{\\frown}{#1}',
  '\\wideparen': '\\overset{\\frown}{#1}',
  '\\celsius': '^\\circ\\mathrm{C}',
};

/** A cheap test: false for most texts without a formula, true for all that have one. */
const anySign = /[$\\]/;

/** True where a text contains a formula or a table. */
export function hasFormula(text: string): boolean {
  return anySign.test(text) && splitFormulas(text).some(({ kind }) => kind !== 'text');
}

/**
 * The text in pieces; joined, they are the whole text except for delimiters, the backslash of `\$`, and the frames of
 * tables.
 */
export function splitFormulas(text: string): readonly TextPiece[] {
  if (isBareFormula(text)) return [{ kind: 'inline', text: text.trim() }];
  const pieces: TextPiece[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const next = anySign.exec(text.slice(at, searchedLength));
    if (next === null) break;
    plain += text.slice(at, at + next.index);
    at += next.index;
    const found = formulaAt(text, at);
    if ('piece' in found) {
      if (plain !== '') pieces.push({ kind: 'text', text: plain });
      pieces.push(found.piece);
      plain = '';
    } else plain += found.plain;
    at = found.end;
  }
  plain += text.slice(at);
  if (plain !== '') pieces.push({ kind: 'text', text: plain });
  return pieces.some(({ kind }) => kind === 'table') ? pieces.flatMap(withoutFrame) : pieces;
}

function withoutFrame(piece: TextPiece, at: number, pieces: readonly TextPiece[]): TextPiece[] {
  if (piece.kind !== 'text') return [piece];
  let { text } = piece;
  if (pieces[at + 1]?.kind === 'table') text = text.replace(frameBefore, '');
  if (pieces[at - 1]?.kind === 'table') text = text.replace(frameAfter, '');
  return text === '' ? [] : [{ kind: 'text', text }];
}

type Found = { readonly end: number } & ({ readonly piece: TextPiece } | { readonly plain: string });

/** What begins at a `$` or backslash: a formula, or literal characters. */
function formulaAt(text: string, at: number): Found {
  if (text[at] === '$') return dollarsAt(text, at);
  const letter = text[at + 1];
  if (letter === '$') return { plain: '$', end: at + 2 };
  if (letter === '(') return delimitedAt(text, at, '\\)', 'inline');
  if (letter === '[') return delimitedAt(text, at, '\\]', 'display');
  const table = tableAt(text, at);
  if (table !== null) return table;
  environment.lastIndex = at;
  const [head, name] = environment.exec(text) ?? [];
  if (head !== undefined) return asTableWhereText(environmentAt(text, at, head, `\\end{${name}}`));
  // The second of two backslashes begins nothing.
  const end = at + (letter === '\\' ? 2 : 1);
  return { plain: text.slice(at, end), end };
}

/** A table at this place; null where none begins. */
function tableAt(text: string, at: number): Found | null {
  tableStart.lastIndex = at;
  const [head] = tableStart.exec(text) ?? [];
  if (head === undefined) return null;
  const found = environmentAt(text, at, head, head.replace('begin', 'end'), tableMaxLength);
  return 'piece' in found ? { ...found, piece: { ...found.piece, kind: 'table' } } : found;
}

/** Dollars between the words of an array make its cells text; those in braces may be of a `\text`. */
function asTableWhereText(found: Found): Found {
  if (!('piece' in found) || !found.piece.text.startsWith('\\begin{array}')) return found;
  const isText = /(?:^|[^\\])\$/.test(found.piece.text.replace(/\{[^{}]*\}/g, ''));
  return isText ? { ...found, piece: { ...found.piece, kind: 'table' } } : found;
}

/** A table between the delimiters of a formula, which it does not need; null for anything else. */
function delimitedTableAt(text: string, start: number, close: string): Found | null {
  const table = tableAt(text, afterBlanks(text, start));
  if (table === null || !('piece' in table)) return null;
  const end = afterBlanks(text, table.end);
  return text.startsWith(close, end) ? { ...table, end: end + close.length } : null;
}

/** The place after a few blanks. */
function afterBlanks(text: string, at: number): number {
  const near = text.slice(at, at + aroundLength);
  return at + near.length - near.trimStart().length;
}

function delimitedAt(text: string, at: number, close: string, kind: 'inline' | 'display'): Found {
  const start = at + 2;
  const table = delimitedTableAt(text, start, close);
  if (table !== null) return table;
  const content = text.slice(start, start + formulaMaxLength);
  const length = content.indexOf(close);
  if (length < 0 || content.slice(0, length).trim() === '')
    return { plain: text.slice(at, start), end: start };
  return { piece: { kind, text: content.slice(0, length).trim() }, end: start + length + close.length };
}

function environmentAt(
  text: string,
  at: number,
  open: string,
  close: string,
  maxLength = formulaMaxLength,
): Found {
  const content = text.slice(at, at + maxLength);
  let depth = 0;
  for (let place = 0; ; ) {
    const opened = content.indexOf(open, place);
    const closed = content.indexOf(close, place);
    if (closed < 0) return { plain: open, end: at + open.length };
    const isOpened = opened >= 0 && opened < closed;
    depth += isOpened ? 1 : -1;
    place = isOpened ? opened + open.length : closed + close.length;
    if (depth === 0) return { piece: { kind: 'display', text: content.slice(0, place) }, end: at + place };
  }
}

function dollarsAt(text: string, at: number): Found {
  let start = at + 1;
  while (text[start] === '$') start += 1;
  const sign = text.slice(at, start);
  const asPlain = { plain: sign, end: start };
  if (sign.length > 2) return asPlain;
  const table = delimitedTableAt(text, start, sign);
  if (table !== null) return table;
  const isDisplay = sign.length === 2;
  const window = text.slice(start, start + (isDisplay ? formulaMaxLength : inlineMaxLength));
  const length = closingDollar(window, sign);
  if (length === null) return asPlain;
  const content = window.slice(0, length);
  const before = text[at - 1] ?? '';
  const end = start + length + sign.length;
  const after = text.slice(end, end + 2);
  const isFormula = isDisplay ? isDisplayed(content, after) : isInline(content, before, after);
  if (!isFormula) return asPlain;
  const kind = isDisplay && standsAlone(text, at, end) ? 'display' : 'inline';
  return { piece: { kind, text: content.trim() }, end };
}

/** Many Chinese texts write `$$` around every letter: in the middle of a line this is not a display formula. */
function standsAlone(text: string, start: number, end: number): boolean {
  const isFirst = /(?:^|\n)\s*$/.test(text.slice(Math.max(0, start - aroundLength), start));
  return isFirst && /^[\s.,;，。；]*(?:\n|$)/.test(text.slice(end, end + aroundLength));
}

/** The position of the next such sign outside braces; null where there is none. */
function closingDollar(window: string, sign: string): number | null {
  let depth = 0;
  for (let at = 0; at < window.length; at++) {
    const letter = window[at];
    if (letter === '\\') at += 1;
    else if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    else if (letter === '$' && depth <= 0) return window.startsWith(sign, at) ? at : null;
  }
  return null;
}

/** Signs that never occur in amounts of money. */
const sureSign = /\\[a-zA-Z{}|]|[\^_]/;

/** Words between two amounts of money that are too short to distinguish from the letters of a formula. */
const smallWord =
  /\s(?:of|to|or|is|in|at|an|on|by|he|it|so|as|we|be|do|if|no|up|us|my|me|go|la|le|el|et|un|de|en)\s/i;
const functionName =
  /\b(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?\b|\b(?:log|exp|lim|max|min|gcd|lcm|mod|det|arg|deg|dim|ker|inf|sup)\b/g;
/** Three letters between blanks, or five anywhere. Capitals name points and lines. */
const spacedWord = /(?:^|[^a-zA-Z])[A-Za-z][a-z]{2,}(?![a-zA-Z])/;
const longWord = /[a-z]{5,}/;
const ideograph = /\p{Script=Han}/u;

/** A text with this at its end continues after the dollar: it is not a formula. */
const openEnd = /[-+*/×÷·:：([{&|<>＜＞≤≥≈~～]$/;

/** The formula without commands and embedded words. */
function withoutTexts(content: string): string {
  return content
    .replace(/\\(?:text\w*|mbox|operatorname\*?|math[a-z]+|begin|end|color|label|tag)\s*\{[^{}]*\}/g, ' ')
    .replace(/[_^]\s*\{[^{}]*\}/g, ' ')
    .replace(/\\[a-zA-Z]+/g, ' ')
    .replace(functionName, ' ');
}

/** Two words, one after the other. */
function isProse(content: string): boolean {
  return /[a-z]{2,},?\s+[a-z]{3,}/.test(withoutTexts(content));
}

/** Whether the text between two pairs of dollars is a formula. */
function isDisplayed(content: string, after: string): boolean {
  return content.trim() !== '' && !isProse(content) && !/^\$(?!\$)/.test(after);
}

/** Whether the text between two dollars is a formula, from its content and the letters around it. */
function isInline(content: string, before: string, after: string): boolean {
  const isSpaced = /^\s/.test(content);
  if (isSpaced !== /\s$/.test(content) || /\n\s*\n/.test(content)) return false;
  if (/^\d/.test(after) || /<<|>>/.test(content + after)) return false;
  const touchesWord = /[\d\p{Script=Latin}]/u.test(before) || /^\p{Script=Latin}/u.test(after);
  if (sureSign.test(content)) return !isProse(content) && !(touchesWord && isOpen(content.trim()));
  if (content.includes('\n') || (isSpaced && !/^\s+[a-z(|]/i.test(content))) return false;
  return !isWordy(content) && isPlainFormula(content.trim(), before, touchesWord);
}

/** True where something is missing at the end. `x \to 0^+` and `|x|` are complete. */
function isOpen(content: string): boolean {
  return openEnd.test(content) && !/(?:[\^_\\].|\|.*\|)$/.test(content);
}

function isWordy(content: string): boolean {
  const rest = content.replace(functionName, ' ');
  if (longWord.test(rest) || /\d x \d/.test(rest)) return true;
  return (/\s/.test(content) || /^\d/.test(content)) && (spacedWord.test(rest) || smallWord.test(content));
}

/** For letters, digits and signs alone: these may as well be two amounts of money and the text between them. */
function isPlainFormula(content: string, before: string, touchesWord: boolean): boolean {
  if (ideograph.test(content) && !/^\D.*[=＝]/.test(content)) return false;
  if (/^[-+*/=<>]$/.test(content)) return !touchesWord;
  const isNumeric = !/\p{L}/u.test(content);
  if (isNumeric && touchesWord) return false;
  if (/^\d/.test(content) && /[A-Za-z]/.test(before)) return false;
  if (/[=＝]$/.test(content)) return !isNumeric && !touchesWord;
  return !isOpen(content);
}

const bareCommand =
  /\\(?:[dt]?frac|sqrt|pi|times|cdot|infty|left|right|text|boxed|theta|alpha|beta|circ|pm|leq?|geq?|ldots|angle|triangle|mathbb|mathrm|overline)(?![a-zA-Z])/;

/** True for a text that is one formula without delimiters, as answers often are: `\frac{3}{4}`. */
function isBareFormula(text: string): boolean {
  if (text.length > inlineMaxLength || !bareCommand.test(text)) return false;
  if (/\$|\\[([$]|^\s*\\begin|\n\s*\n|:\\/.test(text)) return false;
  const rest = withoutTexts(text);
  return !spacedWord.test(rest) && !ideograph.test(rest);
}
