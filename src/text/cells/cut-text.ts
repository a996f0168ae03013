/** Pure. Texts of bearable length, for messages. */

/** At most so many letters, and an ellipsis where more were there; never half of a surrogate pair. */
export function cutText(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters).toWellFormed()}…` : text;
}

/** The same on one line. */
export function cutLine(text: string, letters: number): string {
  return cutText(text.trim().replace(/\s+/gu, ' '), letters);
}
