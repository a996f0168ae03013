/**
 * Detects a file's format from its first bytes. Signatures: the formats' own specifications. The library file-type is
 * unsuitable: it reports UTF-16 HTML as audio, and knows neither MP4 fragments nor Windows Media.
 */

import type { Binary } from '../messages/formats.ts';

/** Extensions of images in the formats that video services take. */
export const imageExtensions = ['png', 'jpg', 'gif', 'webp', 'bmp', 'tiff', 'avif', 'heic'] as const;
export type ImageExtension = (typeof imageExtensions)[number];

/** Extension of an image in one of the formats that video services take, or null. Needs the first 32 bytes. */
export function imageExtension(head: Uint8Array): ImageExtension | null {
  if (startsWith(head, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  if (startsWith(head, 0, [0xff, 0xd8, 0xff])) return 'jpg';
  if (hasText(head, 0, 'GIF87a') || hasText(head, 0, 'GIF89a')) return 'gif';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP')) return 'webp';
  if (hasText(head, 0, 'BM') && head.length >= 26) return 'bmp';
  if (startsWith(head, 0, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, 0, [0x4d, 0x4d, 0x00, 0x2a]))
    return 'tiff';
  if (hasText(head, 4, 'ftyp')) {
    if (hasText(head, 8, 'avif') || hasText(head, 8, 'avis')) return 'avif';
    if (['heic', 'heix', 'mif1', 'msf1', 'heim'].some((brand) => hasText(head, 8, brand))) return 'heic';
  }
  return null;
}

/** Boxes at the start of an MP4 fragment or an old QuickTime file, where there is no `ftyp`. */
const fragmentBoxes = ['styp', 'moof', 'sidx'];
const filmBoxes = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];

/** Extension of a video, or null for an unknown format. Needs the first 400 bytes. */
export function videoExtension(head: Uint8Array): string | null {
  if (hasText(head, 4, 'ftyp')) {
    if (imageExtension(head) !== null) return null;
    return hasText(head, 8, 'qt  ') ? 'mov' : 'mp4';
  }
  if (startsWith(head, 0, [0x1a, 0x45, 0xdf, 0xa3])) return indexOfText(head, 'webm') >= 0 ? 'webm' : 'mkv';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'AVI ')) return 'avi';
  if (hasText(head, 0, 'OggS\0')) return 'ogv';
  if (hasText(head, 0, 'FLV\x01')) return 'flv';
  if (startsWith(head, 0, [0x00, 0x00, 0x01, 0xba]) || startsWith(head, 0, [0x00, 0x00, 0x01, 0xb3]))
    return 'mpg';
  if (startsWith(head, 0, [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])) return 'wmv';
  // Text may contain these signatures by chance.
  if (decodeText(head) !== undefined) return null;
  if (hasSyncBytes(head, 0, 188)) return 'ts';
  if (hasSyncBytes(head, 4, 192)) return 'm2ts';
  if (fragmentBoxes.some((box) => hasText(head, 4, box))) return 'mp4';
  return filmBoxes.some((box) => hasText(head, 4, box)) ? 'mov' : null;
}

/** Extension of a video in an unknown format: the file is kept, because it was paid for, and its name marks it. */
export const unknownVideo = 'bin';

/** True for the path of a file that may not be a video. */
export function isUnknownVideo(path: string): boolean {
  return path.endsWith(`.${unknownVideo}`);
}

/** Packets of a transport stream begin with the same byte. */
function hasSyncBytes(head: Uint8Array, first: number, packetBytes: number): boolean {
  const isSync = (packet: number): boolean => head[first + packet * packetBytes] === 0x47;
  return isSync(0) && isSync(1) && (isSync(2) || head.length <= first + 2 * packetBytes);
}

/** Signatures of files that people mistake for tables or text. */
const binaries: readonly { readonly bytes: string; readonly at?: number; readonly binary: Binary }[] = [
  { bytes: 'PK\x03\x04', binary: 'package' },
  { bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', binary: 'office' },
  { bytes: '%PDF-', binary: 'pdf' },
  { bytes: 'SQLite format 3\0', binary: 'database' },
  ...['\x1f\x8b', 'BZh91AY&SY', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07'].map(
    (bytes) => ({ bytes, binary: 'packed' as const }),
  ),
  ...['\x89PNG\r\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].map((bytes) => ({
    bytes,
    binary: 'image' as const,
  })),
  { bytes: '\x1a\x45\xdf\xa3', binary: 'video' },
  { bytes: 'ftyp', at: 4, binary: 'media' },
];

/** What a binary file is that was given in place of text; null for possible text. Needs the first 16 bytes. */
export function binaryIn(head: Uint8Array): Binary | null {
  return binaries.find(({ bytes, at = 0 }) => hasText(head, at, bytes))?.binary ?? null;
}

/**
 * Describes what was delivered in place of a file: a page or text (servers send these with an error or a playlist), or
 * an image in place of a video. Null for a known format, whatever the headers say, and for unrecognized bytes.
 */
export function impostorIn(
  kind: 'video' | 'frame',
  head: Uint8Array,
  contentType: string | null,
): 'a page' | 'a text' | 'an image' | null {
  const isImage = imageExtension(head) !== null;
  // Frames are images, and only what is neither is read as a text.
  if (isImage && kind === 'frame') return null;
  if (videoExtension(head) !== null) return null;
  if (isImage) return 'an image';
  if (head.length === 0) return null;
  const text = decodeText(head)?.trimStart();
  if (text !== undefined && /^(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(text))
    return kind === 'video' ? 'an image' : null;
  if (markupType.test(contentType ?? '')) return 'a page';
  if (text === undefined) return textType.test(contentType ?? '') ? 'a text' : null;
  const isPage = /^<[a-z!?]/i.test(text) || /^(\{\s*["}]|\[\s*["{[\]])/.test(text) || jsonWord.test(text);
  return isPage ? 'a page' : 'a text';
}

const markupType = /^\s*(text\/html|application\/xhtml|(text|application)\/(problem\+)?(xml|json))/i;
const textType = /^\s*(text\/|application\/(x-|vnd\.apple\.)?mpegurl)/i;

/** A JSON document that is one word or string; a bare number could be anything. */
const jsonWord = /^(?:null|true|false|"[^"\n]*")\s*$/;

/** Control characters that text never contains: excludes tab, line breaks, form feed and escape. */
const control = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/**
 * The head as text, or undefined when it is binary. Text is UTF-8, UTF-16 with or without a byte order mark, or an
 * older encoding, whose non-ASCII letters may be wrong. A character cut off at the end is accepted.
 */
function decodeText(head: Uint8Array): string | undefined {
  const encodings = wideEncoding(head) ?? ['utf-8', 'latin1'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
      return control.test(text) ? undefined : text;
    } catch {
      // Not this encoding.
    }
  }
  return undefined;
}

/** UTF-16 is recognized by its byte order mark, or by the zero bytes next to ASCII letters. */
function wideEncoding(head: Uint8Array): readonly string[] | null {
  if (startsWith(head, 0, [0xff, 0xfe])) return ['utf-16le'];
  if (startsWith(head, 0, [0xfe, 0xff])) return ['utf-16be'];
  if (head.length < 4) return null;
  const start = head.subarray(0, 32);
  if (start.every((byte, i) => (byte === 0) === (i % 2 === 1))) return ['utf-16le'];
  return start.every((byte, i) => (byte === 0) === (i % 2 === 0)) ? ['utf-16be'] : null;
}

function startsWith(head: Uint8Array, offset: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[offset + i] === byte);
}

function hasText(head: Uint8Array, offset: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (head[offset + at] !== text.charCodeAt(at)) return false;
  return true;
}

function indexOfText(head: Uint8Array, text: string): number {
  for (let i = 0; i + text.length <= Math.min(head.length, 256); i++) if (hasText(head, i, text)) return i;
  return -1;
}
