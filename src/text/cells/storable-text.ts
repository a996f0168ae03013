/** Pure. Texts that every store can keep: PostgreSQL keeps neither U+0000 nor half a surrogate pair. */

/** With U+FFFD in place of each of both. */
export function storable(text: string): string {
  return withoutNul(text.toWellFormed());
}

/** With U+FFFD in place of each U+0000. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}
