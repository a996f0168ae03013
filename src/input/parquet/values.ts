/**
 * Values of a Parquet file as JSON holds them, with the digits that the file has. The library multiplies decimals as
 * binary fractions (1.15 becomes 1.1500000000000001, ids above 2^53 become one), shows numbers of 32 bits with the digits
 * of 64, and fails at dates beyond its own: so decimals reach this file as integers, and dates as what they count.
 */

import type { FileMetaData, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { imageExtension } from '../../files/file-kind.ts';
import { escapedBytes } from '../../text/cells/bytes-as-text.ts';
import { decodeStrictly } from '../encoding/strict-text.ts';

/** The same file for the library, with decimals as plain integers. */
export function withoutDecimals(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map((element) => {
    const { converted_type, logical_type, ...plain } = element;
    return isDecimal(element) ? plain : element;
  });
  return { ...metadata, schema };
}

function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL';
}

/** A date that no calendar reaches stands for one without end, as databases write it. */
function dateText(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time > 0 ? 'infinity' : '-infinity';
  return date.toISOString().replace(/T00:00:00\.000Z$/, '');
}

/** Dates, times and texts as text. */
export const textParsers: Partial<ParquetParsers> = {
  dateFromDays: (days: number) => dateText(days * 86_400_000),
  timestampFromMilliseconds: (millis: bigint) => dateText(Number(millis)),
  timestampFromMicroseconds: (micros: bigint) => dateText(Number(micros / 1_000n)),
  timestampFromNanoseconds: (nanos: bigint) => dateText(Number(nanos / 1_000_000n)),
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && sentText(bytes),
};

/** The text of bytes that are to be sent. */
export function sentText(bytes: Uint8Array): string {
  return decodeStrictly('utf-8', bytes) ?? escapedBytes(bytes);
}

/** Control characters but the white space among them. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Bytes that are not sent and only tell rows apart: what is no text is in hex digits. */
export function unsentText(bytes: Uint8Array): string {
  const text = decodeStrictly('utf-8', bytes);
  return text === null || control.test(text) ? bufferOf(bytes).toString('hex') : text;
}

/**
 * A value of a column as JSON holds it; null for none, and for NaN. Pictures, alone or with their file name as data sets
 * publish them, become base64; `textOf` reads other bytes that nothing says to be text. `node`: its place in the schema;
 * undefined inside of values that have none.
 */
export function plainValue(
  value: unknown,
  node: SchemaTree | undefined,
  textOf: (bytes: Uint8Array) => string,
): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => plainValue(each, elementOf(node), textOf));
  if (node !== undefined && isDecimal(node.element)) return decimal(value, node.element);
  const time = node === undefined ? null : timeText(value, node.element);
  if (time !== null) return time;
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'number') return plainNumber(value, node?.element);
  if (typeof value !== 'object') return value;
  const bytes = bytesOf(value);
  if (bytes !== null) return pictureIn(bytes) ?? textOf(bytes);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, plainValue(inner, childOf(node, key), textOf)]),
  );
}

/** True for bytes of a picture. */
export function isPicture(value: unknown): boolean {
  const bytes = typeof value === 'object' && value !== null ? bytesOf(value) : null;
  return bytes !== null && imageExtension(bytes) !== null;
}

/** Alone, or with the name of their file; null for another value. */
function bytesOf(value: object): Uint8Array | null {
  const bytes: unknown = value instanceof Uint8Array ? value : (value as { readonly bytes?: unknown }).bytes;
  return bytes instanceof Uint8Array ? bytes : null;
}

const secondsOfDay = 86_400n;

/** A time of the day, with a fraction where it has one; null for a value of another kind. */
function timeText(value: unknown, element: SchemaElement): string | null {
  const digits = fractionDigits(element);
  if (digits === null || (typeof value !== 'number' && typeof value !== 'bigint')) return null;
  const [units, perSecond] = [BigInt(value), 10n ** BigInt(digits)];
  const seconds = units / perSecond;
  if (units < 0n || seconds >= secondsOfDay) return null;
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  const fraction = String(units % perSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  const text = clock.map((part) => String(part).padStart(2, '0')).join(':');
  return fraction === '' ? text : `${text}.${fraction}`;
}

const unitDigits = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** The digits that a time of the day has behind its seconds; null for a column of something else. */
function fractionDigits({ converted_type, logical_type }: SchemaElement): number | null {
  if (logical_type?.type === 'TIME') return unitDigits[logical_type.unit];
  if (converted_type === 'TIME_MILLIS') return unitDigits.MILLIS;
  return converted_type === 'TIME_MICROS' ? unitDigits.MICROS : null;
}

/** What the elements of a list are; the same for a column that repeats. */
function elementOf(node: SchemaTree | undefined): SchemaTree | undefined {
  if (node?.element.converted_type !== 'LIST') return node;
  const [list] = node.children;
  return list?.children.length === 1 ? list.children[0] : list;
}

function childOf(node: SchemaTree | undefined, key: string): SchemaTree | undefined {
  if (node?.element.converted_type === 'MAP') return node.children[0]?.children[1];
  return node?.children.find(({ element }) => element.name === key);
}

function decimal(value: unknown, element: SchemaElement): unknown {
  const integer = integerOf(value);
  if (integer === null) return value;
  const scale = scaleOf(element);
  if (scale === 0) return wholeNumber(integer);
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0');
  return `${integer < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function scaleOf({ scale, logical_type }: SchemaElement): number {
  return scale ?? (logical_type?.type === 'DECIMAL' ? logical_type.scale : 0);
}

/** The integer of a decimal: a number, or bytes with the highest first; null for another value. */
function integerOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  if (!(value instanceof Uint8Array)) return null;
  const bytes = bufferOf(value);
  return bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`));
}

function wholeNumber(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** Infinity as text, because JSON has none. */
function plainNumber(value: number, element: SchemaElement | undefined): unknown {
  if (Number.isNaN(value)) return null;
  if (!Number.isFinite(value)) return String(value);
  if (element?.type === 'FLOAT') return shortest(value, (other) => Math.fround(other) === value);
  if (element?.logical_type?.type === 'FLOAT16') return shortest(value, (other) => toHalf(other) === value);
  return value;
}

/** The number with the fewest digits that is this one in its own width. */
function shortest(value: number, isSame: (other: number) => boolean): number {
  for (let digits = 1; digits < 10; digits++) {
    const short = Number(value.toPrecision(digits));
    if (isSame(short)) return short;
  }
  return value;
}

/** The nearest number of 16 bits: they have 10 bits behind the first one, down to 2^-24. */
function toHalf(value: number): number {
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(value)))) - 10);
  return Math.round(value / step) * step;
}

/** A picture in base64; null for other bytes. */
function pictureIn(bytes: Uint8Array): string | null {
  return imageExtension(bytes) === null ? null : bufferOf(bytes).toString('base64');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
