/** The commands that the options name for rows and for the end of a run. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { HookCommand } from '../../ports.ts';
import { commandWords } from '../../text/command-words.ts';
import type { Options } from '../options/options.ts';
import { createHookCommand, isProgram } from './hook-process.ts';

/** The longest that a call may take. */
const timeoutMs = 5 * 60_000;

/** The hooks of a run; null for those that the options do not name. */
export interface Hooks {
  readonly row: HookCommand | null;
  readonly end: HookCommand | null;
}

/** Null where the options name none. Throws `UsageError` where a command line cannot be read, or its program is not there. */
export function hooksOf(options: Options): Hooks | null {
  if (options['on-row'] === undefined && options['on-end'] === undefined) return null;
  const commandOf = (name: 'on-row' | 'on-end'): HookCommand | null => {
    const line = options[name];
    return line === undefined ? null : createHookCommand({ words: wordsOf(name, line), timeoutMs });
  };
  return { row: commandOf('on-row'), end: commandOf('on-end') };
}

function wordsOf(name: string, line: string | readonly string[]): readonly string[] {
  const words = typeof line === 'string' ? commandWords(line) : line;
  if (words === null) throw new UsageError(message('refused.open-quote', { option: name }));
  if (!words[0]) throw new UsageError(message('refused.empty-command', { option: name }));
  if (!isProgram(words[0]))
    throw new UsageError(message('hooks.no-program', { option: name, program: words[0] }));
  return words;
}
