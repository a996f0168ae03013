/**
 * Reads the parts of a ZIP package through random access, so that a workbook of any size takes little memory. Nothing is
 * unpacked to disk: a part's name only finds the part, so a name such as `../../x` leads nowhere.
 */

import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { message } from '../../messages/message.ts';
import type { FileAccess } from '../../ports.ts';
import { WorkbookError } from './workbook-error.ts';

/** One part of the package. */
export interface Part {
  /** With `/` between its folders, and none before them. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly isDeflated: boolean;
  readonly isEncrypted: boolean;
  readonly crc: number;
  /** Where its local header starts. */
  readonly offset: number;
}

/** A ZIP package whose list of parts was read. */
export interface Package {
  /** By name, regardless of case, as the format demands. */
  part(name: string): Part | null;
  /** In the order of the package. */
  readonly names: readonly string[];
  /** The bytes of a part; throws `WorkbookError` where they are damaged or more than `maxBytes`. */
  stream(part: Part, maxBytes: number): AsyncIterable<Uint8Array>;
  /** All bytes of a part. */
  read(part: Part, maxBytes: number): Promise<Uint8Array>;
}

const endMark = 0x06054b50;
const endMark64 = 0x06064b50;
const locatorMark64 = 0x07064b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
/** The end record: 22 bytes, and a comment of up to 64 kB. */
const endMaxBytes = 22 + 0xffff;
/** The list of parts of a workbook with a hundred thousand pictures takes about 10 MB. */
const listMaxBytes = 64 * 1024 * 1024;
const readBytes = 256 * 1024;
/** Deflate makes at most 1,032 bytes of one; sheets of a few repeated rows reach several hundred. */
const bombRatio = 900;
const bombBytes = 64 * 1024 * 1024;

/** Opens a package. Throws `WorkbookError` where it is damaged. */
export async function openPackage(file: FileAccess): Promise<Package> {
  const list = await readList(file);
  const parts = new Map<string, Part>();
  for (const part of partsOf(list)) {
    const key = keyOf(part.name);
    if (parts.has(key)) throw new WorkbookError(message('package.twice', { part: shown(part.name) }));
    parts.set(key, part);
  }
  const stream = (part: Part, maxBytes: number): AsyncIterable<Uint8Array> =>
    checked(part, unpacked(file, part), maxBytes);
  return {
    part: (name) => parts.get(keyOf(name)) ?? null,
    names: [...parts.values()].map(({ name }) => name),
    stream,
    async read(part, maxBytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(part, maxBytes)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}

function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}

/** The central directory. */
async function readList(file: FileAccess): Promise<Buffer> {
  const tailBytes = Math.min(file.sizeBytes, endMaxBytes);
  const tail = asBuffer(await file.read(file.sizeBytes - tailBytes, tailBytes));
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at -= 1;
  if (at < 0) throw new WorkbookError(message('damaged.end'));
  let sizeBytes = tail.readUInt32LE(at + 12);
  let offset = tail.readUInt32LE(at + 16);
  const locator = at - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === locatorMark64) {
    const end = asBuffer(await file.read(Number(tail.readBigUInt64LE(locator + 8)), 56));
    if (end.length < 56 || end.readUInt32LE(0) !== endMark64) throw damagedList();
    sizeBytes = Number(end.readBigUInt64LE(40));
    offset = Number(end.readBigUInt64LE(48));
  }
  if (sizeBytes > listMaxBytes) throw new WorkbookError(message('package.parts'));
  const list = asBuffer(await file.read(offset, sizeBytes));
  if (list.length < sizeBytes) throw damagedList();
  return list;
}

function* partsOf(list: Buffer): Generator<Part> {
  for (let at = 0; at + 46 <= list.length; ) {
    if (list.readUInt32LE(at) !== entryMark) throw damagedList();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => list.readUInt16LE(at + place));
    const nameEnd = at + 46 + (nameBytes ?? 0);
    const extraEnd = nameEnd + (extraBytes ?? 0);
    const end = extraEnd + (commentBytes ?? 0);
    if (end > list.length) throw damagedList();
    const method = list.readUInt16LE(at + 10);
    // Some programs of Windows write backslashes; everything else looks for parts by their folders.
    const name = list
      .toString('utf8', at + 46, nameEnd)
      .replaceAll('\\', '/')
      .replace(/^\/+/, '');
    if (method !== 0 && method !== 8)
      throw new WorkbookError(message('package.packing', { part: shown(name) }));
    yield {
      name,
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      isDeflated: method === 8,
      crc: list.readUInt32LE(at + 16),
      ...placesOf(list, at, list.subarray(nameEnd, extraEnd)),
    };
    at = end;
  }
}

/** Sizes and offset; values that do not fit in 32 bits stand in an extra field, in this order. */
function placesOf(
  list: Buffer,
  at: number,
  extra: Buffer,
): Pick<Part, 'sizeBytes' | 'packedBytes' | 'offset'> {
  const short = [list.readUInt32LE(at + 24), list.readUInt32LE(at + 20), list.readUInt32LE(at + 42)];
  const long = longField(extra);
  let next = 0;
  const [sizeBytes = 0, packedBytes = 0, offset = 0] = short.map((value) => {
    if (value !== 0xffffffff || long === null || next + 8 > long.length) return value;
    next += 8;
    return Number(long.readBigUInt64LE(next - 8));
  });
  return { sizeBytes, packedBytes, offset };
}

function longField(extra: Buffer): Buffer | null {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, end);
    at = end;
  }
  return null;
}

async function* packed(file: FileAccess, part: Part): AsyncGenerator<Uint8Array> {
  const header = asBuffer(await file.read(part.offset, 30));
  if (header.length < 30 || header.readUInt32LE(0) !== localMark) throw damagedPart(part);
  let at = part.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  for (let left = part.packedBytes; left > 0; ) {
    const bytes = await file.read(at, Math.min(left, readBytes));
    if (bytes.length === 0) throw damagedPart(part);
    yield bytes;
    at += bytes.length;
    left -= bytes.length;
  }
}

function unpacked(file: FileAccess, part: Part): AsyncIterable<Uint8Array> {
  if (part.isEncrypted) throw new WorkbookError(message('package.encrypted', { part: shown(part.name) }));
  const bytes = packed(file, part);
  if (!part.isDeflated) return bytes;
  // Errors reach the reader of the last stream.
  return pipeline(
    Readable.from(bytes, { objectMode: true }),
    createInflateRaw({ chunkSize: 64 * 1024 }),
    () => {},
  );
}

/** The same bytes; fails at the first one too many, and at the end where length or checksum is wrong. */
async function* checked(
  part: Part,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let crc = 0;
  const isBomb = (unpackedBytes: number): boolean =>
    unpackedBytes > bombBytes && unpackedBytes > part.packedBytes * bombRatio;
  if (part.sizeBytes > maxBytes || isBomb(part.sizeBytes)) throw tooMuch(part);
  try {
    for await (const piece of bytes) {
      size += piece.length;
      if (size > maxBytes || size > part.sizeBytes || isBomb(size)) throw tooMuch(part);
      crc = crc32(piece, crc);
      yield piece;
    }
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    throw damagedPart(part, error);
  }
  if (size !== part.sizeBytes || crc !== part.crc) throw damagedPart(part);
}

function tooMuch({ name }: Part): WorkbookError {
  return new WorkbookError(message('package.bomb', { part: shown(name) }));
}

function damagedPart({ name }: Part, cause?: unknown): WorkbookError {
  return new WorkbookError(message('damaged.part', { part: shown(name), flaw: 'not-whole' }), cause);
}

function damagedList(): WorkbookError {
  return new WorkbookError(message('damaged.list'));
}

/** A name from the file, for a message. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
