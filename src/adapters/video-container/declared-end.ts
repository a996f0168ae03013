/**
 * Where a video says that it ends: the boxes of an MP4 and the segment of a WebM have their lengths in front. A file that
 * ends before was cut off. (ISO/IEC 14496-12, 4.2; RFC 8794, 5 and 6.)
 */

import type { FileAccess } from '../../ports.ts';

/** More top-level boxes than a video of a day in fragments has. */
const mostBoxes = 100_000;

/** True where the file is shorter than it says. */
export async function isCutOff(file: FileAccess): Promise<boolean> {
  const head = view(await file.read(0, 64));
  const end =
    head.byteLength >= 4 && head.getUint32(0) === ebml ? endOfSegment(head) : await endOfBoxes(file);
  return end !== null && end > file.sizeBytes;
}

/** Where the last box ends; null where what follows is no box. */
async function endOfBoxes(file: FileAccess): Promise<number | null> {
  let offset = 0;
  for (let boxes = 0; boxes < mostBoxes && offset + 8 <= file.sizeBytes; boxes += 1) {
    const box = view(await file.read(offset, 16));
    if (!isBoxName(box.getUint32(4))) return null;
    const short = box.getUint32(0);
    // 0: to the end of the file. 1: the length is a long one, behind the name.
    if (short === 0) return null;
    if (short === 1 && box.byteLength < 16) return offset + 16;
    const length = short === 1 ? Number(box.getBigUint64(8)) : short;
    if (length < 8) return null;
    offset += length;
  }
  return offset;
}

/** Four printable characters. */
function isBoxName(name: number): boolean {
  return [24, 16, 8, 0].every((bits) => {
    const letter = (name >>> bits) & 0xff;
    return letter === 0xa9 || (letter >= 0x20 && letter < 0x7f);
  });
}

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

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
