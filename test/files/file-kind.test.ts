import { describe, expect, it, test } from 'vitest';
import {
  binaryIn,
  imageExtension,
  impostorIn,
  isUnknownVideo,
  videoExtension,
} from '../../src/files/file-kind.ts';

/** Bytes from text (one byte a letter) and numbers, filled up with zeros. */
function bytes(...parts: readonly (string | number)[]): Uint8Array {
  const head = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part]))),
  );
  return Buffer.concat([head, Buffer.alloc(64)]);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Packets as they stand in a transport stream. */
function packets(packetBytes: number): Buffer {
  const stream = Buffer.alloc(3 * packetBytes);
  for (let at = 0; at < stream.length; at += packetBytes) stream[at] = 0x47;
  return stream;
}
const transportStream = packets(188);

const images: readonly (readonly [string, Uint8Array])[] = [
  ['png', bytes(0x89, 'PNG\r\n', 0x1a, '\n')],
  ['jpg', bytes(0xff, 0xd8, 0xff, 0xe0)],
  ['gif', bytes('GIF87a')],
  ['gif', bytes('GIF89a')],
  ['webp', bytes('RIFF1234WEBPVP8 ')],
  ['bmp', bytes('BM')],
  ['tiff', bytes('II', 0x2a, 0x00)],
  ['tiff', bytes('MM', 0x00, 0x2a)],
  ['avif', bytes(0, 0, 0, 32, 'ftypavif')],
  ['avif', bytes(0, 0, 0, 32, 'ftypavis')],
  ...['heic', 'heix', 'mif1', 'msf1', 'heim'].map(
    (brand) => ['heic', bytes(0, 0, 0, 32, `ftyp${brand}`)] as const,
  ),
];
const videos: readonly (readonly [string, Uint8Array])[] = [
  ['mp4', bytes(0, 0, 0, 32, 'ftypisom')],
  ['mp4', bytes(0, 0, 0, 24, 'ftypmp42')],
  ['mov', bytes(0, 0, 0, 20, 'ftypqt  ')],
  ['webm', bytes(0x1a, 0x45, 0xdf, 0xa3, 'B', 0x82, 0x84, 'webm')],
  ['mkv', bytes(0x1a, 0x45, 0xdf, 0xa3, 'B', 0x82, 0x88, 'matroska')],
  ['avi', bytes('RIFF1234AVI LIST')],
  ['ogv', bytes('OggS', 0, 2)],
  ['flv', bytes('FLV', 1)],
  ['mpg', bytes(0, 0, 1, 0xba)],
  ['mpg', bytes(0, 0, 1, 0xb3)],
  ['wmv', bytes(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)],
  ['ts', transportStream],
  ['ts', transportStream.subarray(0, 300)],
  ['m2ts', Buffer.concat([Buffer.alloc(4), packets(192)])],
  ['mp4', bytes(0, 0, 0, 24, 'stypmsdh')],
  ['mp4', bytes(0, 0, 0, 24, 'moof')],
  ['mp4', bytes(0, 0, 0, 24, 'sidx')],
  ...['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map((box) => ['mov', bytes(0, 0, 1, 0, box)] as const),
];

test.each(images)('%s is told by its first bytes, and is no video', (extension, head) => {
  expect(imageExtension(head)).toBe(extension);
  expect(videoExtension(head)).toBeNull();
});

test.each(videos)('%s is told by its first bytes, and is no image', (extension, head) => {
  expect(videoExtension(head)).toBe(extension);
  expect(imageExtension(head)).toBeNull();
});

describe('bytes that only look like a file', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['a piece of a signature', bytes(0x89, 'PN').subarray(0, 3)],
    ['text that begins with BM', utf8('BMW is a car')],
    ['a sound', bytes('RIFF1234WAVEfmt ')],
    ['one letter G', bytes('G')],
    [
      'a G where packets begin, and later none',
      Buffer.concat([packets(188).subarray(0, 376), Buffer.alloc(100)]),
    ],
    ['words with a G where packets begin', utf8(`G${'x'.repeat(187)}`.repeat(3))],
    ['words about a format', utf8('FLV and OggS are hardly used any more')],
    ['words that name a box', utf8('The moov box stands first')],
    ['words', utf8('not a file at all, but long enough for every signature that is known')],
  ])('%s: neither an image nor a video', (_, head) => {
    expect(imageExtension(head)).toBeNull();
    expect(videoExtension(head)).toBeNull();
  });

  it('takes BM for a picture only with room for its header', () => {
    expect(imageExtension(bytes('BM').subarray(0, 26))).toBe('bmp');
    expect(imageExtension(bytes('BM').subarray(0, 25))).toBeNull();
  });

  it('names Matroska by its document type only where that stands near the start', () => {
    const near = bytes(0x1a, 0x45, 0xdf, 0xa3, 'webm').subarray(0, 8);
    expect(videoExtension(near)).toBe('webm');
    const far = Buffer.concat([bytes(0x1a, 0x45, 0xdf, 0xa3), Buffer.alloc(300), Buffer.from('webm')]);
    expect(videoExtension(far)).toBe('mkv');
  });
});

/** UTF-16 of a text, with its mark. */
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

describe('what stands in the place of a file', () => {
  it.each([
    ['HTML', '<!DOCTYPE html><title>404</title>'],
    ['HTML without a doctype', '\n  <html><head>'],
    ['a fragment of HTML', '<body>gone</body>'],
    ['XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
    ['XML without a declaration', '<Error><Code>ExpiredToken</Code></Error>'],
    ['a comment', '<!-- gone -->'],
    ['a script', '<script>location = "/login"</script>'],
    ['a JSON object', '{"status":"error","data":{"messages":"expired"}}'],
    ['an empty JSON object', '{}'],
    ['spaced JSON', ' {\n  "code": 403 }'],
    ['a JSON list', '[{"code":403}]'],
    ['a JSON word', 'null'],
  ])('is a page, told by its text in any encoding: %s', (_, text) => {
    for (const head of [
      utf8(text),
      utf8(`\ufeff${text}`),
      utf16(text),
      swapped(utf16(text)),
      Buffer.from(text, 'utf16le'),
      swapped(Buffer.from(text, 'utf16le')),
    ]) {
      for (const contentType of ['video/mp4', 'application/octet-stream', null]) {
        expect(impostorIn('video', head, contentType)).toBe('a page');
        expect(impostorIn('frame', head, contentType)).toBe('a page');
      }
    }
  });

  it.each([
    ['words', utf8('Request has expired')],
    ['one word', utf8('AccessDenied')],
    ['a playlist', utf8('#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9,\na.ts\n')],
    ['subtitles', utf8('WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n')],
    ['words in Chinese', utf8('链接已过期')],
    ['words in GB18030', Uint8Array.of(0xc1, 0xb4, 0xbd, 0xd3, 0xd2, 0xd1, 0xb9, 0xfd, 0xc6, 0xda)],
    ['words in UTF-16', utf16('链接已过期')],
    ['digits', utf8('42')],
    ['white space', utf8(' \n ')],
    ['a smaller-than sign', utf8('< 3')],
    ['a brace', utf8('{ x }')],
  ])('is a text: %s', (_, head) => {
    for (const contentType of ['text/plain', 'video/mp4', null]) {
      expect(impostorIn('video', head, contentType)).toBe('a text');
      expect(impostorIn('frame', head, contentType)).toBe('a text');
    }
  });

  it('is told by its text when that was cut inside a letter', () => {
    expect(impostorIn('video', utf8('<html>\u9898').subarray(0, -1), null)).toBe('a page');
    expect(impostorIn('video', utf16('<html>').subarray(0, -1), null)).toBe('a page');
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'application/json',
    'application/problem+json',
  ])('is a page by its content type where the bytes are no file: %s', (contentType) => {
    for (const head of [utf8('sorry'), bytes(1, 2, 3)])
      expect(impostorIn('video', head, contentType)).toBe('a page');
  });

  it.each(['text/plain', 'application/vnd.apple.mpegurl', 'application/x-mpegURL'])(
    'is a text by its content type where the bytes are no file: %s',
    (contentType) => expect(impostorIn('video', bytes(1, 2, 3), contentType)).toBe('a text'),
  );

  it('is an image where a video should be, and where a frame should be that is no impostor', () => {
    const drawings = [utf8('<svg xmlns="x"></svg>'), utf8('<?xml version="1.0"?>\n<svg width="1"/>')];
    for (const head of [...images.map(([, each]) => each), ...drawings]) {
      expect(impostorIn('video', head, 'video/mp4')).toBe('an image');
      expect(impostorIn('frame', head, 'image/png')).toBeNull();
    }
  });

  it('is never a file of a known format, whatever its headers say', () => {
    for (const [, head] of videos) {
      expect(impostorIn('video', head, 'text/html')).toBeNull();
      expect(impostorIn('frame', head, 'text/html')).toBeNull();
    }
  });

  it.each([
    ['bytes of an unknown format', bytes(1, 2, 3)],
    ['a few bytes', Uint8Array.of(0, 1)],
    ['half a letter behind the mark of UTF-16', Uint8Array.of(0xff, 0xfe, 0x00, 0xdc, 0x41, 0x00)],
    ['nothing', new Uint8Array()],
  ])('is not seen in %s', (_, head) => {
    expect(impostorIn('video', head, 'application/octet-stream')).toBeNull();
    expect(impostorIn('frame', head, null)).toBeNull();
  });
});

test('a video of no known format is marked by its name', () => {
  expect(['a/video.bin', 'a/video.mp4', 'bin/video.webm'].map(isUnknownVideo)).toEqual([true, false, false]);
});

describe('a file that is given for a text', () => {
  it.each([
    ['an Excel workbook', bytes('PK\x03\x04'), 'package'],
    ['an old Excel file', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'office'],
    ['a PDF', bytes('%PDF-1.7'), 'pdf'],
    ['a database', bytes('SQLite format 3\0'), 'database'],
    ['a packed file', bytes(0x1f, 0x8b), 'packed'],
    ['an image', bytes(0x89, 'PNG\r\n', 0x1a, '\n'), 'image'],
    ['a clip', bytes(0x1a, 0x45, 0xdf, 0xa3), 'video'],
    ['a film', bytes(0, 0, 0, 32, 'ftypisom'), 'media'],
  ])('is told by its first bytes: %s', (_, head, binary) => {
    expect(binaryIn(head)).toBe(binary);
  });

  it.each(['id,question\n1,ftyp', '{"question":"PK"}', '', 'ftyp', 'BZh', '\ufeffid'])(
    'may be one: %j',
    (text) => {
      expect(binaryIn(utf8(text))).toBeNull();
    },
  );
});
