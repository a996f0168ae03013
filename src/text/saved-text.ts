/** Decodes the text of a small file in whatever encoding an editor or a spreadsheet saved it. */

const marks = [
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
  { label: 'gb18030', bytes: [0x84, 0x31, 0x95, 0x33] },
] as const;

const utf8Mark = [0xef, 0xbb, 0xbf] as const;

/**
 * Decodes by the byte order mark, which is left out; without one, a NUL next to the first letter (ASCII in such files) means
 * UTF-16. Otherwise UTF-8 where valid, else GB18030, as used in China.
 */
export function decodeSavedText(bytes: Uint8Array): string {
  const marked = marks.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return new TextDecoder(marked.label).decode(bytes.subarray(marked.bytes.length));
  if (bytes[0] === 0 && bytes.length > 1) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[1] === 0) return new TextDecoder('utf-16le').decode(bytes);
  // Never another encoding: a damaged byte is seen, and does not change all other text.
  if (utf8Mark.every((byte, at) => bytes[at] === byte)) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
