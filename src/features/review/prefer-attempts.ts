/** Chooses which attempt's video stands for a row. No status changes, and no file. */

import { openBeside } from '../../app/open-beside.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { UsageError } from '../../errors.ts';
import { renderNames } from '../../messages/numbers.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { Item } from '../../money/item.ts';
import type { Preference } from './preference.ts';

export interface PreferredRows {
  readonly rows: number;
  /** True while a process works on the run, which writes the reports. */
  readonly isHeld: boolean;
  readonly invocation: Invocation;
}

/** Saves all of them. Throws `UsageError` where a row or its video is unknown; then nothing is saved. */
export async function preferAttempts(
  given: Invocation,
  preferences: readonly Preference[],
): Promise<PreferredRows> {
  await using run = await openBeside(given);
  await using seen = run.store === null ? await lookIntoRun(given) : null;
  const checkpoint = (run.store ?? seen?.store)?.checkpoint;
  const items = (await checkpoint?.itemsWithIds(preferences.map(({ id }) => id))) ?? [];
  const known = new Map(items.map((item) => [item.id, item]));
  const unknown = preferences.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  if (unknown.length > 0) throw new UsageError(`no row has the id ${renderNames(unknown)}`);
  const choices = new Map<number, number | null>();
  for (const { id, attempt } of preferences) {
    const item = known.get(id) as Item;
    if (attempt !== null) refuseWithoutVideo(item, attempt);
    choices.set(item.key, attempt);
  }
  await run.reviews.prefer(choices);
  return { rows: choices.size, isHeld: run.isHeld, invocation: run.invocation };
}

function refuseWithoutVideo(item: Item, attempt: number): void {
  const made = attemptVideos(item).map((video) => video.attempt);
  if (made.includes(attempt)) return;
  const has = made.length === 0 ? 'it has no video' : `it has ${renderAttempts(made)}`;
  throw new UsageError(`row ${item.id} has no video of attempt ${attempt}: ${has}`);
}

function renderAttempts(attempts: readonly number[]): string {
  return `${attempts.length === 1 ? 'that of attempt' : 'those of attempts'} ${attempts.join(', ')}`;
}
