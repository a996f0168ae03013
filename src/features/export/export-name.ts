/**
 * Pure. The path of an exported video without its extension: safe on every system, whatever the row holds, and never outside its
 * folder. Values never make folders; only the template does.
 */

import { cutToBytes, isDeviceName } from '../../text/portable-name.ts';
import type { FactName, NamePiece, NameTemplate } from './name-template.ts';

/** What the placeholders stand for; null for nothing. */
export interface NameValues extends Readonly<Record<FactName, string | number | null>> {
  /** The row as it was read: column -> value. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Longest path, in UTF-16 units: Windows allows 259 with the folders above it. A segment gets its share of this, and never
 * more than `segmentMax`.
 */
const pathMax = 180;
const segmentMax = 100;

/**
 * Longest segment in UTF-8 bytes, and in UTF-16 units where the system takes letters and accents apart; file systems allow
 * 255 of each, extension included.
 */
const bytesMax = 200;
const apartMax = 200;

/** A unit takes three bytes at most, and four units apart. Measuring each name would take a tenth of an export's time. */
const surelyShort = 50;

/** More of a value never shows. */
const valueMax = 400;

/** For the mark that distinguishes two names, with its hyphen. */
const markRoom = 17;

/** The path as the template gives it, with `/`. Values that are empty leave no separators behind. */
export function exportName(template: NameTemplate, values: NameValues): string {
  const most = segmentLimit(template.length);
  const last = template.length - 1;
  return template.map((pieces, at) => segmentOf(pieces, values, { isFolder: at < last, most })).join('/');
}

/** The same path with a mark that distinguishes it from others: `title-1a2b3c4d`. */
export function exportNameApart(path: string, mark: string): string {
  const segments = path.split('/');
  const most = segmentLimit(segments.length);
  const last = segments.at(-1) as string;
  return [...segments.slice(0, -1), `${cut(last, most - mark.length - 1)}-${mark}`].join('/');
}

function segmentLimit(segments: number): number {
  return Math.min(segmentMax, Math.floor((pathMax - segments) / segments));
}

/** Where a segment stands, and how long it may be. */
interface SegmentPlace {
  readonly isFolder: boolean;
  /** In UTF-16 units. */
  readonly most: number;
}

function segmentOf(
  pieces: readonly NamePiece[],
  values: NameValues,
  { isFolder, most }: SegmentPlace,
): string {
  const texts = pieces.map((piece) => textOf(piece, values));
  const whole = texts.join('').replace(/ +/g, ' ').normalize('NFC');
  // `q-1 - ` of a row without a title.
  const isGap = texts.includes('');
  const text = isGap ? whole.replace(/^[\s\-\u2013\u2014_.,:;]+|[\s\-\u2013\u2014_.,:;]+$/gu, '') : whole;
  const shorten = (long: string): string => cut(long.trim(), isFolder ? most : most - markRoom);
  const name = startingSafely(shorten(text) || (isFolder ? '_' : shorten(plainValue(values.id)) || 'video'));
  if (isDeviceName(name)) return `_${name}`;
  return isFolder && looksLikeFile(name) ? `${name}_` : name;
}

function textOf(piece: NamePiece, values: NameValues): string {
  if (piece.kind === 'text') return plainText(piece.text);
  if (piece.kind === 'fact') return plainValue(values[piece.name]);
  return plainValue(Object.hasOwn(values.input, piece.name) ? values.input[piece.name] : null);
}

/** A value without what a system forbids, hides or reorders, and without such marks at its ends. */
function plainValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return plainText(written.slice(0, valueMax).replace(/^[\s<>:"/\\|?*]+|[\s<>:"/\\|?*]+$/gu, ''));
}

function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/gu, '')
    .replace(/[<>:"/\\|?*]/g, '_')
    .normalize('NFC');
}

/** A leading dot hides a file, a hyphen looks like an option, and `~` like a home folder. */
function startingSafely(name: string): string {
  return name.replace(/^[.\-~]/, '_');
}

/** A folder of such a name may be in the way of a file. */
function looksLikeFile(name: string): boolean {
  const plainName = name.normalize('NFKC');
  return (
    /^(?:sha256sums|index\.html)$/i.test(plainName) ||
    /\.(?:mp4|mov|webm|mkv|avi|ogv|flv|mpg|wmv|ts|m2ts|bin|vtt|csv|jsonl)$/i.test(plainName)
  );
}

/** The start of a name: no character in two, and no dot or space at its end, which Windows drops. */
function cut(name: string, most: number): string {
  const isShort = name.length <= Math.min(most, surelyShort);
  return (isShort ? name : cutLong(name, most)).replace(/[ .]+$/, '');
}

function cutLong(name: string, most: number): string {
  let kept = '';
  let apart = 0;
  for (const letter of cutToBytes(name, bytesMax)) {
    apart += letter.normalize('NFD').length;
    if (kept.length + letter.length > most || apart > apartMax) break;
    kept += letter;
  }
  return kept;
}
