/**
 * Where a video says that it ends: the boxes of an MP4 and the segment of a WebM have their lengths in front. A file that
 * ends before was cut off. (ISO/IEC 14496-12, 4.2; RFC 8794, 5 and 6.)
 */

import { numbersOf, type Walk } from './walk.ts';

/** Where a video says that it ends. */
export interface DeclaredEnd {
  readonly end: number;
  /** True where no more can follow: a film in fragments may have been cut between two of them. */
  readonly isLast: boolean;
}

/** More top-level boxes than a video of a day in fragments has. */
const mostBoxes = 100_000;

/** Returns where the video says that it ends; null where it does not say. */
export function* declaredEnd(): Walk<DeclaredEnd | null> {
  const head = numbersOf(yield { offset: 0, length: 64 });
  if (head.byteLength < 8) return null;
  if (head.getUint32(0) === ebml) {
    const end = endOfSegment(head);
    return end === null ? null : { end, isLast: true };
  }
  const { names, end, isOpen } = yield* walkBoxes(head);
  if (isOpen) return null;
  return { end, isLast: names.has(moov) && names.has(mdat) && !names.has(moof) };
}

/** The boxes at the top level of a file. */
export interface Boxes {
  readonly names: ReadonlySet<number>;
  /** The name of the last one. */
  readonly last: number;
  /** Where the last box with a length ends. */
  readonly end: number;
  /** True where the boxes do not say where the file ends: one reaches to its end, or what follows is no box. */
  readonly isOpen: boolean;
}

/** Goes through the boxes of a file. `head` are its first bytes, at least 16 where it has them. */
export function* walkBoxes(head: DataView): Walk<Boxes> {
  let box = head;
  let end = 0;
  let last = 0;
  const names = new Set<number>();
  for (let boxes = 0; boxes < mostBoxes && box.byteLength >= 8; boxes += 1) {
    const name = box.getUint32(4);
    if (!isBoxName(name)) return { names, last, end, isOpen: true };
    names.add(name);
    last = name;
    const short = box.getUint32(0);
    // 0: to the end of the file. 1: the length is a long one, behind the name.
    if (short === 0) return { names, last, end, isOpen: true };
    if (short === 1 && box.byteLength < 16) return { names, last, end: end + 16, isOpen: false };
    const length = short === 1 ? Number(box.getBigUint64(8)) : short;
    if (length < 8) return { names, last, end, isOpen: true };
    end += length;
    box = numbersOf(yield { offset: end, length: 16 });
  }
  return { names, last, end, isOpen: false };
}

/** Four printable characters. */
function isBoxName(name: number): boolean {
  return [24, 16, 8, 0].every((bits) => {
    const letter = (name >>> bits) & 0xff;
    return letter === 0xa9 || (letter >= 0x20 && letter < 0x7f);
  });
}

export const moov = 0x6d6f6f76;
export const mdat = 0x6d646174;
const moof = 0x6d6f6f66;

const ebml = 0x1a45dfa3;
const segment = 0x18538067;

/** Where the segment after the EBML header ends; null where it does not say. */
function endOfSegment(head: DataView): number | null {
  const header = vint(head, 4);
  if (header?.value == null) return null;
  const start = header.end + header.value;
  if (start + 4 > head.byteLength || head.getUint32(start) !== segment) return null;
  const body = vint(head, start + 4);
  return body?.value == null ? null : body.end + body.value;
}

/** A length of 1 to 8 bytes; its first set bit says how many. Null as value where all further bits are set: unknown. */
function vint(
  bytes: DataView,
  offset: number,
): { readonly value: number | null; readonly end: number } | null {
  if (offset >= bytes.byteLength) return null;
  const first = bytes.getUint8(offset);
  const length = Math.clz32(first) - 23;
  if (length > 8 || offset + length > bytes.byteLength) return null;
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let at = 1; at < length; at += 1) {
    const byte = bytes.getUint8(offset + at);
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value: isUnknown ? null : value, end: offset + length };
}
