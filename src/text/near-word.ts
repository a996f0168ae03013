/** Guesses what a mistyped word was meant to be. */

/** `; did you mean --limit?`, or '' when no known word is close. */
export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const near = nearWord(word, known, prefix);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** The known word that is close; null for none. */
export function nearWord(word: string, known: readonly string[], prefix = ''): string | null {
  const [near] = known.map((name) => ({ name, far: editDistance(word, name) })).sort((a, b) => a.far - b.far);
  return near !== undefined && near.far <= Math.max(1, word.length / 3) ? `${prefix}${near.name}` : null;
}

/** Letters to add, drop or change to turn one word into the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  const known = b.split('');
  /** From the letters of `a` so far to each non-empty prefix of `b`. */
  let distances = known.map((_, at) => at + 1);
  for (const [read, letter] of a.split('').entries()) {
    let shorter = read;
    let before = read + 1;
    distances = known.map((other, at) => {
      const above = distances[at] as number;
      before = Math.min(shorter + (letter === other ? 0 : 1), above + 1, before + 1);
      shorter = above;
      return before;
    });
  }
  return distances.at(-1) ?? a.length;
}
