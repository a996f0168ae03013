/** Words of a command line that can be pasted into a shell. */

/** Letters that need no quoting. A leading `~` or `-` would mean something else. */
const plainWord = /^[\p{L}\p{N}_./@:+,%][\p{L}\p{N}_./@:+,%=-]*$/u;

/** A text as one word of a command that can be pasted into a shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An option with its value, even if the value looks like an option. */
export function shellOption(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

/** A path as one word of a command, even if it looks like an option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}
