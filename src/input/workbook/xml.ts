/**
 * Reads XML piece by piece. Parts of workbooks need little of XML: no document types, and so no entities but the five
 * of XML itself. Names come without their prefix; `:id` is an attribute with a prefix, `id` one without.
 */

import { WorkbookError } from './workbook-error.ts';

/** The attributes of an element, decoded. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Receives the parts of a document in order. A text may come in pieces. */
export interface XmlEvents {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/** A tag or a comment longer than this is not from a workbook. */
const markupMaxLength = 1024 * 1024;
const mostLevels = 500;
/** The longest reference, `&#x10FFFF;`, and some leading zeros. */
const referenceMaxLength = 32;

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const noAttributes: Attributes = {};

/** Reads a document from its bytes. Throws `WorkbookError`, naming the part, where it is not well formed. */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  events: XmlEvents,
): Promise<void> {
  const scan = scanXml(bytes, name, events);
  while ((await scan.next()).done !== true);
}

/** The same, pausing after each piece of bytes, so that a reader can take what has come. */
export async function* scanXml(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  events: XmlEvents,
): AsyncGenerator<void> {
  const broken = (what: string, cause?: unknown): WorkbookError =>
    new WorkbookError(`the workbook is damaged: ${JSON.stringify(name)} ${what}`, { cause });
  const scanner = new Scanner(events, broken);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    let text: string;
    try {
      text = decoder.decode(piece, { stream: true });
    } catch (error) {
      throw broken('is not text', error);
    }
    scanner.write(text);
    yield;
  }
  scanner.end();
}

function encodingOf(head: Uint8Array): string {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0x3c && head[1] === 0)) return 'utf-16le';
  return (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === 0x3c) ? 'utf-16be' : 'utf-8';
}

class Scanner {
  readonly #events: XmlEvents;
  readonly #broken: (what: string) => WorkbookError;
  readonly #names: string[] = [];
  #rest = '';
  #hasRoot = false;

  constructor(events: XmlEvents, broken: (what: string) => WorkbookError) {
    this.#events = events;
    this.#broken = broken;
  }

  write(piece: string): void {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    let at = 0;
    while (at < text.length) {
      const next = text.charCodeAt(at) === 60 ? this.#markup(text, at) : this.#text(text, at);
      if (next === at) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > markupMaxLength) throw this.#broken('has a tag that never ends');
  }

  end(): void {
    if (this.#rest.trim() !== '' || this.#names.length > 0 || !this.#hasRoot)
      throw this.#broken('ends in the middle');
  }

  /** Returns where the text ends that could be read; a reference at the end may be cut. */
  #text(text: string, start: number): number {
    const found = text.indexOf('<', start);
    let end = found < 0 ? text.length : found;
    if (found < 0) {
      const open = text.lastIndexOf('&');
      if (open >= start && text.indexOf(';', open) < 0 && text.length - open < referenceMaxLength) end = open;
    }
    if (end > start && this.#names.length > 0) this.#events.text(this.#decode(text.slice(start, end)));
    return end;
  }

  /** Returns where the markup ends; `start` where it is cut. */
  #markup(text: string, start: number): number {
    const second = text.charCodeAt(start + 1);
    if (Number.isNaN(second)) return start;
    if (second === 33) return this.#declaration(text, start);
    if (second === 63) return endAfter(text, '?>', start);
    const end = tagEnd(text, start);
    if (end < 0) return start;
    if (second === 47) this.#close(localName(text.slice(start + 2, end).trim()));
    else this.#open(text.slice(start + 1, end));
    return end + 1;
  }

  #declaration(text: string, start: number): number {
    if (text.startsWith('<!--', start)) return endAfter(text, '-->', start);
    if (text.startsWith('<![CDATA[', start)) {
      const end = text.indexOf(']]>', start);
      if (end < 0) return start;
      if (this.#names.length > 0) this.#events.text(text.slice(start + 9, end));
      return end + 3;
    }
    if (text.length - start < 9) return start;
    throw this.#broken('declares a document type, which workbooks never do');
  }

  #open(tag: string): void {
    const isEmpty = tag.endsWith('/');
    const inner = isEmpty ? tag.slice(0, -1) : tag;
    const space = inner.search(/\s/);
    const name = localName(space < 0 ? inner : inner.slice(0, space));
    const attributes = space < 0 ? noAttributes : this.#attributes(inner.slice(space));
    this.#hasRoot = true;
    this.#events.open(name, attributes);
    if (isEmpty) this.#events.close(name);
    else if (this.#names.push(name) > mostLevels) throw this.#broken('is nested too deeply');
  }

  #close(name: string): void {
    if (this.#names.pop() !== name)
      throw this.#broken(`has a tag that does not match: </${name.slice(0, 40)}>`);
    this.#events.close(name);
  }

  #attributes(text: string): Attributes {
    const found: Record<string, string> = Object.create(null);
    for (const [, name = '', first, second] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      const colon = name.indexOf(':');
      found[colon < 0 ? name : name.slice(colon)] = this.#decode(first ?? second ?? '');
    }
    return found;
  }

  #decode(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;]*);?/g, (whole, name: string) => {
      if (!whole.endsWith(';')) throw this.#broken('has a & that is not written as &amp;');
      const known = references[name];
      if (known !== undefined) return known;
      const number = /^#(?:x([0-9a-f]{1,8})|([0-9]{1,8}))$/i.exec(name);
      const code = number === null ? -1 : Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10);
      if (code < 1 || code > 0x10ffff) throw this.#broken('refers to something that it does not hold');
      return String.fromCodePoint(code);
    });
  }
}

/** Where a tag ends, regardless of `>` in its attributes; -1 where it is cut. */
function tagEnd(text: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (quote !== 0) quote = letter === quote ? 0 : quote;
    else if (letter === 62) return at;
    else if (letter === 34 || letter === 39) quote = letter;
  }
  return -1;
}

function endAfter(text: string, mark: string, start: number): number {
  const end = text.indexOf(mark, start);
  return end < 0 ? start : end + mark.length;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
