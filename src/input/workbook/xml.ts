/**
 * Reads XML piece by piece. Parts of workbooks need little of XML: no document types, and so no entities but the five
 * of XML itself. Names come without their prefix; `:id` is an attribute with a prefix, `id` one without.
 */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { message } from '../../messages/message.ts';
import type { PartFlaw } from '../../messages/workbook.ts';
import { WorkbookError } from './workbook-error.ts';

/** The attributes of an element, decoded. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Receives the parts of a document in order. */
export interface XmlEvents {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/** What the parser keeps in memory until it ends: a tag longer than this is not from a workbook, nor is a text. */
const tagMaxLength = 1024 * 1024;
const textMaxLength = 8 * 1024 * 1024;
const mostLevels = 500;

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
  const part = JSON.stringify(name);
  const broken = (flaw: PartFlaw, cause?: unknown): WorkbookError =>
    new WorkbookError(message('damaged.part', { part, flaw }), cause);
  const scanner = new Scanner(events, broken, (error) => {
    const said = message('damaged.xml', { part, detail: error.message.slice(0, 80) });
    throw new WorkbookError(said, error);
  });
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    let text: string;
    try {
      text = decoder.decode(piece, { stream: true });
    } catch (error) {
      throw broken('no-text', error);
    }
    scanner.write(text);
    yield;
  }
  scanner.end();
}

/** True where the document has an element of this name. Looking for the word takes a small part of the time of reading. */
export async function hasElement(bytes: AsyncIterable<Uint8Array>, name: string): Promise<boolean> {
  const spellings = [Buffer.from(name), Buffer.from(name, 'utf16le')];
  let tail = Buffer.alloc(0);
  for await (const piece of bytes) {
    const text = Buffer.concat([tail, piece]);
    if (spellings.some((spelling) => text.includes(spelling))) return true;
    tail = text.subarray(-2 * name.length);
  }
  return false;
}

function encodingOf(head: Uint8Array): string {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0x3c && head[1] === 0)) return 'utf-16le';
  return (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === 0x3c) ? 'utf-16be' : 'utf-8';
}

class Scanner {
  readonly #events: XmlEvents;
  readonly #broken: (flaw: PartFlaw) => WorkbookError;
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  #levels = 0;
  #hasRoot = false;
  #isInTag = false;
  /** Letters since the parser last reported something. */
  #silence = 0;

  constructor(events: XmlEvents, broken: (flaw: PartFlaw) => WorkbookError, refuse: (error: Error) => never) {
    this.#events = events;
    this.#broken = broken;
    const parser = this.#parser;
    const onText = (text: string): void => {
      this.#silence = 0;
      if (this.#levels > 0) events.text(text);
    };
    parser.ENTITIES = new Proxy(parser.ENTITIES, {
      get(known, name) {
        const letter: unknown = Reflect.get(known, name);
        if (letter === undefined) throw broken('reference');
        return letter;
      },
    });
    parser.on('error', refuse);
    parser.on('doctype', () => {
      throw broken('doctype');
    });
    parser.on('opentagstart', () => {
      this.#silence = 0;
      this.#isInTag = true;
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', (tag) => this.#close(tag));
    parser.on('text', onText);
    parser.on('cdata', onText);
  }

  write(text: string): void {
    this.#silence += text.length;
    this.#parser.write(text);
    if (this.#silence > (this.#isInTag ? tagMaxLength : textMaxLength)) throw this.#broken('endless-tag');
  }

  end(): void {
    if (this.#levels > 0 || !this.#hasRoot) throw this.#broken('cut-off');
    this.#parser.close();
  }

  #open({ name, attributes, isSelfClosing }: SaxesTagPlain): void {
    this.#silence = 0;
    this.#isInTag = false;
    this.#hasRoot = true;
    this.#levels += 1;
    if (this.#levels > mostLevels && !isSelfClosing) throw this.#broken('deep');
    this.#events.open(localName(name), unprefixed(attributes));
  }

  #close({ name }: SaxesTagPlain): void {
    this.#silence = 0;
    this.#levels -= 1;
    this.#events.close(localName(name));
  }
}

function unprefixed(attributes: Record<string, string>): Attributes {
  const found: Record<string, string> = Object.create(null);
  for (const name in attributes) {
    const colon = name.indexOf(':');
    found[colon < 0 ? name : name.slice(colon)] = attributes[name] ?? '';
  }
  return found;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
