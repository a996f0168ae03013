/** Pure. Bytes as text, only where they are valid. */

/** The text; null for bytes that are not valid in this encoding. */
export function decodeStrictly(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
