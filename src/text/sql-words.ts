/** Words of the program's own as an SQL list, without parentheses. No text of a user: nothing in them is escaped. */
export function sqlWords(words: Iterable<string>): string {
  return [...words].map((word) => `'${word}'`).join(', ');
}
