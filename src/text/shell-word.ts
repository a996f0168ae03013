/** Words of a command line that can be pasted into a shell: one of Unix, or of Windows, where PowerShell comes first and cmd should understand it too. */

/** How a system's shells read a word. */
interface Shell {
  /** Letters that need no quoting. A leading `~` or `-` would mean something else. */
  readonly plain: RegExp;
  quote(text: string): string;
  path(text: string): string;
  set(name: string, value: string): string;
}

const unix: Shell = {
  plain: /^[\p{L}\p{N}_./@:+,%][\p{L}\p{N}_./@:+,%=-]*$/u,
  quote: (text) => `'${text.replaceAll("'", "'\\''")}'`,
  path: (text) => text,
  set: (name, value) => `${name}=${value} `,
};

const windows: Shell = {
  // PowerShell makes a list of `a,b` and looks for a variable at `@a`; cmd looks for one at `%a%`.
  plain: /^[\p{L}\p{N}_./:+][\p{L}\p{N}_./:+=-]*$/u,
  // cmd knows no single quotes. `\""` is what both it and the PowerShell of Windows pass on as a quote.
  quote: (text) => `"${text.replace(/[$`]/g, '`$&').replaceAll('"', '\\""')}"`,
  // The program reads both slashes, and no shell takes one before a quote for its escape.
  path: (text) => text.replaceAll('\\', '/').replace(/(.)\/{2,}/gs, '$1/'),
  set: (name, value) => `$env:${name}=${windows.quote(value)}; `,
};

let shell = unix;

/** From now on words are for the shells of this system, by its name in Node. A program or page has one. */
export function writeForSystem(platform: string): void {
  shell = platform === 'win32' ? windows : unix;
}

/** A text as one word of a command that can be pasted into a shell. */
export function shellWord(text: string): string {
  return shell.plain.test(text) ? text : shell.quote(text);
}

/** An option with its value, even if the value looks like an option. */
export function shellOption(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

/** A path as one word of a command, even if it looks like an option. */
export function shellPath(path: string): string {
  const shown = shell.path(path);
  return shellWord(shown.startsWith('-') ? `./${shown}` : shown);
}

/** A command with variables of its environment, whose values are plain words. */
export function shellCommand(variables: Readonly<Record<string, string>>, command: string): string {
  const set = Object.entries(variables).map(([name, value]) => shell.set(name, value));
  return `${set.join('')}${command}`;
}
