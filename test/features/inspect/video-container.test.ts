import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { isCutOff, openContainerReader } from '../../../src/features/inspect/video-container.ts';
import type { FileAccess } from '../../../src/ports.ts';

const clip = readFileSync(new URL('../../../samples/clip.webm', import.meta.url));

function fileOf(bytes: Uint8Array): FileAccess {
  return {
    sizeBytes: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

async function look(path: string, file: FileAccess) {
  const reader = await openContainerReader();
  if (reader === null) throw new Error('mediabunny is installed for tests');
  return reader.read(path, file);
}

test('a WebM says how long it plays, what it shows, and that it has no sound', async () => {
  expect(await look('q1/video.webm', fileOf(clip))).toEqual({
    seconds: 4,
    hasPicture: true,
    hasSound: false,
    width: 960,
    height: 540,
    isCut: false,
    gap: null,
  });
});

test('a WebM of which only the beginning was written does not block the inspection', async () => {
  const reader = await openContainerReader(undefined, 200);
  const damaged = fileOf(Buffer.concat([clip.subarray(0, 100), Buffer.alloc(clip.length - 100)]));
  expect(await reader?.read('video.webm', damaged)).toBe('unreadable');
});

test('a file that lost its end is cut off', async () => {
  const cut = fileOf(clip.subarray(0, Math.floor(clip.length * 0.9)));
  expect(await look('video.webm', cut)).toMatchObject({ isCut: true, width: 960 });
});

test('a file that lost its beginning cannot be read, and neither can one with other bytes', async () => {
  expect(await look('video.webm', fileOf(clip.subarray(400)))).toBe('unreadable');
  expect(await look('video.mp4', fileOf(new Uint8Array(5_000).fill(7)))).toBe('unreadable');
  expect(await look('video.mp4', fileOf(new Uint8Array()))).toBe('unreadable');
});

test('a disk that refuses is no fault of the video', async () => {
  const read = async (): Promise<Uint8Array> => {
    throw new UsageError('the disk refuses');
  };
  await expect(look('video.webm', { sizeBytes: 1_000, read })).rejects.toThrow('the disk refuses');
});

test('other containers are not read, nor any without the package', async () => {
  expect(await look('video.avi', fileOf(clip))).toBeNull();
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  expect(await openContainerReader(() => Promise.reject(missing))).toBeNull();
  await expect(openContainerReader(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

/** A box of an MP4: its length says `declared` where it is not its own. */
function box(name: string, content: number, declared = content + 8): Buffer {
  const bytes = Buffer.alloc(8 + content);
  bytes.writeUInt32BE(declared);
  bytes.write(name, 4, 'latin1');
  return bytes;
}

function longBox(name: string, content: number, declared = content + 16): Buffer {
  const bytes = Buffer.alloc(16 + content);
  bytes.writeUInt32BE(1);
  bytes.write(name, 4, 'latin1');
  bytes.writeBigUInt64BE(BigInt(declared), 8);
  return bytes;
}

test.each([
  ['whole boxes', [box('ftyp', 8), box('moov', 40), box('mdat', 100)], false],
  ['a last box that is too short', [box('ftyp', 8), box('moov', 40), box('mdat', 100, 5_000)], true],
  ['a long box', [box('ftyp', 8), longBox('mdat', 100)], false],
  ['a long box that is too short', [box('ftyp', 8), longBox('mdat', 100, 5_000)], true],
  ['a long box without its length', [box('ftyp', 8), longBox('mdat', 0).subarray(0, 12)], true],
  ['a last box to the end of the file', [box('ftyp', 8), box('mdat', 100, 0)], false],
  ['bytes that are no box', [box('ftyp', 8), Buffer.alloc(20, 1)], false],
  ['a box that is no box', [box('ftyp', 8), box('free', 8, 3)], false],
  ['a few bytes after the last box', [box('ftyp', 8), Buffer.alloc(5)], false],
  ['no bytes', [], false],
] as const)('an MP4 with %s', async (_, parts, isCut) => {
  expect(await isCutOff(fileOf(Buffer.concat([...parts])))).toBe(isCut);
});

const header = [0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0];
const segment = [0x18, 0x53, 0x80, 0x67];

test.each([
  ['a whole segment', [...header, ...segment, 0x84, 1, 2, 3, 4], false],
  ['a segment that is too short', [...header, ...segment, 0x40, 0x20, 1, 2, 3], true],
  ['a segment of unknown length', [...header, ...segment, 0x01, 255, 255, 255, 255, 255, 255, 255], false],
  ['no segment', [...header, 1, 2, 3, 4, 5], false],
  ['no length', [...header, ...segment], false],
  ['a length that is none', [...header, ...segment, 0x00, 1], false],
  ['nothing after its name', header.slice(0, 4), false],
] as const)('a WebM with %s', async (_, bytes, isCut) => {
  expect(await isCutOff(fileOf(Uint8Array.from(bytes)))).toBe(isCut);
});
