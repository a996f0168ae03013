/**
 * The file from which other programs follow a run: `--events`. Whether it may be written is asked before anything is saved,
 * so that a refused command leaves the run as it was, and again when it is opened.
 */

import { BatchError, saidOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Options } from '../options/options.ts';
import { ownPath } from './own-files.ts';

const newFile = { en: 'give the path of a new file', zh: '请给出新文件的路径' } as const;

/** Increases when a line of `--events` changes so that a program that reads the old ones would go wrong. */
export const eventsVersion = 1;

/** The beginning of every line. */
const eventsHead = `{"version":${eventsVersion},`;

/** Where the events go: an absolute path, or null for standard output. Throws `UsageError`. */
export async function eventsPlace({
  events: path = '-',
  json = false,
}: Pick<Options, 'events' | 'json'>): Promise<string | null> {
  if (path === '-' && json) throw new UsageError(message('refused.json-and-events'));
  if (path === '-') return null;
  const shown = `--events ${path}`;
  try {
    // A line that was cut may be the first one.
    return await ownPath({ path, shown, advice: newFile }, ({ head }) => {
      return head.startsWith(eventsHead) || eventsHead.startsWith(head);
    });
  } catch (error) {
    throw error instanceof BatchError ? error : unwritable(shown, error);
  }
}

/** The error for a file that the system does not let the program write; `shown` is the option as it was typed. */
export function unwritable(shown: string, error: unknown): UsageError {
  return new UsageError(message('refused.unwritable', { path: shown, failure: saidOf(error) }), error);
}
