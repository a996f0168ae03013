/** Pure. Which files were dropped on a `.cmd`, from what Windows and the `.cmd` say of that. */

/** The variables that the `.cmd` sets. */
export interface DropFacts {
  /** Name of the `.cmd`. */
  readonly name: string;
  /**
   * The whole line of `cmd.exe`, which Explorer starts. Only there a path is whole: it quotes none without a blank, so an `&` in
   * one ends the words that the `.cmd` is given.
   */
  readonly commandLine: string;
  /** The first words that the `.cmd` was given; '' for none. */
  readonly words: readonly string[];
}

/** Paths in their order; empty when the `.cmd` was started alone. */
export function droppedFiles({ name, commandLine, words }: DropFacts): readonly string[] {
  const at = name === '' ? -1 : commandLine.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return words.filter((word) => word !== '');
  // After the name its own quote, and at the end the quote around all that follows `/c`.
  const rest = commandLine
    .slice(at + name.length)
    .replace(/^"/, '')
    .trim();
  const paths = oneQuoteTooMany(rest) ? rest.slice(0, -1) : rest;
  return [...paths.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([word, quoted]) => quoted ?? word)
    .filter((word) => word !== '');
}

function oneQuoteTooMany(text: string): boolean {
  return text.endsWith('"') && text.split('"').length % 2 === 0;
}
