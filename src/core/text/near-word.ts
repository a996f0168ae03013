/** Guesses what a mistyped word was meant to be. */

/** `; did you mean --limit?`, or '' when no known word is near. */
export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const [near] = known.map((name) => ({ name, far: editDistance(word, name) })).sort((a, b) => a.far - b.far);
  return near !== undefined && near.far <= Math.max(1, word.length / 3)
    ? `; did you mean ${prefix}${near.name}?`
    : '';
}

/** Letters to add, drop or change to make one word the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
