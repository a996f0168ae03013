/** Where two texts differ. */

/** A text in three pieces: what comes before and after the difference is the same in both texts. */
export interface Difference {
  readonly before: string;
  /** '' where the other text only has more. */
  readonly own: string;
  readonly after: string;
}

/** Words, white space, and letters of writings without spaces between words. */
const token = /\p{Script=Han}|\s+|[^\s\p{Script=Han}]+/gu;

/** Both texts, each with what it has alone; null where they are the same. */
export function differenceOf(one: string, other: string): readonly [Difference, Difference] | null {
  if (one === other) return null;
  const [ones, others] = [one.match(token) ?? [], other.match(token) ?? []];
  const shorter = Math.min(ones.length, others.length);
  let start = 0;
  while (start < shorter && ones[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && ones.at(-1 - end) === others.at(-1 - end)) end += 1;
  const cut = (tokens: readonly string[]): Difference => ({
    before: tokens.slice(0, start).join(''),
    own: tokens.slice(start, tokens.length - end).join(''),
    after: tokens.slice(tokens.length - end).join(''),
  });
  return [cut(ones), cut(others)];
}
