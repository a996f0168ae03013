/** Words of a command line that can be copied into a shell. */

/** Letters a shell takes as they stand. A leading `~` or `-` would mean something else. */
const plainWord = /^[\p{L}\p{N}_./@:+,%][\p{L}\p{N}_./@:+,%=-]*$/u;

/** A text as one word of a command that can be copied into a shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An option with its value; a value that looks like an option is told from one. */
export function shellOption(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

/** A path as one word of a command; one that looks like an option is told from it. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}
