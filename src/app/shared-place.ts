/** Opens a run in a store that machines share, and finds its outputs. */

import { createStoredImages, storeImages } from '../adapters/image-store.ts';
import type { ShownFile } from '../adapters/view-server/answer-file.ts';
import { DiskError, UsageError } from '../errors.ts';
import type { Destination } from '../ports.ts';
import type { ReportFacts } from '../report/write-report.ts';
import type { Settings, Store, StorePlace } from '../store.ts';
import { isBucketAddress } from './bucket-address.ts';
import type { FileImport } from './import-file.ts';
import { openShownFile, type ShownOutputs } from './live-page.ts';
import { refuseMoved } from './move-mark.ts';
import type { OpenRun, OpenTree, SeenRun } from './open-run.ts';
import { readSetting } from './output-folder.ts';
import { type OutputsPlace, openDestination, openOutputs } from './outputs.ts';
import { findStoredPictures } from './picture-links.ts';
import type { ReportedRun } from './report-facts.ts';
import { holdScratch, scratchBase } from './scratch.ts';
import type { Invocation, SharedPlace } from './settings.ts';
import { postgresPlace } from './stores.ts';

/** The setting with the outputs of a run. */
export const outputsSetting = 'outputs';

/** Where the outputs of the run are, as saved with it. */
export interface SavedOutputs {
  /** Absolute path, or `s3://bucket/prefix`. */
  readonly out: string;
  readonly endpoint: string | null;
}

/** Opens the run for work, creating it if needed. */
export async function openSharedRun(given: Invocation): Promise<OpenRun> {
  const shared = placeOf(given);
  const place = await placeIn(given, true);
  if (!given.isOutGiven && !(await place.exists()))
    throw new UsageError(
      `a new run needs a place for its videos: a folder that all machines see, or s3://BUCKET/PREFIX, with --out`,
    );
  const store = await place.open();
  try {
    await refuseMoved(store, shared.run);
    const outputs = await outputsOf(store.settings, given, shared);
    return opened(store, given, outputs);
  } catch (error) {
    await (store.isNew ? store.abandon() : store[Symbol.asyncDispose]());
    throw error;
  }
}

/** Opens an earlier run for work. `pays` where rows may be paid for, now or by others. */
export async function openExistingSharedRun(given: Invocation, pays: boolean): Promise<OpenRun> {
  const place = await placeIn(given, pays);
  if (!(await place.exists())) throw noRun(placeOf(given));
  const store = await place.open();
  try {
    await refuseMoved(store, placeOf(given).run);
    return opened(store, given, await outputsOf(store.settings, given, placeOf(given)));
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the run that moves, into this store or out of it; `isNew` where there may be none yet. */
export async function openMovingRun(given: Invocation, isNew: boolean): Promise<Store> {
  const place = await placeIn(given, isNew);
  if (!isNew && !(await place.exists())) throw noRun(placeOf(given));
  return place.open();
}

/** Opens the run read-only; null where there is none. */
export async function lookAtSharedRun(given: Invocation): Promise<SeenRun | null> {
  const place = await placeIn(given, false);
  const store = await place.look();
  if (store === null) return null;
  try {
    const saved = await readSetting<SavedOutputs>(store.settings, outputsSetting);
    const run = opened(store, given, saved ?? { out: given.out, endpoint: null });
    return { ...run, isHeld: await place.isHeld() };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same. Throws `UsageError` where there is none. */
export async function lookIntoSharedRun(given: Invocation): Promise<SeenRun> {
  const seen = await lookAtSharedRun(given);
  if (seen === null) throw noRun(placeOf(given));
  return seen;
}

/** Opens the files of the run, with a scratch folder of its own for what is written. */
export async function openSharedTree(run: OpenRun): Promise<OpenTree> {
  const scratch = holdScratch(scratchBase(run.invocation));
  try {
    const outputs = await openOutputs(outputsPlace(run.invocation, scratch.folder));
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

/** Opens the outputs of the run for a page that only shows them. */
export async function openSharedOutputs({ store, invocation }: OpenRun): Promise<ShownOutputs> {
  // Nothing is written, so no scratch folder is held.
  const destination = await openDestination(outputsPlace(invocation, scratchBase(invocation)));
  return {
    images: createStoredImages(destination, digestsIn(store)),
    openFile: async (path) => {
      if (!isBucketAddress(invocation.out)) return openShownFile(invocation.out, path);
      const found = await destination.stat(path);
      return found === null ? null : fileOf(destination, path, found);
    },
    [Symbol.asyncDispose]: async () => destination.close(),
  };
}

/** Where the page of a shared run finds the pictures of the input, which are stored among the outputs. */
export function sharedPictures(
  { store, invocation }: ReportedRun,
  linkOf: (path: string) => Promise<string> = async (path) => path,
): Required<Pick<ReportFacts, 'findPictures' | 'readPicture'>> {
  return {
    findPictures: findStoredPictures(digestsIn(store), linkOf),
    async readPicture(sha256) {
      const destination = await openDestination(outputsPlace(invocation, scratchBase(invocation)));
      try {
        return await createStoredImages(destination, digestsIn(store)).readKept(sha256);
      } finally {
        destination.close();
      }
    },
  };
}

function digestsIn({ sharing }: Store): Parameters<typeof createStoredImages>[1] {
  return async (paths) => (await sharing?.pictureDigests(paths)) ?? new Map();
}

/** A file that is read from the outputs part by part. */
function fileOf(
  destination: Destination,
  path: string,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string | null },
): ShownFile {
  let reading: AsyncDisposable | null = null;
  return {
    sizeBytes,
    // Each attempt has paths of its own, so what is at one never changes, but for reports.
    etag: `"${sha256 ?? sizeBytes}"`,
    async read(start, end) {
      const found = await destination.read(path, { start, end });
      if (found === null) throw new DiskError(`${path} is no longer in ${destination.name}`);
      reading = found;
      return found.body;
    },
    [Symbol.asyncDispose]: async () => reading?.[Symbol.asyncDispose](),
  };
}

/** Stores the local pictures of a file among the outputs. */
export function imageStore({ invocation }: OpenRun): NonNullable<FileImport['storeImages']> {
  return async (paths) => {
    if (paths.size === 0) return;
    using scratch = holdScratch(scratchBase(invocation));
    const destination = await openDestination(outputsPlace(invocation, scratch.folder));
    try {
      await storeImages(destination, paths);
    } finally {
      destination.close();
    }
  };
}

/** The outputs of an opened run, for a worker with this scratch folder. */
export function outputsPlace(
  { out, env, shared }: Pick<Invocation, 'out' | 'env' | 'shared'>,
  scratch: string,
): OutputsPlace {
  return { out, endpoint: shared?.endpoint ?? null, env, scratch };
}

function placeOf({ shared }: Invocation): SharedPlace {
  if (shared === null) throw new Error('this run is in a folder');
  return shared;
}

function placeIn(given: Invocation, mustBeDurable: boolean): Promise<StorePlace> {
  const { url, run, patience } = placeOf(given);
  return postgresPlace({
    ...{ url, run, mustBeDurable },
    env: given.env,
    patience: () => patience.ms,
    onAway: (failure) => patience.onAway(failure),
  });
}

/** Finds the outputs that the run has, or gives a new run those that were named. */
async function outputsOf(settings: Settings, given: Invocation, shared: SharedPlace): Promise<SavedOutputs> {
  const saved = await readSetting<SavedOutputs>(settings, outputsSetting);
  const named = { out: given.out, endpoint: isBucketAddress(given.out) ? shared.endpoint : null };
  if (saved === null) {
    await settings.save(outputsSetting, JSON.stringify(named));
    return named;
  }
  if (given.isOutGiven && named.out !== saved.out)
    throw new UsageError(`the videos of run "${shared.run}" are in ${saved.out}; leave out --out`);
  return { ...saved, endpoint: named.endpoint ?? saved.endpoint };
}

function opened(store: Store, given: Invocation, { out, endpoint }: SavedOutputs): OpenRun {
  const shared = { ...placeOf(given), endpoint };
  return {
    store,
    invocation: { ...given, out, outShown: out, shared },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function noRun({ run }: SharedPlace): UsageError {
  return new UsageError(
    `the store has no run "${run}"; start one with \`batch run FILE --run ${run} --out DIR\``,
  );
}
