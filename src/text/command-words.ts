/** Splits a command line into its words, as a shell does but without anything else that a shell does. */

/**
 * The words; null where a quote has no end. Quotes keep what is between them; a backslash keeps a following quote,
 * backslash or space, and stands for itself before anything else, as in paths of Windows.
 */
export function commandWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    const next = line.charAt(at + 1);
    if (letter === '\\' && quote !== "'" && next !== '' && isKept(next, quote)) {
      word = (word ?? '') + next;
      at += 1;
    } else if (letter === quote) quote = null;
    else if (quote === null && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= '';
    } else if (quote === null && isSpace(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

function isKept(letter: string, quote: string | null): boolean {
  return letter === '"' || letter === '\\' || (quote === null && (letter === "'" || isSpace(letter)));
}

function isSpace(letter: string): boolean {
  return /\s/.test(letter);
}
