/** What a file is, told from its first bytes. Signatures: the formats' own specifications. */

/** Extension of an image in one of the formats that video services take, or null. Needs the first 32 bytes. */
export function imageExtension(head: Uint8Array): string | null {
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

/** Extension of a video, or null where the bytes are of no format that is known here. */
export function videoExtension(head: Uint8Array): string | null {
  if (hasText(head, 4, 'ftyp')) {
    if (imageExtension(head) !== null) return null;
    return hasText(head, 8, 'qt  ') ? 'mov' : 'mp4';
  }
  if (startsWith(head, 0, [0x1a, 0x45, 0xdf, 0xa3])) return indexOfText(head, 'webm') >= 0 ? 'webm' : 'mkv';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'AVI ')) return 'avi';
  if (hasText(head, 0, 'OggS')) return 'ogv';
  if (hasText(head, 0, 'FLV')) return 'flv';
  if (startsWith(head, 0, [0x00, 0x00, 0x01, 0xba])) return 'mpg';
  if (head[0] === 0x47 && head[188] === 0x47) return 'ts';
  return null;
}

/** First bytes of files that people take for tables or texts, and what to do with each. */
const nonTexts: readonly { readonly bytes: string; readonly at?: number; readonly advice: string }[] = [
  { bytes: 'PK\x03\x04', advice: 'a ZIP file or an Excel workbook; save the sheet as CSV (UTF-8)' },
  {
    bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    advice: 'an old Excel or Word file; save the sheet as CSV (UTF-8)',
  },
  { bytes: '%PDF-', advice: 'a PDF; copy the questions into a CSV file' },
  { bytes: 'SQLite format 3\0', advice: 'an SQLite database; export the questions as CSV' },
  ...['\x1f\x8b', 'BZh91AY&SY', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07'].map(
    (bytes) => ({ bytes, advice: 'a packed file; unpack it first' }),
  ),
  ...['\x89PNG\r\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].map((bytes) => ({
    bytes,
    advice: 'an image; name it in a CSV file, in a column images',
  })),
  { bytes: '\x1a\x45\xdf\xa3', advice: 'a video; name the file of the questions' },
  { bytes: 'ftyp', at: 4, advice: 'a video or an image; name the file of the questions' },
];

/** What a file of bytes is that was given for a text, and what to do; null for one that may be text. Needs the first 16 bytes. */
export function nonTextAdvice(head: Uint8Array): string | null {
  return nonTexts.find(({ bytes, at = 0 }) => hasText(head, at, bytes))?.advice ?? null;
}

/**
 * True for a page that stands where a file should be: HTML, XML or JSON, as servers send them with an error.
 * A file of a known format is never one, whatever its headers say.
 */
export function isErrorPage(head: Uint8Array, contentType: string | null): boolean {
  if (videoExtension(head) !== null || imageExtension(head) !== null) return false;
  if (
    /^\s*(text\/html|application\/xhtml|(text|application)\/(problem\+)?(xml|json))/i.test(contentType ?? '')
  )
    return true;
  const text = decodeText(head)?.trimStart();
  if (text === undefined || text === '') return false;
  return /^<(?!svg[\s>])[a-z!?]/i.test(text) || /^(\{\s*["}]|\[\s*["{[\]])/.test(text) || jsonWord.test(text);
}

/** A whole JSON document that is a word or a text; digits alone are no message of anybody. */
const jsonWord = /^(?:null|true|false|"[^"\n]*")\s*$/;

/** The head as text, or undefined when it is not text. A character cut at the end does not count against it. */
function decodeText(head: Uint8Array): string | undefined {
  if (head.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
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
