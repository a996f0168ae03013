/** Pictures as programs write them, and the same cut off, zero-filled, or with something behind their end. */

import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { flawOfBytes, isCutInline, pictureError, pictureFlaw } from '../../src/files/picture-flaw.ts';
import { ArrivingWalk } from '../../src/files/walk.ts';
import { message } from '../../src/messages/message.ts';
import { smallPng } from '../support/small-png.ts';

const number = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);
const bigNumber = (value: number, bytes = 4): number[] => number(value, bytes).reverse();
const bytesOf = (...parts: readonly (string | number | readonly number[])[]): Buffer =>
  Buffer.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : typeof part === 'number' ? [part] : part,
    ),
  );

const canvas = createCanvas(40, 30);
const drawing = canvas.getContext('2d');
for (let at = 0; at < 300; at += 1) {
  drawing.fillStyle = `rgb(${(at * 7) % 256},${(at * 31) % 256},${(at * 101) % 256})`;
  drawing.fillRect((at * 17) % 40, (at * 13) % 30, 5, 4);
}

/** A segment of a JPEG with its length. */
const segment = (code: number, content: readonly number[]): number[] => [
  0xff,
  code,
  ...bigNumber(content.length + 2, 2),
  ...content,
];
const endOfImage = [0xff, 0xd9];
const thumbnail = [0xff, 0xd8, ...segment(0xda, [1]), 7, 7, ...endOfImage];
const jpeg = bytesOf(
  [0xff, 0xd8],
  segment(0xe1, thumbnail),
  // Fill bytes, and a byte too many between two segments.
  [0xff, 0xff],
  segment(0xc2, [8, 0, 1]),
  [0],
  segment(0xda, [1, 1, 0]),
  // Stuffed bytes and marks to restart from.
  [5, 0xff, 0x00, 5, 0xff, 0xd0, 5, 0xff, 0xd7, 0xff, 0xff, 5],
  segment(0xc4, endOfImage),
  segment(0xda, [1, 1, 0]),
  [5, 5],
  endOfImage,
);
/** Its marker stands at the end of what is read at once, with one byte of its length. */
const longJpeg = bytesOf(
  [0xff, 0xd8],
  segment(0xda, [1]),
  Array.from({ length: 64 * 1024 - 3 }, () => 5),
  segment(0xda, [1]),
  Array.from({ length: 70_000 }, () => 5),
  endOfImage,
);

const gif = bytesOf(
  'GIF89a',
  [4, 0, 4, 0, 0x80, 0, 0],
  [0, 0, 0, 255, 255, 255],
  [0x21, 0xff, 11],
  'NETSCAPE2.0',
  [3, 1, 0, 0, 0],
  [0x21, 0xfe, 3],
  ';;;',
  [0],
  // The first picture has the colours of all, the second its own.
  [0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2, 2, 0x3b, 0x3b, 1, 9, 0],
  // A byte that is no block.
  [0],
  [0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0x80, 1, 2, 3, 4, 5, 6, 2, 1, 9, 0],
  [0x3b],
);

const chunk = (name: string, content: readonly number[]): number[] => [
  ...bytesOf(name),
  ...number(content.length),
  ...content,
  ...(content.length % 2 === 0 ? [] : [0]),
];
const riff = (...chunks: readonly (readonly number[])[]): Buffer =>
  bytesOf('RIFF', number(4 + chunks.flat().length), 'WEBP', ...chunks);
const frames = riff(
  chunk('VP8X', [2, 0, 0, 0, 1, 0, 0, 1, 0, 0]),
  chunk('ANMF', [1, 2, 3]),
  chunk('ANMF', [4]),
  chunk('EXIF', [1, 1]),
);

interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly packing?: number;
  readonly content: readonly number[];
  /** What its header says of the packed bytes. */
  readonly packedBytes?: number;
}

const bmp = ({ width, height, bits, packing = 0, content, packedBytes = 0 }: Bitmap): Buffer =>
  bytesOf(
    'BM',
    // Its length, which is often wrong.
    number(9_999),
    number(0),
    number(54),
    number(40),
    number(width),
    number(height < 0 ? height + 2 ** 32 : height),
    number(1, 2),
    number(bits, 2),
    number(packing),
    number(packedBytes),
    Array.from({ length: 16 }, () => 0),
    content,
  );
const oldBmp = bytesOf(
  'BM',
  number(0),
  number(0),
  number(26),
  number(12),
  number(3, 2),
  number(2, 2),
  number(1, 2),
  number(24, 2),
  Array.from({ length: 12 + 9 }, () => 1),
);
const ofOs2 = bytesOf(
  'BM',
  number(0),
  number(0),
  number(30),
  number(16),
  number(1),
  number(1),
  number(1, 2),
  number(8, 2),
  7,
);

type Entry = readonly [tag: number, type: number, count: number, value: number];
const tiff = (entries: readonly Entry[], rest: readonly number[] = [], next = 0): number[] => [
  ...number(entries.length, 2),
  ...entries.flatMap(([tag, type, count, value]) => [
    ...number(tag, 2),
    ...number(type, 2),
    ...number(count),
    ...number(value),
  ]),
  ...number(next),
  ...rest,
];
/** The strip stands in front of the directory. */
const oneStrip = bytesOf(
  'II*\0',
  number(12),
  [1, 2, 3, 4],
  tiff([
    [256, 3, 1, 1],
    [273, 4, 1, 8],
    [279, 3, 1, 4],
  ]),
);
/** Lists of places and lengths behind the directory, and the strips behind them; the second page is one of tiles. */
const strips = bytesOf(
  'II*\0',
  number(8),
  tiff(
    [
      [273, 4, 2, 38],
      [279, 4, 2, 46],
    ],
    [...number(54), ...number(58), ...number(4), ...number(3), 1, 1, 1, 1, 2, 2, 2],
    61,
  ),
  tiff(
    [
      [324, 4, 3, 91],
      [325, 3, 3, 103],
    ],
    [
      ...number(109),
      ...number(109),
      ...number(111),
      ...number(2, 2),
      ...number(2, 2),
      ...number(4, 2),
      ...[1, 1, 2, 2, 2, 2],
    ],
  ),
);
const bigEndian = bytesOf(
  'MM\0*',
  bigNumber(8),
  bigNumber(2, 2),
  [...bigNumber(273, 2), ...bigNumber(4, 2), ...bigNumber(1), ...bigNumber(38)],
  [...bigNumber(279, 2), ...bigNumber(3, 2), ...bigNumber(1), ...bigNumber(2, 2), 0, 0],
  bigNumber(0),
  [1, 2],
);

const box = (name: string, content: readonly number[]): number[] => [
  ...bigNumber(content.length + 8),
  ...bytesOf(name, content),
];
const heic = bytesOf(
  box('ftyp', [...Buffer.from('heic\0\0\0\0mif1')]),
  box('meta', [0, 0, 0, 0]),
  box('mdat', [1, 2, 3]),
);

/** Pictures by where they end: all but the last bytes of some can go, as what those do is not needed. */
const whole: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['a PNG', smallPng(1, 2, 3)],
  ['a PNG of the canvas', canvas.toBuffer('image/png')],
  ['a JPEG of the canvas', canvas.toBuffer('image/jpeg')],
  ['a JPEG with a thumbnail, in two scans', jpeg],
  ['a WebP of the canvas', canvas.toBuffer('image/webp')],
  ['a WebP with frames', frames],
  ['an AVIF of the canvas', canvas.toBuffer('image/avif')],
  ['a HEIC', heic],
  ['a GIF of the canvas', await canvas.encode('gif')],
  ['a GIF with two pictures', gif],
  ['a BMP', bmp({ width: 3, height: 2, bits: 24, content: Array.from({ length: 21 }, () => 1) })],
  [
    'a BMP from the top',
    bmp({ width: 33, height: -2, bits: 1, content: [1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1] }),
  ],
  ['a packed BMP', bmp({ width: 9, height: 9, bits: 8, packing: 1, packedBytes: 4, content: [9, 9, 0, 1] })],
  ['a BMP with masks', bmp({ width: 1, height: 1, bits: 32, packing: 3, content: [1, 2, 3, 4] })],
  ['an old BMP', oldBmp],
  ['a BMP of OS/2', ofOs2],
  ['a TIFF with strips', strips],
  ['a TIFF in the other order of bytes', bigEndian],
];

describe.each(whole)('%s', (_name, bytes) => {
  it('is whole, also with something behind its end', () => {
    expect(flawOfBytes(bytes)).toBeNull();
    for (const more of [Buffer.alloc(100), Buffer.from('\xff\xd8\xffand more', 'latin1'), bytes])
      expect(flawOfBytes(Buffer.concat([bytes, more]))).toBeNull();
  });

  it('is cut off wherever it is cut', () => {
    for (let length = 32; length < bytes.length; length += 1)
      expect([length, flawOfBytes(bytes.subarray(0, length))]).toEqual([length, 'picture.cut-off']);
  });

  it('is found the same in base64, and while it arrives in pieces of any size', () => {
    const lengths = fc.integer({ min: 0, max: bytes.length });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 100 }), (length, pieceBytes) => {
        const part = bytes.subarray(0, length);
        const found = flawOfBytes(part);
        const walk = new ArrivingWalk(pictureFlaw(length));
        for (let at = 0; at < length; at += pieceBytes) walk.note(part.subarray(at, at + pieceBytes));
        expect(walk.end()).toBe(found);
        const data = part.toString('base64');
        for (const letters of [data, data.replace(/=+$/, ''), `data:image/png;base64,${data}`])
          expect(isCutInline({ kind: 'inline', data: letters })).toBe(found === 'picture.cut-off');
      }),
      { numRuns: 40 },
    );
  });
});

test('a JPEG is whole whose marker lies where one piece ends, and cut off before its end', () => {
  expect(flawOfBytes(longJpeg)).toBeNull();
  for (const length of [longJpeg.length - 1, longJpeg.length - 2, 66_000, 64 * 1024 + 6])
    expect(flawOfBytes(longJpeg.subarray(0, length))).toBe('picture.cut-off');
});

it.each([
  ['PNG', smallPng(1, 2, 3), 60],
  ['JPEG', canvas.toBuffer('image/jpeg'), 700],
  ['JPEG behind its thumbnail', jpeg, 33],
  ['GIF', gif, 60],
  ['WebP', frames, 30],
  ['AVIF', canvas.toBuffer('image/avif'), 32],
  ['HEIC', heic, 30],
])('a %s whose tail was never written is cut off', (_name, bytes, start) => {
  for (const length of [bytes.length, bytes.length + 5_000])
    expect(flawOfBytes(Buffer.concat([bytes.subarray(0, start), Buffer.alloc(length - start)]))).toBe(
      'picture.cut-off',
    );
});

it.each([
  ['PNG', bytesOf('\x89PNG\r\n\x1a\n')],
  ['PNG without pixels', bytesOf('\x89PNG\r\n\x1a\n', number(0), 'IEND', [0xae, 0x42, 0x60, 0x82])],
  ['JPEG', bytesOf([0xff, 0xd8, 0xff])],
  ['JPEG without a scan', bytesOf([0xff, 0xd8, 0xff, 0xd9])],
  ['GIF', bytesOf('GIF89a')],
  ['GIF without a picture', bytesOf('GIF89a', [1, 0, 1, 0, 0, 0, 0, 0x3b])],
  ['WebP', bytesOf('RIFF', number(4), 'WEBP')],
  ['WebP without a picture', riff(chunk('EXIF', [1, 1]))],
  [
    'BMP',
    bytesOf(
      'BM',
      Array.from({ length: 60 }, () => 0),
    ),
  ],
  ['BMP without width', bmp({ width: 0, height: 2, bits: 24, content: [1, 2, 3] })],
  ['BMP without height', bmp({ width: 1, height: 0, bits: 24, content: [1, 2, 3] })],
  ['TIFF', bytesOf('II*\0')],
  ['TIFF without a directory', bytesOf('II*\0', number(4), number(0))],
  ['TIFF whose directory was never written', bytesOf('II*\0', number(8), number(0))],
  ['AVIF', bytesOf(box('ftyp', [...Buffer.from('avif')]))],
])('a %s that is only its signature is cut off', (_name, bytes) => {
  expect(flawOfBytes(bytes)).toBe('picture.cut-off');
});

describe('a TIFF', () => {
  it('whose directory is last ends with its entries', () => {
    expect(flawOfBytes(oneStrip)).toBeNull();
    // The place of a next page, and nothing else.
    expect(flawOfBytes(oneStrip.subarray(0, -4))).toBeNull();
    expect(flawOfBytes(oneStrip.subarray(0, -5))).toBe('picture.cut-off');
  });

  it('is not judged by lists that lie before their directory, nor by one list, nor by values of odd kinds', () => {
    const early = tiff([
      [273, 4, 2, 8],
      [279, 4, 2, 16],
    ]);
    const places = [...number(8_000), ...number(8_000), ...number(4), ...number(4)];
    expect(flawOfBytes(bytesOf('II*\0', number(24), places, early))).toBeNull();
    expect(flawOfBytes(bytesOf('II*\0', number(8), tiff([[273, 4, 1, 8_000]])))).toBeNull();
    const odd: readonly Entry[] = [
      [273, 1, 1, 255],
      [279, 99, 1, 255],
    ];
    expect(flawOfBytes(bytesOf('II*\0', number(8), tiff(odd)))).toBeNull();
  });

  it('that leads back to an earlier page ends', () => {
    expect(flawOfBytes(bytesOf('II*\0', number(8), tiff([[256, 3, 1, 1]], [], 8)))).toBeNull();
  });

  it('is cut off where an entry lies behind the end, or the strip of a page', () => {
    expect(flawOfBytes(bytesOf('II*\0', number(8), tiff([[700, 1, 9, 8_000]])))).toBe('picture.cut-off');
  });
});

it('a packed BMP that does not say how long it is, is whole', () => {
  expect(flawOfBytes(bmp({ width: 9, height: 9, bits: 8, packing: 1, content: [9] }))).toBeNull();
});

it('other bytes are not an image, and say nothing in a data URI', () => {
  expect(flawOfBytes(Buffer.from('no picture'))).toBe('picture.no-image');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
  expect(flawOfBytes(Buffer.from(pointer))).toBe('picture.lfs-pointer');
  expect(flawOfBytes(new Uint8Array())).toBe('picture.no-image');
  for (const data of ['data:image/svg+xml,<svg/>', 'data:image/svg+xml;base64,PHN2Zy8+', 'iVBORw0KG'])
    expect(isCutInline({ kind: 'inline', data })).toBe(false);
});

it('ends with an answer, whatever the bytes are', () => {
  const starts = whole.map(([, bytes]) => bytes.subarray(0, 32));
  fc.assert(
    fc.property(
      fc.constantFrom(...whole.map(([, bytes]) => bytes)),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 20 }),
      (bytes, changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < changed.length) changed[at] = value;
        expect([null, 'picture.cut-off', 'picture.no-image']).toContain(flawOfBytes(changed));
      },
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
      expect([null, 'picture.cut-off', 'picture.no-image']).toContain(
        flawOfBytes(Buffer.concat([start, rest])),
      );
    }),
  );
});

test('the error about a picture names it', () => {
  const cause = new Error('EACCES');
  expect(pictureError('/a.png', message('picture.unreadable'), cause)).toMatchObject({
    message: '/a.png cannot be read',
    cause,
  });
});
