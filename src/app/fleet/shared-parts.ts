/** What a worker of a shared run works with: its scratch folder, the common outputs, and the engine that hands out slices. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { messageOf, StoreAwayError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import { syncFolderNow } from '../../outputs/directory-sync.ts';
import { createStoredImages } from '../../outputs/pictures/image-store.ts';
import type { Clock, Log, Placement } from '../../ports.ts';
import { openIdJournal } from '../../stores/id-journal.ts';
import type { Sharing } from '../../stores/port/sharing.ts';
import type { Redact } from '../../text/redact.ts';
import { keepBugsIn } from '../bug-record.ts';
import { sharedOf } from '../options/invocation.ts';
import { openOutputs, outputsPlace } from '../outputs.ts';
import { openPinoLog } from '../pino-log.ts';
import { processId, programVersion } from '../program.ts';
import { holdScratch, scratchBase, sharingOf, takeLeftTasks } from '../scratch.ts';
import type { CrewFollower, RunParts, RunSetup } from '../session.ts';
import { postgresConnection, postgresPlacement } from '../stores.ts';
import { clockOf, systemClock } from '../system-clock.ts';
import { CrewWatch } from './crew.ts';
import { MachineMemory, openKeptMemory } from './older-store.ts';
import { markOutputs } from './saved-outputs.ts';

/** How long (ms) a run that ends waits for a store that is away: what it was told is in its journal. */
const gracePeriodMs = 5_000;

/** How often the engine is opened at most, where the store answers. */
const openTries = 5;

/** Opens the parts. Throws `DiskError`, `UsageError` and `StoreAwayError`. */
export async function openSharedParts(setup: RunSetup, redact: Redact): Promise<RunParts> {
  const { invocation, store } = setup;
  const shared = sharedOf(invocation);
  const sharing = sharingOf(store);
  await using parts = new Disposers();
  const base = scratchBase(invocation, store);
  const scratch = parts.use(holdScratch(base));
  const clock = await clockOf(sharing);
  keepBugsIn(scratch.folder, clock.now, redact);
  const log = parts.use(
    openPinoLog(join(scratch.folder, 'batch.log'), redact, invocation.options['log-max']),
  );
  const known = await takeLeftTasks(base, scratch, store.checkpoint, clock.now());
  const carries = await markOutputs({ store, invocation }, false);
  const outputs = parts.use(await openOutputs({ ...outputsPlace(invocation, scratch.folder), carries }));
  const journal = parts.use(openIdJournal(scratch.folder, syncFolderNow));
  const kept = openKeptMemory(scratch, base);
  const memory = parts.use(new MachineMemory({ store, sharing, kept, known, clock, log }));
  // From here on the work waits for a store that is away, however long.
  shared.patience.ms = Number.POSITIVE_INFINITY;
  let rows: CrewFollower['rows'] = () => ({});
  const note = (slices: readonly number[]): Promise<void> =>
    sharing.noteWorker({
      host: hostname(),
      pid: processId(),
      slices,
      rows: rows(),
      version: programVersion(),
      scratch: scratch.folder,
    });
  let isWorking = (): boolean => true;
  const connection = await postgresConnection(shared.url, invocation.env);
  const open = (): Promise<Placement> =>
    postgresPlacement({
      connection,
      schema: `batch_${shared.run}_jobs`,
      worker: sharing.worker,
      liveWorkers: () => countWorkers(sharing),
      isWorking: () => isWorking(),
      clock,
      log,
    });
  const placement = parts.use(await openPatiently(open, () => note([])));
  const beats = new AbortController();
  const watch = new CrewWatch(store, placement, systemClock);
  shared.patience.onAway = (failure) => watch.noteAway(failure);
  const look = async (): Promise<void> => {
    await note([...placement.slices]);
    await watch.look();
  };
  const beating = beat(look, { clock, log, signal: beats.signal });
  const dispose = parts.keep();
  return {
    clock,
    tree: outputs.tree,
    images: createStoredImages(outputs.destination, (paths) => sharing.pictureDigests(paths)),
    journal,
    log,
    warnings: [],
    shared: { sharing, placement, memory },
    crew: {
      slices: () => [...placement.slices],
      isKeeper: () => placement.isKeeper,
      workWhile: (is) => {
        isWorking = is;
      },
      follow: (session) => {
        rows = session.rows;
        memory.tell = session.warn;
        session.note(message('crew.working', { run: shared.run, worker: sharing.worker }));
        watch.follow(session);
      },
      hurry: () => {
        shared.patience.ms = gracePeriodMs;
      },
    },
    checkPlace: () => outputs.tree.check(),
    async [Symbol.asyncDispose]() {
      shared.patience.onAway = () => {};
      beats.abort();
      await beating;
      await dispose();
    },
  };
}

/**
 * The server may go away while the engine is opened, which does not wait by itself. `whenBack` is repeated until the store
 * answers; where it does at once, again and again, something else is wrong.
 */
async function openPatiently(
  open: () => Promise<Placement>,
  whenBack: () => Promise<void>,
): Promise<Placement> {
  for (let tries = 1; ; tries += 1) {
    await whenBack();
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof StoreAwayError) || tries === openTries) throw error;
    }
  }
}

/** What was opened so far, to be closed in reverse order if the rest fails. */
class Disposers implements AsyncDisposable {
  #open: (Disposable | AsyncDisposable)[] = [];

  use<T extends Disposable | AsyncDisposable>(part: T): T {
    this.#open.push(part);
    return part;
  }

  /** Leaves the closing to the caller. */
  keep(): () => Promise<void> {
    const kept = new Disposers();
    kept.#open = this.#open;
    this.#open = [];
    return () => kept[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#open.toReversed())
      await (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]());
  }
}

/** Those that work and were heard of lately. */
async function countWorkers(sharing: Sharing): Promise<number> {
  const workers = await sharing.workers();
  return workers.filter(({ scratch, isHeard }) => scratch !== null && isHeard).length;
}

/** Says now and then that this process lives, and what it holds. */
async function beat(
  look: () => Promise<void>,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await clock.wait(fixed.workerBeatMs, signal);
    if (signal.aborted) return;
    await look().catch((error: unknown) =>
      log.warn({ failure: messageOf(error) }, 'the store did not hear that this worker lives'),
    );
  }
}
