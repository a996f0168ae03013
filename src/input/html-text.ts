/**
 * Turns the HTML of a cell into text, with its images next to it. What can be neither text nor an image becomes an entry
 * that cannot be sent: nothing is paid for a question that lost a part.
 */

import { unsendableEntry } from '../files/image-source.ts';
import { type Message, message } from '../messages/message.ts';
import { bareAttributes, elementNames, isHtml } from '../text/cell-kinds.ts';
import { formulaIn, hasBackground, imageOf, linkedPart, type TagAttributes } from './html-images.ts';
import type { HtmlLibrary } from './html-library.ts';
import { isCountedDown, ListMarks } from './list-marks.ts';

/** The text of a cell and its images, as entries of an image column. */
export interface HtmlCell {
  readonly text: string;
  readonly images: readonly string[];
  /** Something in it is hidden or struck out, and left out here. */
  readonly hasUnseen: boolean;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const blocks = set(
  'p div br hr table thead tbody tfoot tr caption ul ol li dl dt dd h1 h2 h3 h4 h5 h6 pre blockquote section article figure figcaption center ' +
    'details summary fieldset legend form address nav header footer main aside option optgroup dir menu',
);
const dropped = set('script style title template xml rt rp');
const struck = set('s del strike');
const neither = set('svg math video audio iframe object embed canvas applet bgsound frame marquee select');
const marks: Readonly<Record<string, string>> = { sup: '^', sub: '_' };

/** What says nothing about the text in it, besides `elementNames`. */
const plain = set(
  'q cite kbd samp var abbr acronym time tt bdo bdi dfn source track param map area base meter output hgroup search',
);
const known = new RegExp(`^(?:${elementNames}|(?:o|w|st\\d):.*)$`);
/** Known names that are also words or letters: with something else behind them than attributes, they are text. */
const wordLike =
  /^(?:p|h\d|big|small|font|center|caption|code|section|article|figure|label|strike|mark|table|object|style|script|link|video|audio|head|body|input|ruby)$/;
/** Those that are tags only where they are closed or have attributes. */
const closedOnly = /^(?:[abisu]|select|option|optgroup|button|picture|textarea)$/;
const attribute = new RegExp(`^\\s+(?:[^\\s=/"']{1,100}\\s*=|(?:${bareAttributes})(?=[\\s/]|$))`, 'i');
const laterAttribute = /^(?:\s+[a-z][a-z:-]*){1,5}\s*=/i;
const words = /^(?:\s+[a-z][a-z-]*){1,3}\s*\/?$/i;
const quotedAttribute = /^\s+[a-z][\w:.-]*\s*=\s*["']/i;
/** A `<` with what may be a tag. */
const tagStart = /<(?!!--|!doctype\b|!\[|\?xml)(?:(\/?)([a-z][\w:.-]*)(?=[\s/>])([^<>]*)(>?))?/gi;
/** Names of no element mark something only among tags: in other texts, such as those about XML, they are the text. */
const anyTag = new RegExp(`</?(?:${elementNames}|image|[a-z][a-z0-9]*[-:][a-z0-9:-]+)[\\s/>]`, 'i');
const closing = /<\/([a-z][\w:.-]*)\s*>/gi;
/** Only entities that end are entities: `&` also separates the columns of a formula. */
const ampersand = /&(?:(#\d{1,7}|#x[0-9a-f]{1,6});|[a-z][a-z0-9]{1,31};)?/gi;
/** The old name of `<img>`, which browsers know; `<image>` alone stands for a picture in data sets. */
const oldImage = /<image(?=\s[^<>]*\bsrc\s*=)/gi;
/** Behind the text: where the parser did not see it, a tag or a comment was cut off. */
const end = '\uf8ff';

/** Texts raised within raised texts: more are a broken page. */
const mostMarks = 50;
class TooDeep extends Error {}

/** The cell as text. */
export function htmlToText(html: string, library: HtmlLibrary): HtmlCell {
  const cell = new CellWriter();
  const parser = new library.Parser(
    {
      onopentag: (name, attributes) => cell.open(name, attributes),
      onclosetag: (name) => cell.close(name),
      ontext: (piece) => cell.add(piece),
    },
    { decodeEntities: true },
  );
  try {
    parser.end(escapeText(unescapedOnce(html), library) + end);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return cell.end();
}

/** An element that is open. */
interface OpenElement {
  readonly name: string;
  readonly attributes: TagAttributes;
  /** Pictures and pieces of text before it. */
  readonly images: number;
  readonly written: number;
}

/** Writes the text of a cell while its tags come. */
class CellWriter {
  readonly #images: string[] = [];
  /** The lines before the one that is being written: joined at the end, so that a long cell is not copied again and again. */
  readonly #lines: string[] = [];
  #text = '';
  /** Elements that are open and not written. */
  #skipped = 0;
  /** They are hidden or struck out. */
  #isUnseen = false;
  #hasUnseen = false;
  /** Elements that are open and written. */
  readonly #open: OpenElement[] = [];
  #written = 0;
  #formula: string | null = null;
  /** Raised and lowered texts that are open: the text before each. */
  readonly #marked: { readonly mark: string; before: string; isBroken: boolean }[] = [];
  readonly #lists: ListMarks[] = [];

  open(name: string, attributes: TagAttributes): void {
    if (this.#skipped > 0) {
      this.#skip(name);
      return;
    }
    if (blocks.has(name)) name === 'br' ? this.#breakLine() : this.#endLine();
    this.#isUnseen = isUnseen(name, attributes);
    if (dropped.has(name) || this.#isUnseen || neither.has(name)) {
      this.#skip(name);
      if (this.#isUnseen) return;
      if (neither.has(name)) this.#refuse(message('html.element', { tag: name }));
      else if (/^math\/tex/i.test(attributes.type ?? '')) this.#formula = '';
      return;
    }
    this.#open.push({ name, attributes, images: this.#images.length, written: this.#written });
    if (hasBackground(attributes)) this.#refuse(message('html.background'));
    if (name === 'img') this.#openImage(attributes);
    else if (name === 'input' || name === 'textarea') this.#openInput(attributes);
    else if (name in marks) this.#openMark(marks[name] ?? '');
    else if (name === 'ul' || name === 'ol') this.#openList(name, attributes);
    else if (name === 'li') this.#text += this.#lists.at(-1)?.next(attributes) ?? '- ';
    else if (name === 'td' || name === 'th') this.#openTableCell();
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      if (this.#skipped > 0) return;
      if (this.#formula !== null) this.#text += `$${this.#formula.trim()}$`;
      this.#formula = null;
    } else {
      const element = this.#open.pop();
      if (element !== undefined) this.#closeElement(element);
      if (name in marks) this.#closeMark();
      else if (name === 'ul' || name === 'ol') this.#lists.pop();
    }
    if (blocks.has(name) && name !== 'br') this.#endLine();
  }

  add(piece: string): void {
    if (this.#formula !== null) this.#formula += piece;
    else if (this.#skipped === 0) {
      const plain = piece.replaceAll('\u00a0', ' ');
      this.#text += this.#text === '' ? plain.replace(/^[ \t\r\n]+/, '') : plain;
      if (plain.trim() !== '') this.#note();
    } else if (this.#isUnseen && piece.trim() !== '') this.#hasUnseen = true;
  }

  end(): HtmlCell {
    const whole = [...this.#lines, this.#text].join('\n');
    if (!whole.includes(end)) this.#refuse(message('html.cut-off'));
    return { text: whole.replace(end, '').trim(), images: this.#images, hasUnseen: this.#hasUnseen };
  }

  #skip(name: string): void {
    this.#skipped += 1;
    if (this.#isUnseen && name === 'img') this.#hasUnseen = true;
  }

  /** Something is written: by its own text, an element that nobody knows may mean something else. */
  #note(): void {
    this.#written += 1;
    const name = this.#open.at(-1)?.name ?? '';
    if (isUnknown(name)) this.#refuse(message('html.unknown', { tag: name }));
  }

  #openImage(attributes: TagAttributes): void {
    const formula = formulaIn(attributes);
    const image = imageOf(attributes);
    // Pages repeat there what a script loads.
    const isAgain = this.#open.some(({ name }) => name === 'noscript') && this.#images.includes(image);
    if (formula !== null) this.#text += formula;
    else if (!isAgain) this.#images.push(image);
    this.#note();
  }

  /** A place to write in. */
  #openInput(attributes: TagAttributes): void {
    const { type = 'text' } = attributes;
    if (/^image$/i.test(type)) this.#openImage(attributes);
    else if (!/^(?:hidden|radio|checkbox|submit|button|reset)$/i.test(type)) this.#text += '____';
  }

  #closeElement({ name, attributes, images, written }: OpenElement): void {
    const linked = name === 'a' ? linkedPart(attributes) : null;
    if (linked !== null && 'tag' in linked) this.#refuse(message('html.element', linked));
    else if (linked !== null && this.#images.length === images) this.#images.push(linked.image);
    if (name === 'picture' && this.#written === written) this.#refuse(message('html.no-src'));
    // Nothing stands in it: its attributes, or the page, say what it shows.
    const isEmpty = this.#written === written && Object.keys(attributes).length > 0;
    if (isEmpty && isUnknown(name)) this.#refuse(message('html.unknown', { tag: name }));
  }

  #breakLine(): void {
    let before = '';
    for (const open of this.#marked) {
      before += open.isBroken ? open.before : `${open.before}${open.mark}{`;
      open.before = '';
      open.isBroken = true;
    }
    this.#lines.push((before + this.#text).trimEnd());
    this.#text = '';
  }

  #endLine(): void {
    if (this.#text.trim() !== '' || this.#marked.some(({ before }) => before !== '')) this.#breakLine();
    else this.#text = '';
  }

  #refuse(why: Message): void {
    const entry = unsendableEntry(why);
    if (!this.#images.includes(entry)) this.#images.push(entry);
  }

  #openList(name: 'ul' | 'ol', attributes: TagAttributes): void {
    if (isCountedDown(attributes)) this.#refuse(message('html.counted-down'));
    this.#lists.push(new ListMarks(name, attributes));
  }

  #openTableCell(): void {
    if (this.#text !== '' && !this.#text.endsWith('\t')) this.#text += '\t';
  }

  #openMark(mark: string): void {
    this.#marked.push({ mark, before: this.#text, isBroken: false });
    this.#text = '';
    if (this.#marked.length > mostMarks) throw new TooDeep();
  }

  #closeMark(): void {
    const open = this.#marked.pop();
    if (open === undefined) return;
    this.#text = open.before + (open.isBroken ? `${this.#text}}` : raised(open.mark, this.#text));
  }
}

/** True for a text with a named character, such as `&times;`, which may be all the HTML that a cell has. */
export function hasNamedCharacter(text: string, library: HtmlLibrary): boolean {
  return [...text.matchAll(ampersand)].some(([found, code]) => code === undefined && isNamed(found, library));
}

/** True for the name of a character: `&times;` and not `&D;`, nor `&timesx;`, which browsers read in part. */
function isNamed(entity: string, { Parser }: HtmlLibrary): boolean {
  if (entity === '&') return false;
  let text = '';
  const parser = new Parser({ ontext: (piece) => (text += piece) }, { decodeEntities: true });
  parser.end(entity);
  return text === ';' || !text.endsWith(';');
}

/** The cell with everything escaped that is no markup. */
function escapeText(html: string, library: HtmlLibrary): string {
  const isMarked = anyTag.test(html);
  const closed = new Set(
    isMarked ? [...html.matchAll(closing)].map(([, name = '']) => name.toLowerCase()) : [],
  );
  return html
    .replaceAll(end, '')
    .replace(ampersand, (found, code?: string) =>
      code !== undefined || isNamed(found, library) ? found : `&amp;${found.slice(1)}`,
    )
    .replace(oldImage, '<img')
    .replace(tagStart, (found, slash?: string, name = '', rest = '', last = '') =>
      isMarked &&
      name !== '' &&
      isTag(name.toLowerCase(), rest, { closed, isEnd: slash === '/', isWhole: last === '>' })
        ? found
        : `&lt;${found.slice(1)}`,
    );
}

/**
 * False for a `<` that begins no tag, as in `a<b`. A tag ends behind its name or has an attribute; letters such as `b` or `i`
 * are tags only where they are closed, and so are names of no element, unless they have a quoted value.
 */
function isTag(
  name: string,
  rest: string,
  {
    closed,
    isEnd,
    isWhole,
  }: { readonly closed: ReadonlySet<string>; readonly isEnd: boolean; readonly isWhole: boolean },
): boolean {
  const isPlain = /^\s*\/?$/.test(rest);
  const isSure = known.test(name) && (isEnd || !closedOnly.test(name));
  if (isPlain) return isSure || closed.has(name);
  const isLonger = isSure && isWhole && name.length > 1;
  if (isLonger && (laterAttribute.test(rest) || (!wordLike.test(name) && words.test(rest)))) return true;
  if (known.test(name) || !closed.has(name))
    return (known.test(name) ? attribute : quotedAttribute).test(rest);
  return attribute.test(rest) || words.test(rest);
}

/** A text that was escaped twice, with its tags, once less: it has no other tags. */
function unescapedOnce(html: string): string {
  if (/<|&[lg]t;/i.test(html) || !/&amp;lt;\/?[a-z]/i.test(html)) return html;
  const once = html
    .replaceAll('&amp;', '&')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"');
  return /<\/[a-z][a-z0-9]*>|<img\s/i.test(once) && isHtml(once) ? once : html;
}

function isUnseen(name: string, { hidden, style = '' }: TagAttributes): boolean {
  return (
    struck.has(name) ||
    hidden !== undefined ||
    /(?:^|[;\s])(?:display\s*:\s*none|(?:opacity|font-size)\s*:\s*0(?![.\d]))|(?<!-)visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|line-through/i.test(
      style,
    )
  );
}

function isUnknown(name: string): boolean {
  return name !== '' && !known.test(name) && !plain.has(name) && !blocks.has(name) && !(name in marks);
}

/** As in formulas, `x^2` and `H_2O`: without a mark, `x` squared would be sent as `x2`. */
function raised(mark: string, content: string): string {
  const letters = content.trim();
  return letters === '' ? content : `${mark}${[...letters].length === 1 ? letters : `{${letters}}`}`;
}
