/**
 * A round of a shared run: what `run`, `resume` and `retry` begin, and its limits count from. Its terms are saved, so that
 * every worker keeps to them. A run in a folder has no rounds: its one process knows its own terms.
 */

import { systemClock } from '../adapters/system-clock.ts';
import type { Store } from '../store.ts';
import type { Options } from './options.ts';
import { readSetting } from './output-folder.ts';

const settingName = 'round';

/** The options that hold for one round. */
type RoundTerms = Pick<Options, 'limit' | 'only'>;

/** Begins a round with these options; null keeps the terms of the last one. */
export async function beginRound({ settings, sharing }: Store, options: Options | null): Promise<void> {
  if (sharing === null) return;
  if (options !== null) {
    const { limit, only } = options;
    await settings.save(settingName, JSON.stringify({ limit, only } satisfies RoundTerms));
  }
  await sharing.beginRound(systemClock.now());
}

/** The options of the current round. */
export async function readRound({ settings }: Pick<Store, 'settings'>): Promise<RoundTerms> {
  return (await readSetting<RoundTerms>(settings, settingName)) ?? {};
}
