/** Pure. Texts made of bytes that are no text, so that none is sent for what it is not. */

/**
 * Bytes that are no UTF-8 as Python writes them with `surrogateescape`: a letter for each, which no text has. Rows with such
 * texts are not sent.
 */
export function escapedBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
}

/** True for a text that has such letters. */
export function hasEscapedBytes(text: string): boolean {
  return !text.isWellFormed() && /[\udc80-\udcff]/u.test(text);
}
