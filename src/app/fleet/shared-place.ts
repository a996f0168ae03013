/** Opens a run in a store that machines share, and finds its outputs. */

import { DiskError, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { createStoredImages, storeImages } from '../../outputs/pictures/image-store.ts';
import type { ReportFacts } from '../../reports/write-report.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { Store, StorePlace } from '../../stores/port/store.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import type { Invocation, SharedPlace } from '../options/invocation.ts';
import { noRun, readSetting } from '../output-folder.ts';
import { type OutputsPlace, openDestination, openOutputs } from '../outputs.ts';
import { findStoredPictures } from '../pictures/picture-links.ts';
import { refuseMoved } from '../place/move-mark.ts';
import type { OpenRun, OpenTree, ReportedRun, SeenRun, StoreImages } from '../run-handles.ts';
import { holdScratch, scratchBase } from '../scratch.ts';
import { postgresPlace } from '../stores.ts';
import { systemClock } from '../system-clock.ts';
import { checkMark, hasOwnMark, writeMark } from './run-mark.ts';

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

/** Opens the run for work, creating it if needed. */
export async function openSharedRun(given: Invocation): Promise<OpenRun> {
  const shared = placeOf(given);
  const place = await placeIn(given, true);
  if (!given.isOutGiven && !(await place.exists())) throw new UsageError(message('store.no-place'));
  const store = await place.open();
  try {
    await refuseMoved(store, shared.run);
    return opened(store, given, await nameOutputs(store, given, shared));
  } catch (error) {
    await (store.isNew ? store.abandon() : store[Symbol.asyncDispose]());
    throw error;
  }
}

/** Opens an earlier run for work. `pays` where rows may be paid for, now or by others. */
export async function openExistingSharedRun(given: Invocation, pays: boolean): Promise<OpenRun> {
  const place = await placeIn(given, pays);
  if (!(await place.exists())) throw noRun(given);
  const store = await place.open();
  try {
    await refuseMoved(store, placeOf(given).run);
    return opened(store, given, await knownOutputs(store.settings, given, placeOf(given)));
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the run that moves into this store; there may be none yet. */
export async function openMovingRun(given: Invocation): Promise<Store> {
  return (await placeIn(given, true)).open();
}

/** Opens the run read-only; null where there is none. */
export async function lookAtSharedRun(given: Invocation): Promise<SeenRun | null> {
  const place = await placeIn(given, false);
  const store = await place.look();
  if (store === null) return null;
  try {
    const saved = await readSetting<SavedOutputs>(store.settings, outputsSetting);
    const run = opened(store, given, saved ?? { out: given.out, endpoint: null });
    return { ...run, isHeld: await place.isHeld(), holder: null };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the files of the run, with a scratch folder of its own for what is written. */
export async function openSharedTree(run: OpenRun): Promise<OpenTree> {
  const scratch = holdScratch(scratchBase(run.invocation, run.store));
  try {
    const carries = await markOf(run.store);
    const outputs = await openOutputs({ ...outputsPlace(run.invocation, scratch.folder), carries });
    return {
      tree: outputs.tree,
      async [Symbol.asyncDispose]() {
        outputs[Symbol.dispose]();
        scratch[Symbol.dispose]();
      },
    };
  } catch (error) {
    scratch[Symbol.dispose]();
    throw error;
  }
}

/** Where the page of a shared run finds the pictures of the input, which are stored among the outputs. */
export function sharedPictures(
  { store, invocation }: ReportedRun,
  linkOf: (path: string) => Promise<string> = async (path) => path,
): Required<Pick<ReportFacts, 'findPictures' | 'readPicture'>> {
  return {
    findPictures: findStoredPictures(digestsIn(store), linkOf),
    async readPicture(sha256) {
      const destination = await openDestination(outputsPlace(invocation, scratchBase(invocation, store)));
      try {
        return await createStoredImages(destination, digestsIn(store)).readKept(sha256);
      } finally {
        destination.close();
      }
    },
  };
}

/** The digests of local pictures by their paths, as the store knows them. */
export function digestsIn({ sharing }: Store): Parameters<typeof createStoredImages>[1] {
  return async (paths) => (await sharing?.pictureDigests(paths)) ?? new Map();
}

/** Stores the local pictures of a file among the outputs. */
export function imageStore({ store, invocation }: Pick<OpenRun, 'store' | 'invocation'>): StoreImages {
  return async (paths) => {
    if (paths.size === 0) return;
    using scratch = holdScratch(scratchBase(invocation, store));
    const destination = await openDestination(outputsPlace(invocation, scratch.folder));
    try {
      const mark = await markOf(store);
      if (mark !== null) await checkMark(destination, mark);
      await storeImages(destination, paths);
    } finally {
      destination.close();
    }
  };
}

/** The mark that the outputs must carry; null for none yet. */
async function markOf({ settings, sharing }: Pick<Store, 'settings' | 'sharing'>): Promise<string | null> {
  const saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  return saved?.mark === 'set' ? (sharing?.runId ?? null) : null;
}

/**
 * Puts the mark of the run into its outputs, once. `makes` for the command that makes the run: nobody else may. Throws
 * `DiskError`, and `UsageError` where another run has the place. Returns the mark.
 */
export async function markOutputs(
  { store, invocation }: Pick<OpenRun, 'store' | 'invocation'>,
  makes: boolean,
): Promise<string> {
  const { settings, sharing } = store;
  if (sharing === null) throw new Error('this run is in a folder');
  const { runId } = sharing;
  const text = await settings.get(outputsSetting);
  const saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  if (saved === null || saved.mark === 'set') return runId;
  if (!makes) throw new DiskError(message('output.unmarked', { name: saved.out }));
  using scratch = holdScratch(scratchBase(invocation, store));
  const destination = await openDestination(outputsPlace(invocation, scratch.folder));
  try {
    await writeMark(destination, runId, scratch.folder);
  } finally {
    destination.close();
  }
  const marked: SavedOutputs = { ...saved, mark: 'set' };
  await settings.replace({ [outputsSetting]: text }, { [outputsSetting]: JSON.stringify(marked) });
  return runId;
}

/** The outputs of an opened run, for a worker with this scratch folder. */
export function outputsPlace(
  { out, shared }: Pick<Invocation, 'out' | 'shared'>,
  scratch: string,
): OutputsPlace {
  return { out, endpoint: shared?.endpoint ?? null, scratch };
}

function placeOf({ shared }: Invocation): SharedPlace {
  if (shared === null) throw new Error('this run is in a folder');
  return shared;
}

function placeIn(given: Invocation, mustBeDurable: boolean): Promise<StorePlace> {
  const { url, run, patience, begunAt } = placeOf(given);
  return postgresPlace({
    url,
    run,
    mustBeDurable,
    begunAt,
    env: given.env,
    patience: () => patience.ms,
    onAway: (failure) => patience.onAway(failure),
  });
}

/** Gives a new run the outputs that were named, or finds those that it has: of two commands that make it, the first decides. */
async function nameOutputs(store: Store, given: Invocation, shared: SharedPlace): Promise<SavedOutputs> {
  const { settings, sharing } = store;
  if ((await settings.get(outputsSetting)) !== null) return knownOutputs(settings, given, shared);
  const named = namedOutputs(given, shared);
  // Before the run has this place for good: where another run has it, the user chooses another one.
  const destination = await openDestination(outputsPlace(given, scratchBase(given, store)));
  try {
    await hasOwnMark(destination, sharing?.runId ?? '');
  } finally {
    destination.close();
  }
  const due: SavedOutputs = { ...named, mark: 'due' };
  const isFirst = await settings.replace(
    { [outputsSetting]: null },
    { [outputsSetting]: JSON.stringify(due) },
  );
  return isFirst ? due : knownOutputs(settings, given, shared);
}

/** How often (ms), and how many times, a run is looked at that another command is making at this moment. */
const [makingMs, makingLooks] = [200, 25] as const;

/** The outputs that the run has. Only the command that makes a run names them: another one would send the videos elsewhere. */
async function knownOutputs(
  settings: Settings,
  given: Invocation,
  shared: SharedPlace,
): Promise<SavedOutputs> {
  let saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  for (let looks = 0; saved === null && looks < makingLooks; looks += 1) {
    await systemClock.wait(makingMs);
    saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  }
  if (saved === null) throw new UsageError(message('store.place-due', { run: shared.run }));
  const named = namedOutputs(given, shared);
  if (given.isOutGiven && named.out !== saved.out)
    throw new UsageError(message('store.other-place', { run: shared.run, place: saved.out }));
  return { ...saved, endpoint: named.endpoint ?? saved.endpoint };
}

function namedOutputs(
  { out }: Invocation,
  { endpoint }: SharedPlace,
): Pick<SavedOutputs, 'out' | 'endpoint'> {
  return { out, endpoint: isBucketAddress(out) ? endpoint : null };
}

function opened(
  store: Store,
  given: Invocation,
  { out, endpoint }: Pick<SavedOutputs, 'out' | 'endpoint'>,
): OpenRun {
  const shared = { ...placeOf(given), endpoint };
  return {
    store,
    invocation: { ...given, out, outShown: out, shared },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
