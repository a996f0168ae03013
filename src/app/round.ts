/**
 * A round of a shared run: what `run`, `resume` and `retry` begin, and its limits count from. Its terms are saved, so that
 * every worker keeps to them. A run in a folder has no rounds: its one process knows its own terms.
 */

import { systemClock } from '../adapters/system-clock.ts';
import { shellOption } from '../core/text/shell-word.ts';
import type { Store } from '../store.ts';
import type { Options, RawOptions } from './options.ts';
import { readSavedOptions, readSetting, type SavedSettings } from './output-folder.ts';

/** The setting with the terms of the round. */
export const roundSetting = 'round';

/** The options that hold for one round. */
export type RoundTerms = Pick<Options, 'limit' | 'only'>;

/** Begins a round with these options; null keeps the terms of the last one. */
export async function beginRound({ settings, sharing }: Store, options: Options | null): Promise<void> {
  if (sharing === null) return;
  if (options !== null) {
    const { limit, only } = options;
    await settings.save(roundSetting, JSON.stringify({ limit, only } satisfies RoundTerms));
  }
  await sharing.beginRound(systemClock.now());
}

/** The options of the current round. */
export async function readRound({ settings }: SavedSettings): Promise<RoundTerms> {
  return (await readSetting<RoundTerms>(settings, roundSetting)) ?? {};
}

/** The options that hold for all workers: those saved with the run, and those of the round. */
export interface RoundOptions {
  readonly saved: RawOptions;
  readonly round: RoundTerms;
}

export async function readTerms(store: Pick<Store, 'settings'>): Promise<RoundOptions> {
  return { saved: await readSavedOptions(store), round: await readRound(store) };
}

/** Which options a new round changes, for people. */
export function describeTerms(before: RoundOptions, after: RoundOptions): string {
  const changed = describeChanges({ ...before.saved, ...before.round }, { ...after.saved, ...after.round });
  return changed === '' ? 'with the same options' : `for all workers with ${changed}`;
}

/** The options that differ, as they are now. */
export function describeChanges(was: RawOptions, is: RawOptions): string {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const changed = [...names].filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  return changed.map((name) => describeOption(name, is[name])).join(', ');
}

/** Ids of a list longer than this are counted. */
const namedIds = 3;

function describeOption(name: string, value: unknown): string {
  if (value === undefined) return `no --${name}`;
  if (value === true) return `--${name}`;
  if (Array.isArray(value) && value.length > namedIds) return `--${name} (${value.length} rows)`;
  return shellOption(name, String(value));
}
