import { describe, expect, it, test } from 'vitest';
import { imageExtension, isErrorPage, nonTextAdvice, videoExtension } from '../../src/core/file-kind.ts';

/** Bytes from text (one byte a letter) and numbers, filled up with zeros. */
function bytes(...parts: readonly (string | number)[]): Uint8Array {
  const head = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part]))),
  );
  return Buffer.concat([head, Buffer.alloc(64)]);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const transportStream = Buffer.alloc(400);
transportStream[0] = 0x47;
transportStream[188] = 0x47;

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
  ['ogv', bytes('OggS')],
  ['flv', bytes('FLV', 1)],
  ['mpg', bytes(0, 0, 1, 0xba)],
  ['ts', transportStream],
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

describe('an error page', () => {
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
    ['JSON behind a byte order mark', '\ufeff{"code":403}'],
  ])('is told by its text: %s', (_, text) => {
    expect(isErrorPage(utf8(text), 'video/mp4')).toBe(true);
    expect(isErrorPage(utf8(text), null)).toBe(true);
  });

  it('is told by its text when that was cut inside a letter', () => {
    expect(isErrorPage(utf8('<html>\u9898').subarray(0, -1), null)).toBe(true);
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'application/json',
    'application/problem+json',
  ])('is told by its content type where the bytes say nothing: %s', (contentType) => {
    expect(isErrorPage(utf8('sorry'), contentType)).toBe(true);
  });

  it('is never a file of a known format, whatever its headers say', () => {
    for (const [, head] of [...videos, ...images]) expect(isErrorPage(head, 'text/html')).toBe(false);
  });

  it.each([
    ['bytes of an unknown format', bytes(1, 2, 3)],
    ['text that is none of the three', utf8('plain words')],
    ['a smaller-than sign', utf8('< 3')],
    ['a brace', utf8('{ x }')],
    ['a drawing', utf8('<svg xmlns="x"></svg>')],
    ['digits', utf8('42')],
    ['nothing', new Uint8Array()],
    ['white space', utf8(' \n ')],
    ['broken UTF-8', Uint8Array.of(0x3c, 0x68, 0x74, 0x6d, 0x6c, 0xff, 0xff)],
  ])('is not seen in %s', (_, head) => {
    expect(isErrorPage(head, 'application/octet-stream')).toBe(false);
    expect(isErrorPage(head, null)).toBe(false);
  });
});

describe('a file that is given for a text', () => {
  it.each([
    ['an Excel workbook', bytes('PK\x03\x04'), /save the sheet as CSV/],
    ['an old Excel file', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /save the sheet as CSV/],
    ['a PDF', bytes('%PDF-1.7'), /copy the questions/],
    ['a database', bytes('SQLite format 3\0'), /export the questions/],
    ['a packed file', bytes(0x1f, 0x8b), /unpack it/],
    ['an image', bytes(0x89, 'PNG\r\n', 0x1a, '\n'), /name it in a CSV file/],
    ['a clip', bytes(0x1a, 0x45, 0xdf, 0xa3), /name the file of the questions/],
    ['a film', bytes(0, 0, 0, 32, 'ftypisom'), /name the file of the questions/],
  ])('is told by its first bytes, with what to do: %s', (_, head, advice) => {
    expect(nonTextAdvice(head)).toMatch(advice);
  });

  it.each(['id,question\n1,ftyp', '{"question":"PK"}', '', 'ftyp', 'BZh', '\ufeffid'])(
    'may be one: %j',
    (text) => {
      expect(nonTextAdvice(utf8(text))).toBeNull();
    },
  );
});
