/** Tunes, pauses, continues and stops a run, whether a process works on it or not. */

import { capDecisions, deciderOf, noteDecision } from '../../app/decisions.ts';
import { openToChange } from '../../app/open-to-change.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { parseOptions } from '../../app/options/job-file.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readSavedOptions, type SavedSettings } from '../../app/output-folder.ts';
import { type RoundTerms, readRound, roundSetting } from '../../app/rounds/round.ts';
import { readSteering } from '../../app/steering/steering-source.ts';
import { timeOf } from '../../app/system-clock.ts';
import { type Steering, type SteeringChange, steered } from '../../money/steering.ts';
import type { Decision } from '../../stores/port/decisions.ts';
import { steeringSetting } from '../../stores/port/settings.ts';
import type { Sharing } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';

/** What the user wants of the run. */
export interface SteeringWish extends Pick<SteeringChange, 'stop'> {
  /** Undefined leaves the pause as it is, null ends it; else its end (epoch ms) of the time now, null for none. */
  readonly pause?: ((now: number) => number | null) | null;
  /** Options that `batch tune` changes, as written. */
  readonly options: RawOptions;
}

/** What came of it. It is saved. */
export interface SteeredRun {
  /** True while processes work on the run: they go by it within two seconds, and claim nothing against it. */
  readonly isInUse: boolean;
  readonly before: Steering;
  readonly after: Steering;
  /** Epoch ms, as the run counts it. */
  readonly now: number;
  readonly invocation: Invocation;
}

/** Saves the wish with the run. Throws `UsageError` where there is no run, or where it cannot be changed. */
export async function steerRun(given: Invocation, wish: SteeringWish): Promise<SteeredRun> {
  await using opened = await openToChange(given);
  const { settings, store, isInUse, invocation } = opened;
  const sharing = store?.sharing ?? null;
  const now = await timeOf({ sharing });
  const names = [steeringSetting, 'options', roundSetting];
  const { options, pause, ...others } = wish;
  const isLimitNew = options.limit !== undefined;
  const change: SteeringChange = {
    ...others,
    ...(pause !== undefined && { pause: pause && { until: pause(now) } }),
    isLimitNew,
  };
  while (true) {
    const known: Record<string, string | null> = {};
    for (const name of names) known[name] = await settings.get(name);
    const seen: SavedSettings = { settings: { get: async (name) => known[name] ?? null } };
    const before = await readSteering(seen);
    const after = steered(before, change);
    const saved = await readSavedOptions(seen);
    const decisions = await tuneDecisions({ sharing }, invocation, saved, options);
    const next = {
      [steeringSetting]: JSON.stringify(after),
      options: JSON.stringify({ ...saved, ...options }),
      ...(isLimitNew && sharing !== null ? await roundWith(seen, sharing, options) : {}),
    };
    // Two people may steer at once, or a run may save its options: then all is read again.
    if (await settings.replace(known, next, decisions)) return { isInUse, before, after, now, invocation };
  }
}

/** A cap is told as every other command tells it. */
async function tuneDecisions(
  store: Pick<Store, 'sharing'>,
  invocation: Invocation,
  saved: RawOptions,
  options: RawOptions,
): Promise<readonly Decision[]> {
  const others = Object.keys(options).filter((name) => name !== 'max-points');
  const changes = others.map((name) => [name, { from: saved[name] ?? null, to: options[name] }]);
  const tuned =
    changes.length === 0
      ? []
      : [noteDecision(await deciderOf(store, invocation), 'tune', Object.fromEntries(changes))];
  return [...tuned, ...(await capDecisions(store, invocation, saved, { ...saved, ...options }))];
}

/** The limit of the round of a shared run counts all its rows, those before it was tuned included. */
async function roundWith(
  seen: SavedSettings,
  sharing: Sharing,
  options: RawOptions,
): Promise<Readonly<Record<string, string>>> {
  const { limit } = parseOptions({ limit: options.limit }, (name) => `--${name}`);
  const { submittedRows } = await sharing.look();
  const terms: RoundTerms = {
    ...(await readRound(seen)),
    limit: limit == null ? null : submittedRows + limit,
  };
  return { [roundSetting]: JSON.stringify(terms) };
}

/** When a clock on the wall shows `HH:MM` next (epoch ms); null where the text is no such time. */
export function nextTimeOfDay(text: string, now: number): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59 || hours === undefined) return null;
  const at = new Date(now);
  at.setHours(Number(hours), Number(minutes), 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
}
