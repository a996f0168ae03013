/** Classifies an entry of an image column as an address, data URI, base64 or path, from its text alone. */

import { type Message, message } from '../messages/message.ts';
import type { ImageSource } from '../money/item.ts';
import { imageExtension } from './file-kind.ts';

/** An entry that is not an image, and why. */
interface NoImage {
  readonly kind: 'none';
  readonly flaw: Message;
}

/** Written for a picture that the run keeps under the digest of its bytes (lower-case hex). */
export function keptEntry(sha256: string): string {
  return `sha256 ${sha256}`;
}

/** Written in place of an image that cannot be sent, with the reason: a row that has it is never sent without it. */
export function unsendableEntry(reason: Message): string {
  return `${unsendableStart}${reason.text}`;
}

/** The reason of such an entry; null for another one. */
export function unsendableReason(entry: string): string | null {
  return entry.startsWith(unsendableStart) ? entry.slice(unsendableStart.length) : null;
}

const unsendableStart = 'cannot be sent: ';
const base64Text = /^[A-Za-z0-9+/]+={0,2}$/;
const listStart = /^\[\s*["\]]/;
/** Base64 letters that hold every signature `imageExtension` knows. */
const headLetterCount = 64;
/** Longer text is not a path on any system; a longer segment is not a file name. */
const pathMaxLength = 4_096;
const nameMaxLength = 255;
/** How many characters of an entry a message shows. */
const shownLength = 160;

/**
 * The entries of a cell: a JSON list, or one per line. Entries of a list may be of any type.
 * Base64 is often wrapped at 76 letters; its lines are one entry.
 */
export function listImages(cell: string): unknown[] {
  const text = cell.trim();
  if (text === '') return [];
  if (listStart.test(text)) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list;
    } catch {
      return [text];
    }
  }
  const entries: string[][] = [];
  for (const line of text.split(/\s*[\r\n]\s*/)) {
    const last = entries.at(-1);
    if (last !== undefined && goesOn(last, line)) last.push(line);
    else entries.push([line]);
  }
  return entries.map((lines) => lines.join(''));
}

/** The entries of a value as it was read: a cell, or in JSON a list or one of them. */
export function listEntries(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return listImages(value);
  return Array.isArray(value) ? value : [value];
}

/** What people put between addresses, or between paths, in one cell. */
const betweenAddresses = /\s*[,;|，、；]\s*(?=https?:\/\/)|\s+(?=https?:\/\/)/i;
/** An address within an address may have a plain `,` or `|` before it, too. */
const betweenNested = /\s*[，、；]\s*(?=https?:\/\/)|[,;|]?\s+(?=https?:\/\/)/i;
const isNested = /:\/\/.*:\/\//;
const betweenPaths = /\s*[;|，、；]\s*/;
/** Paths that are escaped as addresses are have no blank or comma of their own. */
const betweenEscaped = /\s*[,;|，、；]\s*|\s+/;
const imageEnding = /[^\\/]\.(?:png|jpe?g|gif|webp|bmp|svg|tiff?|avif|hei[cf])$/i;

/**
 * The entries as people write them who know of no list: with a sign or a blank between addresses, and in a cell that is no
 * list in JSON also with a sign between paths that all end as images do.
 */
export function splitEntries(entries: readonly unknown[], value: unknown): readonly unknown[] {
  const isPlain = typeof value === 'string' && !listStart.test(value.trimStart());
  return entries.flatMap<unknown>((entry, at) => {
    if (typeof entry !== 'string' || entry.length > pathMaxLength) return [entry];
    if (!/^\s*https?:\/\//i.test(entry)) return isPlain ? splitPaths(entry) : [entry];
    return splitAddresses(at < entries.length - 1 ? entry.replace(/\s*[,;|，、；]$/, '') : entry);
  });
}

function splitAddresses(entry: string): readonly string[] {
  const parts = entry.split(betweenAddresses);
  return parts.some((part) => isNested.test(part)) ? entry.split(betweenNested) : parts;
}

function splitPaths(entry: string): readonly string[] {
  const between = /%[0-9a-f]{2}/i.test(entry) ? betweenEscaped : betweenPaths;
  const paths = entry.split(between).filter((path) => path !== '');
  return paths.length > 1 && paths.every(isImagePath) ? paths : [entry];
}

/** True for a path that ends as images do. */
export function isImagePath(path: string): boolean {
  return imageEnding.test(path.trim());
}

/** True for a line that continues wrapped base64. */
function goesOn(lines: readonly string[], line: string): boolean {
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  if (last.endsWith('=') || !base64Text.test(line) || isBase64Image(line)) return false;
  return /^data:image\/[^,]*;base64,/i.test(first) || isBase64Image(first);
}

/** The image of one entry (trimmed, not empty). Relative paths start from `folder`, which is absolute. */
export function parseImage(entry: string, folder: string): ImageSource | NoImage {
  if (/^sha256 [0-9a-f]{64}$/.test(entry)) return { kind: 'kept', sha256: entry.slice('sha256 '.length) };
  if (/^https?:/i.test(entry)) {
    return URL.canParse(entry) && /^https?:\/\/[^/]/i.test(entry)
      ? { kind: 'url', url: entry }
      : none(message('picture.no-address'));
  }
  if (/^data:/i.test(entry)) return parseDataUri(entry);
  // Before paths: JPEG base64 starts with `/9j/` and so looks like an absolute path.
  if (base64Text.test(entry)) {
    if (isBase64Image(entry)) return parseBase64(entry);
    if (entry.length >= headLetterCount && entry.length % 4 === 0)
      return none(message('picture.other-base64'));
  }
  if (/^file:/i.test(entry)) return parseFileUrl(entry);
  return parsePath(entry, folder);
}

function parseBase64(entry: string): ImageSource | NoImage {
  // Base64 never has 4n + 1 letters; spreadsheets silently cut long cells.
  return entry.replace(/=+$/, '').length % 4 === 1
    ? none(message('picture.cut-base64'))
    : { kind: 'inline', data: entry };
}

function parseDataUri(entry: string): ImageSource | NoImage {
  const [start, kind = '', base64] = /^data:image\/([a-z0-9.+-]+)(?:;[^;,]+)*?(;base64)?,/i.exec(entry) ?? [];
  if (start === undefined) return none(message('picture.other-uri'));
  if (base64 === undefined) return { kind: 'inline', data: entry };
  const data = entry.slice(start.length);
  if (!base64Text.test(data)) return none(message('picture.damaged-uri'));
  // Formats with no signature here (SVG, icons) are trusted.
  const canTell = /^(png|jpe?g|gif|webp|bmp|tiff|avif|heic|heif)$/i.test(kind);
  if (canTell && !isBase64Image(data)) return none(message('picture.other-bytes'));
  return { kind: 'inline', data: entry };
}

function parseFileUrl(entry: string): ImageSource | NoImage {
  try {
    const { host, pathname } = new URL(entry);
    if (host !== '' && host !== 'localhost') return none(message('picture.elsewhere'));
    return { kind: 'file', path: decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, '$1') };
  } catch {
    return none(message('picture.no-file-address'));
  }
}

function parsePath(entry: string, folder: string): ImageSource | NoImage {
  if (listStart.test(entry)) return none(message('picture.no-list'));
  const isOtherScheme = /^[a-z][a-z0-9+.-]+:\/\//i.test(entry);
  const isTooLong =
    entry.length > pathMaxLength || entry.split(/[\\/]/).some((name) => name.length > nameMaxLength);
  if (isOtherScheme || isTooLong || /[\u0000-\u001f\u007f]/.test(entry))
    return none(message('picture.neither'));
  return { kind: 'file', path: joinPath(folder, entry) };
}

/** True when the text is base64 and its first bytes are those of an image. */
function isBase64Image(text: string): boolean {
  const head = text.slice(0, headLetterCount);
  if (!base64Text.test(head)) return false;
  const whole = head.slice(0, head.length - (head.length % 4));
  const bytes = Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
  return imageExtension(bytes) !== null;
}

/**
 * The absolute path of `path`, seen from `folder`. A backslash in a relative path is a separator on every system,
 * because files made on Windows are read elsewhere.
 */
function joinPath(folder: string, path: string): string {
  if (/^(\/|\\\\|[A-Za-z]:[\\/])/.test(path)) return path;
  const base = /^(\\\\|[A-Za-z]:\\)/.test(folder) ? folder.replaceAll('\\', '/') : folder;
  const names = base.replace(/\/+$/, '').split('/');
  for (const name of path.split(/[\\/]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 1) names.pop();
  }
  return names.join('/');
}

/** An entry as a message shows it: short, on one line, without the parts of an address that may be secret. */
export function shownEntry(entry: string): string {
  const bare = entry.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^?#]*)(?:[?#].*)?$/is, '$1$2');
  const line = bare.slice(0, shownLength).replace(/[\u0000-\u001f\u007f]+/g, ' ');
  return bare.length > shownLength ? `"${line}…"` : `"${line}"`;
}

function none(flaw: Message): NoImage {
  return { kind: 'none', flaw };
}
