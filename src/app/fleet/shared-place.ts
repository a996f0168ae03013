/** Opens a run in a store that machines share, and finds its outputs. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { createStoredImages, storeImages } from '../../outputs/pictures/image-store.ts';
import type { ReportFacts } from '../../reports/write-report.ts';
import type { Store, StorePlace } from '../../stores/port/store.ts';
import { renderTime } from '../../terminal/times.ts';
import { type Invocation, sharedOf } from '../options/invocation.ts';
import { readSetting } from '../output-folder.ts';
import { openDestination, openOutputs, openReadOnly, outputsPlace } from '../outputs.ts';
import { findStoredPictures } from '../pictures/picture-links.ts';
import { refuseMoved } from '../place/move-mark.ts';
import { databaseNews, noteDatabase } from '../place/moved-folder.ts';
import type { RunPlace } from '../place/run-place.ts';
import type { OpenRun, OpenTree, ReportedRun, SeenRun, StoreImages } from '../run-handles.ts';
import { lockScratch, scratchBase, sharingOf } from '../scratch.ts';
import { checkService, noteServiceOfRun } from '../service/run-service.ts';
import { postgresPlace } from '../stores.ts';
import { checkMark } from './run-mark.ts';
import {
  knownOutputs,
  markOf,
  markOutputs,
  nameOutputs,
  outputsSetting,
  type SavedOutputs,
} from './saved-outputs.ts';
import { digestsIn, openSharedOutputs } from './shared-outputs.ts';

export const sharedPlace: RunPlace = {
  open: openSharedRun,
  openExisting: openExistingSharedRun,
  look: lookAtSharedRun,
  async openSettings(given) {
    const { store } = await openExistingSharedRun(given, false);
    const { settings, reviews, inspections } = store;
    return { settings, reviews, inspections, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  },
  noRun: noRunInStore,
  openTree: openSharedTree,
  openParts: async (setup, redact) => (await import('./shared-parts.ts')).openSharedParts(setup, redact),
  refuseInput: async () => {},
  refuseFiles: async () => {},
  news: ({ store, invocation }) => databaseNews(store, sharedOf(invocation).run),
  note: ({ store }) => noteDatabase(store),
  checkService,
  noteService: noteServiceOfRun,
  images: () => null,
  async markMade(run) {
    await markOutputs(run, true);
  },
  imageStore: (run) => ({ storeImages: imageStore(run) }),
  // Whether a file is there would take a request for each video.
  async facts({ invocation }) {
    const { run } = sharedOf(invocation);
    return { title: run, shared: run };
  },
  pictures: sharedPictures,
  openShown: openSharedOutputs,
  showing: (given, address) => message('view.showing-run', { run: sharedOf(given).run, address }),
  layout: 'by-attempt',
};

async function openSharedRun(given: Invocation): Promise<OpenRun> {
  const place = await placeIn(given, true);
  if (!given.isOutGiven && !(await place.exists())) throw new UsageError(message('store.no-place'));
  const store = await place.open();
  try {
    await refuseMoved(store, sharedOf(given).run);
    return opened(store, given, await nameOutputs(store, given));
  } catch (error) {
    await (store.isNew ? store.abandon() : store[Symbol.asyncDispose]());
    throw error;
  }
}

async function openExistingSharedRun(given: Invocation, pays: boolean): Promise<OpenRun> {
  const place = await placeIn(given, pays);
  if (!(await place.exists())) throw noRunInStore(given);
  const store = await place.open();
  try {
    await refuseMoved(store, sharedOf(given).run);
    return opened(store, given, await knownOutputs(store.settings, given));
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

function noRunInStore(given: Invocation): UsageError {
  const { run } = sharedOf(given);
  const command = `batch run FILE --run ${run} --out DIR`;
  return new UsageError(message('store.no-run', { run, command }));
}

/** Opens the run that moves into this store; there may be none yet. */
export async function openMovingRun(given: Invocation): Promise<Store> {
  return (await placeIn(given, true)).open();
}

async function lookAtSharedRun(given: Invocation): Promise<SeenRun | null> {
  const place = await placeIn(given, false);
  const store = await place.look();
  if (store === null) return null;
  try {
    const saved = await readSetting<SavedOutputs>(store.settings, outputsSetting);
    const run = opened(store, given, saved ?? { out: given.out, endpoint: null });
    const workers = await sharingOf(store).workers();
    return { ...run, isInUse: workers.some(({ isAlive }) => isAlive), holder: null };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** With a scratch folder of its own for what is written. */
async function openSharedTree(run: OpenRun): Promise<OpenTree> {
  const scratch = lockScratch(scratchBase(run.invocation, run.store));
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

/** They are stored among the outputs. */
function sharedPictures(
  { store, invocation }: ReportedRun,
  _: string,
  linkOf: (path: string) => Promise<string> = async (path) => path,
): Required<Pick<ReportFacts, 'findPictures' | 'readPicture'>> {
  return {
    findPictures: findStoredPictures(digestsIn(store), linkOf),
    async readPicture(sha256) {
      const destination = await openReadOnly({ store, invocation });
      try {
        return await createStoredImages(destination, digestsIn(store)).readKept(sha256);
      } finally {
        destination.close();
      }
    },
  };
}

function imageStore({ store, invocation }: Pick<OpenRun, 'store' | 'invocation'>): StoreImages {
  return async (paths) => {
    if (paths.size === 0) return;
    using scratch = lockScratch(scratchBase(invocation, store));
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

function placeIn(given: Invocation, mustBeDurable: boolean): Promise<StorePlace> {
  const { url, run, patience, begunAt } = sharedOf(given);
  return postgresPlace({
    url,
    run,
    mustBeDurable,
    begunAt,
    env: given.env,
    patience: () => patience.ms,
    onAway: (failure) => patience.onAway(failure),
    onHeld: ({ program, pid, since }) =>
      patience.onHeld(message('store.held', { program, pid, time: renderTime(since) })),
  });
}

function opened(
  store: Store,
  given: Invocation,
  { out, endpoint }: Pick<SavedOutputs, 'out' | 'endpoint'>,
): OpenRun {
  const shared = { ...sharedOf(given), endpoint };
  return {
    store,
    invocation: { ...given, out, outShown: out, shared },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
