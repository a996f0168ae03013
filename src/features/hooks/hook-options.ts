/** The commands that the options name for rows and for the end of a run. */

import type { Options } from '../../app/options/options.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { HookCommand } from '../../ports.ts';
import { commandWords } from '../../text/command-words.ts';
import { createHookCommand, type HookLine, isProgram } from './hook-process.ts';

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

/** Null where the options name none. Throws `UsageError` where a command line cannot be read, or its program is not there. */
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
  if (!isProgram(words[0]))
    throw new UsageError(message('hooks.no-program', { option: name, program: words[0] }));
  return { words };
}
