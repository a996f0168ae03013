/** Opens a run to change what may be changed while another process works on it. */

import { HeldError, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { networkDisk } from '../outputs/network-disk.ts';
import type { OpenSettings } from '../stores/port/settings.ts';
import type { Store } from '../stores/port/store.ts';
import { readCrew } from './fleet/crew.ts';
import { openExistingRun } from './open-run.ts';
import type { Invocation } from './options/invocation.ts';
import { storeIn } from './stores.ts';

export interface BesideRun extends OpenSettings {
  /** Null where another process has the run. */
  readonly store: Store | null;
  /** True while processes work on the run. */
  readonly isHeld: boolean;
  /** With the outputs of the run where a store knows them. */
  readonly invocation: Invocation;
}

/** Throws `UsageError` where there is no run, or where it cannot be changed. */
export async function openBeside(given: Invocation): Promise<BesideRun> {
  try {
    const run = await openExistingRun(given, false);
    const { store, invocation } = run;
    const crew = await readCrew(store);
    const isHeld =
      crew?.workers.some(({ isHeard, name }) => isHeard && name !== store.sharing?.worker) ?? false;
    return {
      ...settingsOf(store),
      store,
      isHeld,
      invocation,
      [Symbol.asyncDispose]: () => run[Symbol.asyncDispose](),
    };
  } catch (error) {
    if (!(error instanceof HeldError)) throw error;
  }
  refuseNetworkDisk(given);
  const beside = await storeIn(given.out).openSettings();
  return {
    ...settingsOf(beside),
    store: null,
    isHeld: true,
    invocation: given,
    [Symbol.asyncDispose]: () => beside[Symbol.asyncDispose](),
  };
}

function settingsOf({ settings, reviews, inspections }: Store | OpenSettings) {
  return { settings, reviews, inspections };
}

/** Two machines that write one SQLite database on such a disk damage it. */
function refuseNetworkDisk({ out, outShown }: Invocation): void {
  const kind = networkDisk(out);
  if (kind !== null)
    throw new UsageError(message('store.network-folder', { folder: outShown, system: kind }));
}

/** The marks of a run, for a review that goes on while processes work on the run, begin and end. Holds nothing. */
export async function openToReview(invocation: Invocation): Promise<OpenSettings> {
  const { shared, out } = invocation;
  if (shared !== null) {
    const { store, ...run } = await openExistingRun(invocation, false);
    return {
      ...settingsOf(store),
      [Symbol.asyncDispose]: () => run[Symbol.asyncDispose](),
    };
  }
  refuseNetworkDisk(invocation);
  return storeIn(out).openSettings();
}
