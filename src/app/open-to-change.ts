/** Opens a run to change what may be changed while another process works on it. */

import { HeldError } from '../errors.ts';
import type { OpenSettings } from '../stores/port/settings.ts';
import type { Store } from '../stores/port/store.ts';
import { readCrew } from './fleet/crew.ts';
import { openExistingRun, placeOf } from './open-run.ts';
import type { Invocation } from './options/invocation.ts';

export interface ChangeableRun extends OpenSettings {
  /** Null where another process has the run. */
  readonly store: Store | null;
  /** True while processes work on the run. */
  readonly isInUse: boolean;
  /** With the outputs of the run where a store knows them. */
  readonly invocation: Invocation;
}

/** Throws `UsageError` where there is no run, or where it cannot be changed. */
export async function openToChange(given: Invocation): Promise<ChangeableRun> {
  try {
    const { store, invocation } = await openExistingRun(given, false);
    const { settings, reviews, inspections } = store;
    const crew = await readCrew(store);
    const isInUse = crew?.workers.some(({ isAlive, name }) => isAlive && name !== crew.self) ?? false;
    const dispose = { [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    return { settings, reviews, inspections, store, isInUse, invocation, ...dispose };
  } catch (error) {
    if (!(error instanceof HeldError)) throw error;
  }
  const opened = await (await placeOf(given)).openSettings(given);
  return { ...opened, store: null, isInUse: true, invocation: given };
}
