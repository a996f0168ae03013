/** What a worker of a shared run works with: its scratch folder, the common outputs, and the engine that hands out slices. */

import { join } from 'node:path';
import { syncFolderNow } from '../../outputs/directory-sync.ts';
import { createStoredImages } from '../../outputs/pictures/image-store.ts';
import { openIdJournal } from '../../stores/id-journal.ts';
import type { Redact } from '../../text/redact.ts';
import { keepBugsIn } from '../bug-record.ts';
import { sharedOf } from '../options/invocation.ts';
import { openOutputs, outputsPlace } from '../outputs.ts';
import { openPinoLog } from '../pino-log.ts';
import { adoptLeftTasks, lockScratch, scratchBase, sharingOf } from '../scratch.ts';
import type { RunParts, RunSetup } from '../session.ts';
import { clockOf } from '../system-clock.ts';
import { joinCrew } from './join-crew.ts';
import { MachineMemory, openKeptMemory } from './older-store.ts';
import { markOutputs } from './saved-outputs.ts';

/** Opens the parts. Throws `DiskError`, `UsageError` and `StoreAwayError`. */
export async function openSharedParts(setup: RunSetup, redact: Redact): Promise<RunParts> {
  const { invocation, store } = setup;
  const shared = sharedOf(invocation);
  const sharing = sharingOf(store);
  await using parts = new Disposers();
  const base = scratchBase(invocation, store);
  const scratch = parts.use(lockScratch(base));
  const clock = await clockOf(sharing);
  keepBugsIn(scratch.folder, clock.now, redact);
  const log = parts.use(
    openPinoLog(join(scratch.folder, 'batch.log'), redact, invocation.options['log-max']),
  );
  const known = await adoptLeftTasks(base, scratch, store.checkpoint, clock.now());
  const carries = await markOutputs({ store, invocation }, false);
  const outputs = parts.use(await openOutputs({ ...outputsPlace(invocation, scratch.folder), carries }));
  const journal = parts.use(openIdJournal(scratch.folder, syncFolderNow));
  const kept = openKeptMemory(scratch, base);
  const memory = parts.use(new MachineMemory({ store, sharing, kept, known, clock, log }));
  // From here on the work waits for a store that is away, however long.
  shared.patience.ms = Number.POSITIVE_INFINITY;
  const crew = parts.use(await joinCrew(setup, { scratch, memory, clock, log }));
  const dispose = parts.keep();
  return {
    clock,
    tree: outputs.tree,
    images: createStoredImages(outputs.destination, (paths) => sharing.pictureDigests(paths)),
    journal,
    log,
    warnings: [],
    shared: { sharing, placement: crew.placement, memory },
    crew,
    checkPlace: () => outputs.tree.check(),
    [Symbol.asyncDispose]: dispose,
  };
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
