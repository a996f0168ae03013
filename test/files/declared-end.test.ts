import { expect, it } from 'vitest';
import { type DeclaredEnd, declaredEnd } from '../../src/files/declared-end.ts';

/** What the whole of these bytes says. */
function endOf(bytes: Uint8Array): DeclaredEnd | null {
  const walk = declaredEnd();
  let step = walk.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = walk.next(bytes.slice(offset, offset + length));
  }
  return step.value;
}

function box(name: string, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.writeUInt32BE(sizeBytes);
  bytes.write(name, 4, 'latin1');
  return bytes;
}

function longBox(name: string, sizeBytes: number): Buffer {
  const bytes = box(name, sizeBytes);
  bytes.writeUInt32BE(1);
  bytes.writeBigUInt64BE(BigInt(sizeBytes), 8);
  return bytes;
}

const film = [box('ftyp', 20), box('free', 8), box('moov', 300), longBox('mdat', 900)];

it('is where the boxes of a film end, and nothing more can follow', () => {
  expect(endOf(Buffer.concat(film))).toEqual({ end: 1228, isLast: true });
  expect(endOf(Buffer.concat(film).subarray(0, 500))).toEqual({ end: 1228, isLast: true });
});

it.each([
  ['a film cut between two boxes', film.slice(0, 3), 328],
  ['a film in fragments', [...film, box('moof', 30), box('mdat', 40)], 1298],
  ['a long box cut inside its length', [box('ftyp', 20), longBox('mdat', 16).subarray(0, 12)], 36],
] as const)('may be followed by more in %s', (_name, boxes, end) => {
  expect(endOf(Buffer.concat([...boxes]))).toEqual({ end, isLast: false });
});

const header = [0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0];
const segment = [0x18, 0x53, 0x80, 0x67];

it.each([
  ['', []],
  ['a text', [...Buffer.from('\x01\x02\x03\x04\x05\x06\x07\x08 no box')]],
  ['a box with no end', [0, 0, 0, 0, ...Buffer.from('mdat')]],
  ['a box that is too short', [0, 0, 0, 3, ...Buffer.from('free')]],
  ['a name of QuickTime before nothing', [0, 0, 0, 0, 0xa9, ...Buffer.from('xyz')]],
  ['a segment of unknown length', [...header, ...segment, 0x01, 255, 255, 255, 255, 255, 255, 255]],
  ['no segment', [...header, 1, 2, 3, 4, 5]],
  ['no length of the segment', [...header, ...segment]],
  ['a length of no known size', [...header, ...segment, 0x00, 1]],
  ['a header of unknown length', [0x1a, 0x45, 0xdf, 0xa3, 0xff, 0, 0, 0]],
  ['a header and nothing after it', [...header, 1]],
])('is not known of %s', (_name, bytes) => {
  expect(endOf(Uint8Array.from(bytes))).toBeNull();
});

it('is where the segment of a WebM ends', () => {
  expect(endOf(Uint8Array.from([...header, ...segment, 0x84, 1, 2]))).toEqual({ end: 16, isLast: true });
  expect(endOf(Uint8Array.from([...header, ...segment, 0x40, 0x20, 1]))).toEqual({ end: 45, isLast: true });
});
