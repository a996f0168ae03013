/** Pure. Bytes of the wire, and the same as letters. */

export const nothing = new Uint8Array(0);

/** One character per byte, so that offsets in the text are offsets in the bytes. */
export function lettersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Copies only where more than one part has bytes. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const [first = nothing, ...more] = parts.filter(({ length }) => length > 0);
  return more.length === 0 ? first : Buffer.concat([first, ...more]);
}
