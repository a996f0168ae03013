/** Tells cells that are probably not what a person would read: errors and formulas of a spreadsheet, HTML, Markdown images. */

/** What a cell holds besides plain text. */
export const cellKinds = ['error', 'formula', 'html', 'markdown-image'] as const;
export type CellKind = (typeof cellKinds)[number];

const error =
  /^#(?:NAME\?|REF!|VALUE!|DIV\/0!|N\/A|NULL!|NUM!|SPILL!|CALC!|FIELD!|BUSY!|BLOCKED!|GETTING_DATA)$/;
/** WPS writes this in place of a picture in a cell. */
const pictureFormula = /^=\s*(?:_xlfn\.)?DISPIMG\s*\(/i;
/** A call of a function, or a reference to a cell; `=2x+1` and `=f(x)` are mathematics. */
const formula = /^=\s*(?:[A-Z_][A-Z0-9._]+\s*\(|\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}(?![0-9A-Za-z_]))/;
const names: string =
  'p|br|hr|img|div|span|sub|sup|b|i|u|s|em|strong|font|small|big|center|table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|' +
  'ul|ol|li|dl|dt|dd|h[1-6]|a|pre|code|blockquote|section|article|figure|figcaption|label|strike|del|ins|mark|math|svg|script|style|' +
  'video|audio|iframe|object|embed|canvas|html|head|body|meta|link|o:p';
/**
 * A closing tag, a tag that never has one, or a tag with attributes: `a<b>c` alone may be an inequality. Opening `p`, `div`
 * and the like name no letters of a formula but `p`, which is taken for a paragraph at the start of a text or after another tag.
 */
const html = new RegExp(
  `</(?:${names})\\s*>|<(?:br|hr|img)(?:\\s[^<>]*|/)?>|<(?:div|span|table|ul|ol|li|sub|sup|tr|td|strong|em)>|<(?:${names})\\s+[a-z-]+\\s*=[^<>]*>|^\\s*<p>|>\\s*<p>|` +
    '&(?:nbsp|lt|gt|amp|quot|apos|#\\d{1,7}|#x[0-9a-f]{1,6});',
  'i',
);
const markdownImage = /!\[[^\]\n]{0,1000}\]\([^()\s]+(?:\s+"[^"\n]*")?\)/;

/** The kinds that a cell is of; none for most cells. */
export function kindsOfCell(text: string): readonly CellKind[] {
  const kinds: CellKind[] = [];
  const start = text.trimStart();
  if (start.startsWith('#') && error.test(start.trimEnd())) kinds.push('error');
  if (start.startsWith('=') && formula.test(start)) kinds.push('formula');
  if (isHtml(text)) kinds.push('html');
  if (text.includes('![') && markdownImage.test(text)) kinds.push('markdown-image');
  return kinds;
}

/** True for a cell that stands for a picture which only the workbook holds. */
export function isPictureFormula(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('=') && pictureFormula.test(start);
}

/** True for a cell that holds HTML. */
export function isHtml(text: string): boolean {
  return (text.includes('<') || text.includes('&')) && html.test(text);
}

/** Names of elements, as an alternative of a regular expression. */
export const elementNames: string = names;

/** How cells of HTML are read. */
export const htmlModes = ['keep', 'text'] as const;
export type HtmlMode = (typeof htmlModes)[number];
