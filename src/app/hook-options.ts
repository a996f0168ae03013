/** The commands that the options name for rows and for the end of a run. */

import { createHookCommand, type HookLine } from '../adapters/hook-process.ts';
import { commandWords } from '../core/text/command-words.ts';
import { UsageError } from '../errors.ts';
import type { HookCommand } from '../ports.ts';
import type { Options } from './options.ts';

/** Calls at once. */
const defaultJobs = 2;

const defaultTimeoutMs = 5 * 60_000;

/** The hooks of a run; null for those that the options do not name. */
export interface Hooks {
  readonly row: HookCommand | null;
  readonly end: HookCommand | null;
  /** Calls for rows at once. */
  readonly jobs: number;
}

/** Null where the options name none. Throws `UsageError` where a command line cannot be read. */
export function hooksOf(options: Options): Hooks | null {
  if (options['on-row'] === undefined && options['on-end'] === undefined) return null;
  const timeoutMs = options['hook-timeout'] ?? defaultTimeoutMs;
  const timeout = `${timeoutMs / 1_000} s (--hook-timeout)`;
  const commandOf = (name: 'on-row' | 'on-end'): HookCommand | null => {
    const line = options[name];
    if (line === undefined) return null;
    return createHookCommand({
      line: lineOf(name, line, options['hook-shell'] ?? false),
      timeoutMs,
      timeout,
    });
  };
  return { row: commandOf('on-row'), end: commandOf('on-end'), jobs: options['hook-jobs'] ?? defaultJobs };
}

function lineOf(name: string, line: string | readonly string[], isShell: boolean): HookLine {
  if (isShell) {
    if (typeof line === 'string') return { shell: line };
    throw new UsageError(`--hook-shell needs --${name} as one text, not as a list of words`);
  }
  const words = typeof line === 'string' ? commandWords(line) : line;
  if (words === null) throw new UsageError(`--${name}: a quote has no end; close it, or use --hook-shell`);
  if (!words[0]) throw new UsageError(`--${name} is empty; use a command such as ./upload.sh`);
  return { words };
}
