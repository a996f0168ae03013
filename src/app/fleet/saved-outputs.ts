/** Where the outputs of a run that machines share are, as saved with it: named once, marked once. */

import { DiskError, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { Store } from '../../stores/port/store.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import { type Invocation, sharedOf } from '../options/invocation.ts';
import { readSetting } from '../output-folder.ts';
import { openDestination, openReadOnly, outputsPlace } from '../outputs.ts';
import type { OpenRun } from '../run-handles.ts';
import { lockScratch, scratchBase, sharingOf } from '../scratch.ts';
import { hasRun } from '../stores.ts';
import { systemClock } from '../system-clock.ts';
import { hasOwnMark, writeMark } from './run-mark.ts';

/** The setting with the outputs of a run. */
export const outputsSetting = 'outputs';

/** Where the outputs of the run are, as saved with it. */
export interface SavedOutputs {
  /** Absolute path, or `s3://bucket/prefix`. */
  readonly out: string;
  readonly endpoint: string | null;
  /** `due` until the command that makes the run has put its mark there. */
  readonly mark: 'due' | 'set';
}

/** The mark that the outputs must carry; null for none yet. */
export async function markOf(store: Pick<Store, 'settings' | 'sharing'>): Promise<string | null> {
  const saved = await readSetting<SavedOutputs>(store.settings, outputsSetting);
  return saved?.mark === 'set' ? sharingOf(store).runId : null;
}

/**
 * Puts the mark of the run into its outputs, once. `makes` for the command that makes the run: nobody else may. Throws
 * `DiskError`, and `UsageError` where another run has the place. Returns the mark.
 */
export async function markOutputs(
  { store, invocation }: Pick<OpenRun, 'store' | 'invocation'>,
  makes: boolean,
): Promise<string> {
  const { settings } = store;
  const { runId } = sharingOf(store);
  const text = await settings.get(outputsSetting);
  const saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  if (saved === null || saved.mark === 'set') return runId;
  if (!makes) throw new DiskError(message('output.unmarked', { name: saved.out }));
  using scratch = lockScratch(scratchBase(invocation, store));
  const destination = await openDestination(outputsPlace(invocation, scratch.folder));
  try {
    await writeMark(destination, runId, sharedOf(invocation), scratch.folder);
  } finally {
    destination.close();
  }
  const marked: SavedOutputs = { ...saved, mark: 'set' };
  await settings.replace({ [outputsSetting]: text }, { [outputsSetting]: JSON.stringify(marked) });
  return runId;
}

/** Gives a new run the outputs that were named, or finds those that it has: of two commands that make it, the first decides. */
export async function nameOutputs(store: Store, given: Invocation): Promise<SavedOutputs> {
  const { settings } = store;
  if ((await settings.get(outputsSetting)) !== null) return knownOutputs(settings, given);
  const named = namedOutputs(given);
  // Its videos and reports would be replaced.
  if (!isBucketAddress(named.out) && (await hasRun(named.out)))
    throw new UsageError(message('folder.of-own-run', { folder: given.outShown }));
  // Before the run has this place for good: where another run has it, the user chooses another one.
  const destination = await openReadOnly({ store, invocation: given });
  try {
    await hasOwnMark(destination, sharingOf(store).runId);
  } finally {
    destination.close();
  }
  const due: SavedOutputs = { ...named, mark: 'due' };
  const isFirst = await settings.replace(
    { [outputsSetting]: null },
    { [outputsSetting]: JSON.stringify(due) },
  );
  return isFirst ? due : knownOutputs(settings, given);
}

/** How often (ms), and how many times, a run is looked at that another command is making at this moment. */
const [makingMs, makingLooks] = [200, 25] as const;

/** The outputs that the run has. Only the command that makes a run names them: another one would send the videos elsewhere. */
export async function knownOutputs(settings: Settings, given: Invocation): Promise<SavedOutputs> {
  const { run } = sharedOf(given);
  let saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  for (let looks = 0; saved === null && looks < makingLooks; looks += 1) {
    await systemClock.wait(makingMs);
    saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  }
  if (saved === null) throw new UsageError(message('store.place-due', { run }));
  const named = namedOutputs(given);
  if (given.isOutGiven && named.out !== saved.out)
    throw new UsageError(message('store.other-place', { run, place: saved.out }));
  return { ...saved, endpoint: named.endpoint ?? saved.endpoint };
}

function namedOutputs(given: Invocation): Pick<SavedOutputs, 'out' | 'endpoint'> {
  const { out } = given;
  return { out, endpoint: isBucketAddress(out) ? sharedOf(given).endpoint : null };
}
