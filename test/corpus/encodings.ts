/** The encodings that a file of questions may come in, each as a program that saves it would write it. */

import { encodeUtf16 } from '../input/read-file.ts';

export interface Encoding {
  /** As the reading names it. */
  readonly name: string;
  encode(text: string): Uint8Array;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const encodings: readonly Encoding[] = [
  { name: 'UTF-8', encode: utf8 },
  { name: 'UTF-8 with BOM', encode: (text) => utf8(`\ufeff${text}`) },
  { name: 'UTF-16LE with BOM', encode: (text) => encodeUtf16(`\ufeff${text}`, 'low-first') },
  { name: 'UTF-16BE with BOM', encode: (text) => encodeUtf16(`\ufeff${text}`, 'high-first') },
  { name: 'GB18030', encode: encodeGb18030 },
];

/** Any text in GB18030, in its one, two and four bytes a character. */
export function encodeGb18030(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text).flatMap(gb18030Bytes));
}

function gb18030Bytes(letter: string): readonly number[] {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return [code];
  // Characters above U+FFFF stand in the order of their numbers, from 90 30 81 30 on.
  if (code > 0xffff) return fourBytes(code - 0x10000 + 189_000);
  basicPlane ??= readBasicPlane();
  const bytes = basicPlane.get(letter);
  if (bytes === undefined) throw new Error(`${letter} is not in GB18030`);
  return bytes;
}

/** The bytes of each character up to U+FFFF, found by decoding all there are. */
function readBasicPlane(): Map<string, readonly number[]> {
  const decoder = new TextDecoder('gb18030');
  const plane = new Map<string, readonly number[]>();
  const note = (bytes: readonly number[]): void => {
    const letter = decoder.decode(Uint8Array.from(bytes));
    if (letter.length === 1 && letter !== '\ufffd' && !plane.has(letter)) plane.set(letter, bytes);
  };
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) note([lead, trail]);
  for (let pointer = 0; pointer < 39_420; pointer++) note(fourBytes(pointer));
  return plane;
}

let basicPlane: Map<string, readonly number[]> | undefined;

function fourBytes(pointer: number): readonly number[] {
  const [second, third, fourth] = [
    Math.floor(pointer / 1_260) % 10,
    Math.floor(pointer / 10) % 126,
    pointer % 10,
  ];
  return [0x81 + Math.floor(pointer / 12_600), 0x30 + second, 0x81 + third, 0x30 + fourth];
}
