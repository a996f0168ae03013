/**
 * Turns the HTML of a cell into text, with its images next to it. What can be neither text nor an image becomes an entry
 * that cannot be sent: nothing is paid for a question that lost a part.
 */

import { unsendableEntry } from '../files/image-source.ts';
import { type Message, message } from '../messages/message.ts';
import { elementNames } from '../text/cell-kinds.ts';
import type { HtmlLibrary } from './html-library.ts';
import { isCountedDown, ListMarks } from './list-marks.ts';

/** The text of a cell and its images, as entries of an image column. */
export interface HtmlCell {
  readonly text: string;
  readonly images: readonly string[];
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const blocks = set(
  'p div br hr table thead tbody tfoot tr caption ul ol li dl dt dd h1 h2 h3 h4 h5 h6 pre blockquote section article figure figcaption center',
);
const dropped = set('script style title');
const neither = set('svg math video audio iframe object embed canvas');
const marks: Readonly<Record<string, string>> = { sup: '^', sub: '_' };

/**
 * A `<` that begins no tag, as in `a<b`. A tag has a known name and ends there or has an attribute with a value; letters such as `b` or `i`
 * name a tag only where it is closed.
 */
const tagStart = new RegExp(
  `<(?!/?(?:${elementNames})(?:\\s*/?>|\\s+(?:reversed\\b|[^\\s<>=/"']{1,100}\\s*=))|!--|!doctype\\b|!\\[|\\?xml)`,
  'gi',
);
const letterTag = /<([abisu])>/gi;
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
    parser.end(escapeText(html, library) + end);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return cell.end();
}

type TagAttributes = Readonly<Record<string, string>>;

/** Writes the text of a cell while its tags come. */
class CellWriter {
  readonly #images: string[] = [];
  /** The lines before the one that is being written: joined at the end, so that a long cell is not copied again and again. */
  readonly #lines: string[] = [];
  #text = '';
  #skipped = 0;
  #formula: string | null = null;
  /** Raised and lowered texts that are open: the text before each. */
  readonly #marked: { readonly mark: string; before: string; isBroken: boolean }[] = [];
  readonly #lists: ListMarks[] = [];

  open(name: string, attributes: TagAttributes): void {
    if (blocks.has(name)) name === 'br' ? this.#breakLine() : this.#endLine();
    if (dropped.has(name)) {
      this.#skipped += 1;
      if (/^math\/tex/i.test(attributes.type ?? '')) this.#formula = '';
    } else if (neither.has(name)) {
      this.#refuse(message('html.element', { tag: name }));
    } else if (name === 'img') this.#images.push(imageOf(attributes));
    else if (name in marks) this.#openMark(marks[name] ?? '');
    else if (name === 'ul' || name === 'ol') this.#openList(name, attributes);
    else if (name === 'li') this.#text += this.#lists.at(-1)?.next(attributes) ?? '- ';
    else if (name === 'td' || name === 'th') this.#openTableCell();
  }

  close(name: string): void {
    if (dropped.has(name)) {
      this.#skipped -= 1;
      if (this.#formula !== null) this.#text += `$${this.#formula.trim()}$`;
      this.#formula = null;
    } else if (name in marks) {
      this.#closeMark();
    } else if (name === 'ul' || name === 'ol') this.#lists.pop();
    if (blocks.has(name) && name !== 'br') this.#endLine();
  }

  add(piece: string): void {
    if (this.#formula !== null) this.#formula += piece;
    else if (this.#skipped === 0) {
      const plain = piece.replaceAll('\u00a0', ' ');
      this.#text += this.#text === '' ? plain.replace(/^[ \t\r\n]+/, '') : plain;
    }
  }

  end(): HtmlCell {
    const whole = [...this.#lines, this.#text].join('\n');
    if (!whole.includes(end)) this.#refuse(message('html.cut-off'));
    return { text: whole.replace(end, '').trim(), images: this.#images };
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
    this.#images.push(unsendableEntry(why));
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
  const closed = new Set([...html.matchAll(/<\/([abisu])\s*>/gi)].map(([, name = '']) => name.toLowerCase()));
  return html
    .replaceAll(end, '')
    .replace(ampersand, (found, code?: string) =>
      code !== undefined || isNamed(found, library) ? found : `&amp;${found.slice(1)}`,
    )
    .replace(oldImage, '<img')
    .replace(tagStart, '&lt;')
    .replace(letterTag, (tag, name: string) =>
      closed.has(name.toLowerCase()) ? tag : `&lt;${tag.slice(1)}`,
    );
}

/** As in formulas, `x^2` and `H_2O`: without a mark, `x` squared would be sent as `x2`. */
function raised(mark: string, content: string): string {
  const letters = content.trim();
  return letters === '' ? content : `${mark}${[...letters].length === 1 ? letters : `{${letters}}`}`;
}

function imageOf({ src = '' }: TagAttributes): string {
  const address = src.trim();
  if (address === '') return unsendableEntry(message('html.no-src'));
  // Pages leave the scheme out.
  return /^\/\/[^/]/.test(address) ? `https:${address}` : address;
}
