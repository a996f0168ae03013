/**
 * The files from which other programs follow a run: `--events` and `--metrics-file`. Whether they may be written is asked
 * before anything is saved, so that a refused command leaves the run as it was, and again when they are opened.
 */

import { BatchError, messageOf, UsageError } from '../../errors.ts';
import { isMetricsOf } from '../../reports/metrics-text.ts';
import type { Store } from '../../stores/port/store.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options } from '../options/options.ts';
import { readRunId } from '../run-id.ts';
import { type FoundFile, ownPath } from './own-files.ts';

/** Increases when a line of `--events` changes so that a program that reads the old ones would go wrong. */
export const eventsVersion = 1;

/** The beginning of every line. */
const eventsHead = `{"version":${eventsVersion},`;

/** Throws `UsageError` where one of the files may not be written. */
export async function refuseForeignFollowers(
  { settings }: Pick<Store, 'settings'>,
  invocation: Invocation,
  options: Options,
): Promise<void> {
  if (options.events !== undefined) await eventsPlace(options);
  const { 'metrics-file': metrics } = invocation.options;
  if (metrics !== undefined) await metricsPlace(metrics, await readRunId(settings));
}

/** Where the events go: an absolute path, or null for standard output. Throws `UsageError`. */
export async function eventsPlace({
  events: path = '-',
  json = false,
}: Pick<Options, 'events' | 'json'>): Promise<string | null> {
  if (path === '-' && json)
    throw new UsageError('--json and --events - both want standard output; give --events a file');
  if (path === '-') return null;
  // A line that was cut may be the first one.
  return place(path, '--events', 'give the path of a new file', ({ head }) => {
    return head.startsWith(eventsHead) || eventsHead.startsWith(head);
  });
}

/** The absolute path of the metrics. `id` is that of the run, null where it has none yet. Throws `UsageError`. */
export async function metricsPlace(path: string, id: string | null): Promise<string> {
  const advice = 'give the path of a new file, or of the metrics of this run';
  return place(path, '--metrics-file', advice, ({ head }) => id !== null && isMetricsOf(id, head));
}

async function place(
  path: string,
  option: string,
  advice: string,
  isOurs: (found: FoundFile) => boolean,
): Promise<string> {
  const shown = `${option} ${path}`;
  try {
    return await ownPath({ path, shown, advice }, isOurs);
  } catch (error) {
    throw error instanceof BatchError ? error : unwritable(shown, error);
  }
}

/** The error for a file that the system does not let the program write; `shown` is the option as it was typed. */
export function unwritable(shown: string, error: unknown): UsageError {
  return new UsageError(
    `${shown} cannot be written (${messageOf(error)}); give the path of a new file`,
    error,
  );
}
