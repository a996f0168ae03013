/**
 * What is wrong with the bytes of a picture. Each format says where it ends: by a mark behind its blocks, or by lengths in
 * front. A picture that ends before was cut off, or its end was never written; what follows its end is no fault.
 * (PNG 3rd edition, 5; ITU-T T.81, annex B; GIF89a, 15 to 27; RFC 9649, 2; TIFF 6.0, 2; ISO/IEC 14496-12, 4.2.)
 */

import { inBoth, type Message, message } from '../messages/message.ts';
import type { ImageSource } from '../money/item.ts';
import { mdat, moov, walkBoxes } from './declared-end.ts';
import { type ImageExtension, imageExtension } from './file-kind.ts';
import { numbersOf, type Walk, walkBase64, walkBytes } from './walk.ts';

/** The message that ends a sentence about the picture. */
export type PictureFlaw = 'picture.no-image' | 'picture.cut-off' | 'picture.lfs-pointer';

/** Why the picture with this name cannot be sent. */
export function pictureError(image: string, flaw: Message, cause?: unknown): Error {
  return new Error(message('picture.flawed', { image, what: inBoth(flaw) }).text, { cause });
}

/** What is wrong with the picture in a file of this size; null for nothing. */
export function* pictureFlaw(sizeBytes: number): Walk<PictureFlaw | null> {
  const head = yield { offset: 0, length: 64 };
  const format = imageExtension(head);
  if (format === null) return isLfsPointer(head) ? 'picture.lfs-pointer' : 'picture.no-image';
  const walked = walks[format](numbersOf(head), sizeBytes);
  const isWhole = typeof walked === 'boolean' ? walked : yield* walked;
  return isWhole ? null : 'picture.cut-off';
}

function isLfsPointer(head: Uint8Array): boolean {
  return String.fromCharCode(...head).startsWith('version https://git-lfs.github.com/spec/');
}

/** The same of bytes in memory. */
export function flawOfBytes(bytes: Uint8Array): PictureFlaw | null {
  return walkBytes(pictureFlaw(bytes.length), bytes);
}

/** True for an image in the row itself that is cut off. Text in a data URI, and formats that are not known here, are not. */
export function isCutInline({ data }: Extract<ImageSource, { readonly kind: 'inline' }>): boolean {
  const [start = ''] = /^data:[^,]*,/i.exec(data) ?? [];
  if (start !== '' && !/;base64,$/i.test(start)) return false;
  const letters = data.slice(start.length).replace(/=+$/, '');
  return walkBase64(pictureFlaw(Math.floor((letters.length * 3) / 4)), letters) === 'picture.cut-off';
}

/** Each returns true for a picture that is whole; `head` are its first 64 bytes. */
const walks: Readonly<
  Record<ImageExtension, (head: DataView, sizeBytes: number) => Walk<boolean> | boolean>
> = {
  png: isWholePng,
  jpg: isWholeJpeg,
  gif: isWholeGif,
  webp: isWholeWebp,
  bmp: isWholeBmp,
  tiff: isWholeTiff,
  avif: isWholeBoxes,
  heic: isWholeBoxes,
};

/** Chunks: length, name, content, checksum. */
function* isWholePng(_head: DataView, sizeBytes: number): Walk<boolean> {
  let isPictured = false;
  for (let at = 8; ; ) {
    const chunk = numbersOf(yield { offset: at, length: 8 });
    const name = chunk.byteLength < 8 ? 0 : chunk.getUint32(4);
    if (name === 0) return false;
    isPictured ||= name === nameOf('IDAT');
    at += chunk.getUint32(0) + 12;
    if (name === nameOf('IEND')) return isPictured && at <= sizeBytes;
  }
}

const scanBytes = 64 * 1024;

/** Segments with a length, and scans, which end at the next marker. The thumbnail in a segment has marks of its own. */
function* isWholeJpeg(): Walk<boolean> {
  let hasScan = false;
  let at = 2;
  let length = 4;
  for (;;) {
    const bytes = yield { offset: at, length };
    const marker = findMarker(bytes);
    if (marker === -1) {
      if (bytes.length < length) return false;
      // In the last three bytes a marker with its length may begin.
      at += bytes.length - 3;
      length = scanBytes;
      continue;
    }
    const code = bytes[marker + 1];
    if (code === endOfImage) return hasScan;
    hasScan ||= code === startOfScan;
    at += marker + 2 + Math.max(2, numbersOf(bytes).getUint16(marker + 2));
    length = code === startOfScan ? scanBytes : 4;
  }
}

const endOfImage = 0xd9;
const startOfScan = 0xda;

/** The end of the image, or a marker with its length; -1 for none. Marks to restart from and stuffed bytes are content of scans. */
function findMarker(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    if (code === endOfImage) return at;
    const isContent = code < 0xc0 || code === 0xff || (code >= 0xd0 && code <= 0xd8);
    if (!isContent) return at + 4 <= bytes.length ? at : -1;
  }
  return -1;
}

function* isWholeGif(head: DataView): Walk<boolean> {
  let hasImage = false;
  if (head.byteLength < 13) return false;
  for (let at = 13 + colourBytes(head.getUint8(10)); ; ) {
    const [kind] = yield { offset: at, length: 1 };
    at += 1;
    if (kind === undefined) return false;
    if (kind === 0x3b) return hasImage;
    if (kind === 0x21) at = yield* endOfBlocks(at + 1);
    if (kind === 0x2c) {
      hasImage = true;
      const [, , , , , , , , packed = 0] = yield { offset: at, length: 9 };
      at = yield* endOfBlocks(at + 9 + colourBytes(packed) + 1);
    }
    // Programs that show pictures pass over any other byte.
  }
}

/** Bytes of a colour table by the field that says whether it is there and its size. */
function colourBytes(packed: number): number {
  return packed < 0x80 ? 0 : 3 * 2 ** ((packed & 7) + 1);
}

/** Blocks with their length in one byte; an empty one is the last. */
function* endOfBlocks(start: number): Walk<number> {
  for (let at = start; ; ) {
    const [length = 0] = yield { offset: at, length: 1 };
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Chunks of even length within a length of all. */
function* isWholeWebp(head: DataView, sizeBytes: number): Walk<boolean> {
  const end = 8 + head.getUint32(4, true);
  let isPictured = false;
  for (let at = 12; at < end; ) {
    const chunk = numbersOf(yield { offset: at, length: 8 });
    if (chunk.byteLength < 8 || chunk.getUint32(0) === 0) return false;
    isPictured ||= ['VP8 ', 'VP8L', 'ANMF'].some((name) => chunk.getUint32(0) === nameOf(name));
    const length = chunk.getUint32(4, true);
    if (at + 8 + length > sizeBytes) return false;
    at += 8 + length + (length % 2);
  }
  return isPictured && end <= sizeBytes;
}

/** The length in its header is often wrong; that of its lines is not. */
function isWholeBmp(head: DataView, sizeBytes: number): boolean {
  const headerBytes = head.getUint32(14, true);
  if (headerBytes < 12 || head.byteLength < Math.min(54, 14 + headerBytes)) return false;
  const isOld = headerBytes < 16;
  const width = isOld ? head.getUint16(18, true) : head.getInt32(18, true);
  const height = isOld ? head.getUint16(20, true) : Math.abs(head.getInt32(22, true));
  const lineBits = width * head.getUint16(isOld ? 24 : 28, true);
  const start = head.getUint32(10, true);
  if (width < 1 || height < 1) return false;
  const [packing, packedBytes] =
    headerBytes < 40 ? [0, 0] : [head.getUint32(30, true), head.getUint32(34, true)];
  // Lines fill groups of four bytes; of the last one only the colours matter.
  const lines = Math.ceil(lineBits / 32) * 4 * (height - 1) + Math.ceil(lineBits / 8);
  const isPacked = packing !== 0 && packing !== 3 && packing !== 6;
  return start + (isPacked ? packedBytes : lines) <= sizeBytes;
}

/** Bytes of a value by its type. */
const valueBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** The lists of where the strips or tiles of a page begin, and of their lengths. */
const stripLists = [
  [273, 279],
  [324, 325],
] as const;

/** Directories, one for each page, whose entries say where everything else lies. */
function* isWholeTiff(head: DataView, sizeBytes: number): Walk<boolean> {
  const isLittle = head.getUint8(0) === 0x49;
  let at = head.byteLength < 8 ? 0 : head.getUint32(4, isLittle);
  let seen = 8;
  if (at < seen) return false;
  // What lies before is not read again; a directory there would lead in circles.
  while (at >= seen) {
    const count = numbersOf(yield { offset: at, length: 2 });
    const bytes = 12 * (count.byteLength < 2 ? 0 : count.getUint16(0, isLittle));
    const directory = numbersOf(yield { offset: at + 2, length: bytes + 4 });
    if (bytes === 0 || directory.byteLength < bytes) return false;
    seen = at + 2 + bytes;
    const values = lastValues(directory, at + 2, isLittle);
    if ([...values.values()].some(({ place, size }) => place + size > sizeBytes)) return false;
    for (const tags of stripLists) {
      const lists = tags.flatMap((tag) => values.get(tag) ?? []).toSorted((a, b) => a.place - b.place);
      // A list that lies before its directory is not reported.
      if (lists.length < 2 || lists.some(({ value, place }) => value === null && place < seen)) continue;
      let end = 0;
      for (const { place, size, value } of lists) {
        end += value ?? numberIn(numbersOf(yield { offset: place, length: size }), isLittle);
        seen = Math.max(seen, value === null ? place : seen);
      }
      if (end > sizeBytes) return false;
    }
    at = directory.byteLength < bytes + 4 ? 0 : directory.getUint32(bytes, isLittle);
  }
  return true;
}

/** The last value of an entry of a directory. */
interface LastValue {
  /** Where it lies in the file. */
  readonly place: number;
  readonly size: number;
  /** Null where it lies outside of the directory. */
  readonly value: number | null;
}

/** By tag. `start` is where the entries lie in the file. */
function lastValues(directory: DataView, start: number, isLittle: boolean): ReadonlyMap<number, LastValue> {
  const values = new Map<number, LastValue>();
  for (let entry = 0; entry + 12 <= directory.byteLength; entry += 12) {
    const size = valueBytes[directory.getUint16(entry + 2, isLittle)] ?? 0;
    const bytes = size * directory.getUint32(entry + 4, isLittle);
    const inside = entry + 8 + bytes - size;
    values.set(
      directory.getUint16(entry, isLittle),
      bytes > 4
        ? { place: directory.getUint32(entry + 8, isLittle) + bytes - size, size, value: null }
        : {
            place: start + inside,
            size,
            value: numberIn(new DataView(directory.buffer, directory.byteOffset + inside, size), isLittle),
          },
    );
  }
  return values;
}

/** Places and lengths have two or four bytes. */
function numberIn(bytes: DataView, isLittle: boolean): number {
  if (bytes.byteLength === 2) return bytes.getUint16(0, isLittle);
  return bytes.byteLength === 4 ? bytes.getUint32(0, isLittle) : 0;
}
/** What describes the picture, and its data; `moov` and `mdat` of a sequence of pictures. */
function* isWholeBoxes(head: DataView, sizeBytes: number): Walk<boolean> {
  const { names, last, end } = yield* walkBoxes(head);
  const meta = nameOf('meta');
  if (!names.has(mdat) || !(names.has(meta) || names.has(moov))) return false;
  // Bytes behind the end may look like another box.
  return end <= sizeBytes || ![meta, moov, mdat].includes(last);
}

/** Four letters as the number that they are in a file. */
function nameOf(letters: string): number {
  return [...letters].reduce((all, letter) => all * 256 + letter.charCodeAt(0), 0);
}
