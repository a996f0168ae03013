/** Commands and options that earlier versions had: on a command line, in a job file, in a program and saved with a run. */

import { UsageError } from '../../errors.ts';
import type { Choices } from '../../messages/choices.ts';
import { message } from '../../messages/message.ts';

/** What remains, after "use", by what is gone. */
const ways: Readonly<Record<string, Choices>> = {
  'batch marks': {
    en: '`batch retry --marked` for marks saved with the run, or --only @FILE once for each exported table',
    zh: '`batch retry --marked`（随运行保存的标记），或对每个导出的表各用一次 --only @FILE',
  },
  'batch hooks': {
    en: '`batch collect --on-row CMD`, which makes the calls that `batch status` lists',
    zh: '`batch collect --on-row CMD`：它会补上 `batch status` 列出的调用',
  },
};

/** The names, such as `batch marks` and `--seed`. */
export const goneNames: readonly string[] = Object.keys(ways);

/** The error about one of them, as the user wrote it; null for any other word. */
export function goneError(name: string, written = name): UsageError | null {
  const choices = Object.hasOwn(ways, name) ? ways[name] : undefined;
  return choices === undefined ? null : new UsageError(message('usage.gone', { word: written, choices }));
}

/** Saved options without those that are gone: the run goes on. */
export function withoutGone(saved: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(saved).filter(([name]) => goneError(`--${name}`) === null));
}
