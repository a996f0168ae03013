/** Tells cells that are probably not what a person would read: errors and formulas of a spreadsheet, HTML, Markdown images. */

import { isLoneApostrophe } from './spreadsheet-text.ts';

/** In any language: `#NAME?`, `#WERT!`, `#¡REF!`, `#ИМЯ?`, `#DEEL/0!`; and those without such a sign at their end. */
const error =
  /^(?:#(?:[¡¿]?\p{Lu}[\p{Lu}_]+(?:\/0)?[!?]|¡\p{Lu}{3,15}|N\/[ABD]|I\/T|Н\/Д|NV|YOK|SAKNAS|PUUTTUU|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA)|Err:5\d\d)$/u;
/** WPS writes this in place of a picture in a cell. */
const pictureFormula = /^=\s*(?:_xlfn\.)?DISPIMG\s*\(/i;
/** A call of a function, or a reference to a cell; `=2x+1` and `=f(x)` are mathematics. */
const formula = /^=\s*(?:[A-Z_][A-Z0-9._]+\s*\(|\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}(?![0-9A-Za-z_]))/;
const names: string =
  'p|br|hr|img|div|span|sub|sup|b|i|u|s|em|strong|font|small|big|center|table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|' +
  'ul|ol|li|dl|dt|dd|h[1-6]|a|pre|code|blockquote|section|article|figure|figcaption|label|strike|del|ins|mark|math|svg|script|style|' +
  'video|audio|iframe|object|embed|canvas|html|head|body|meta|link|o:p|ruby|rb|rt|rp|select|option|optgroup|input|textarea|button|picture|' +
  'noscript|nobr|wbr';
/** Attributes that have no value. */
const bare: string =
  'hidden|controls|autoplay|loop|muted|playsinline|async|defer|nomodule|nowrap|border|noshade|reversed|checked|selected|disabled|' +
  'readonly|multiple|allowfullscreen|itemscope';
/**
 * A closing tag, also of an element with a hyphen or a prefix, a tag that never has one, or a tag with attributes: `a<b>c` alone
 * may be an inequality, and `<img>` alone is a word. Opening `p`, `div` and the like name no letters of a formula but `p`, which
 * is taken for a paragraph at the start of a text or after another tag.
 */
const html = new RegExp(
  `</(?:${names}|[a-z][a-z0-9]*[-:][a-z0-9:-]+)\\s*>|<(?:(?:br|hr)(?:\\s[^<>]*|/)?|img(?:\\s+[^\\s<>/][^<>]*|\\s*/))>|` +
    `<(?:div|span|table|ul|ol|li|sub|sup|tr|td|strong|em)>|<(?:${names}|image)\\s+(?:[a-z-]+\\s*=|(?:${bare})(?=[\\s/>]))[^<>]*>|^\\s*<p>|>\\s*<p>|` +
    '&(?:nbsp|lt|gt|amp|quot|apos|#\\d{1,7}|#x[0-9a-f]{1,6});',
  'i',
);
const markdownImage = /!\[[^\]\n]{0,1000}\]\([^()\s]+(?:\s+"[^"\n]*")?\)/;

/** True for a cell that is an error of a spreadsheet. */
export function isSheetError(text: string): boolean {
  const start = text.trimStart();
  return (start.startsWith('#') || start.startsWith('Err:')) && error.test(start.trimEnd());
}

/** The start of a cell, as a spreadsheet has it where the rest is to be text. */
function cellStart(text: string): string {
  return text.trimStart().slice(isLoneApostrophe(text) ? 1 : 0);
}

/** A cheap test: it is asked of every text several times. */
const mayBeFormula = /^\s*'?=/;

/** True for a cell with a formula of a spreadsheet. */
export function isSheetFormula(text: string): boolean {
  return mayBeFormula.test(text) && formula.test(cellStart(text));
}

/** True for a cell with an image of Markdown. */
export function hasMarkdownImage(text: string): boolean {
  return text.includes('![') && markdownImage.test(text);
}

/** True for a cell that stands for a picture which only the workbook holds. */
export function isPictureFormula(text: string): boolean {
  return mayBeFormula.test(text) && pictureFormula.test(cellStart(text));
}

/** True for a cell that holds HTML. */
export function isHtml(text: string): boolean {
  return (text.includes('<') || text.includes('&')) && html.test(text);
}

/** Names of elements, and of attributes without a value: alternatives of regular expressions. */
export const elementNames: string = names;
export const bareAttributes: string = bare;

/** How cells of HTML are read. */
export const htmlModes = ['keep', 'text'] as const;
export type HtmlMode = (typeof htmlModes)[number];
