/** Chooses which attempt's video stands for a row. No status changes, and no file. */

import { dirname } from 'node:path';
import { lookIntoRun } from '../../app/open-run.ts';
import { openToChange } from '../../app/open-to-change.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { ReturnedTable } from '../../app/returned-table.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { Item } from '../../money/item.ts';
import type { Preference } from '../../money/review/preference.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath } from '../../text/shell-word.ts';

export interface PreferredRows {
  readonly rows: number;
  /** True while a process works on the run, which writes the reports. */
  readonly isInUse: boolean;
  readonly invocation: Invocation;
}

/** The table that preferences are from. */
interface PreferenceTable {
  readonly file: string;
  /** Hears what a spreadsheet made of its ids. */
  say(note: Message): void;
}

/** Saves all of them. Throws `UsageError` where a row or its video is unknown; then nothing is saved. */
export async function preferAttempts(
  given: Invocation,
  read: readonly Preference[],
  table: PreferenceTable | null = null,
): Promise<PreferredRows> {
  await using run = await openToChange(given);
  await using seen = run.store === null ? await lookIntoRun(given) : null;
  const store = run.store ?? seen?.store;
  if (store === undefined) throw new Error('neither the run nor a view of it is open');
  const { checkpoint } = store;
  const preferences = table === null ? read : await knowPreferences(read, table, store, given.out);
  const items = await checkpoint.itemsWithIds(preferences.map(({ id }) => id));
  const known = new Map(items.map((item) => [item.id, item]));
  const unknown = preferences.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  if (unknown.length > 0) throw new UsageError(message('prefer.no-row', { ids: renderNames(unknown) }));
  const choices = new Map<number, number | null>();
  for (const { id, attempt } of preferences) {
    const item = known.get(id) as Item;
    if (attempt !== null) refuseWithoutVideo(item, attempt);
    choices.set(item.key, attempt);
  }
  await run.reviews.prefer(choices);
  return { rows: choices.size, isInUse: run.isInUse, invocation: run.invocation };
}

async function knowPreferences(
  read: readonly Preference[],
  { file, say }: PreferenceTable,
  store: Store,
  out: string,
): Promise<readonly Preference[]> {
  const table = new ReturnedTable(store, out, {
    shown: `--from ${file}`,
    folder: dirname(file),
    commandIn: (folder) => `batch prefer ${shellPath(folder)} --from ${shellPath(file)}`,
    repeats: true,
  });
  const lines = read.map((one) => ({ ...one, key: one.key ?? null, line: one.line ?? 0, question: '' }));
  const known = await table.knownLines(lines, { say });
  return read.map((one, at) => ({ ...one, id: known[at]?.id ?? one.id }));
}

function refuseWithoutVideo(item: Item, attempt: number): void {
  const made = attemptVideos(item).map((video) => video.attempt);
  if (made.includes(attempt)) return;
  const values = { id: item.id, attempt };
  const [first, second] = made;
  if (first === undefined) throw new UsageError(message('prefer.no-video', values));
  throw new UsageError(
    second === undefined
      ? message('prefer.one-video', { ...values, made: first })
      : message('prefer.other-videos', { ...values, attempts: made.join(', ') }),
  );
}
