/** What a run session works with, besides its store and its service: in the output folder, or for a shared run. */

import { join } from 'node:path';
import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { type FolderJournal, openIdJournal } from '../adapters/id-journal.ts';
import { networkDisk } from '../adapters/network-disk.ts';
import { openPinoLog } from '../adapters/pino-log.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { fixed } from '../core/policy.ts';
import type { Redact } from '../core/text/redact.ts';
import { messageOf } from '../errors.ts';
import type { Clock, CrewView, ImageFiles, Log, OutputTree, Placement } from '../ports.ts';
import type { StoreMemory } from '../runner/shared-run.ts';
import type { Sharing, WorkerNote } from '../store.ts';
import { keepBugsIn } from './bug-record.ts';
import { imagesOf } from './run-images.ts';
import type { RunSetup } from './run-session.ts';

/** The session, as the part that it shares with other machines knows it. */
export interface CrewFollower {
  /** The rows this worker holds. */
  rows(): WorkerNote['rows'];
  note(text: string): void;
  warn(text: string): void;
  seen(crew: CrewView): void;
}

/** The part of a session in a run that several machines share. */
export interface SharedParts {
  readonly sharing: Sharing;
  readonly placement: Placement;
  readonly memory: StoreMemory;
  /** Rows are given to others while this says no. */
  workWhile(isWorking: () => boolean): void;
  /** Says now and then that this worker lives, and tells the session what becomes of the others. */
  follow(news: CrewFollower): void;
  /** The session ends: a store that is away is not waited for any longer. */
  hurry(): void;
}

export interface RunParts extends AsyncDisposable {
  /** Of the machine, or set to the time of the store that machines share. */
  readonly clock: Clock;
  readonly tree: OutputTree;
  readonly images: ImageFiles;
  /** Null where nothing is submitted. */
  readonly journal: FolderJournal | null;
  readonly log: Log;
  /** Warnings about the place of the run. */
  readonly warnings: readonly string[];
  /** Null for a run in a folder. */
  readonly shared: SharedParts | null;
  /** Resolves once `signal` aborts; calls `lost` when the place of the outputs is moved or replaced. */
  watch(signal: AbortSignal, lost: (failure: string) => void): Promise<void>;
}

/** Opens the parts. Throws `DiskError`. */
export async function openRunParts(setup: RunSetup, redact: Redact): Promise<RunParts> {
  if (setup.invocation.shared !== null)
    return (await import('./shared-parts.ts')).openSharedParts(setup, redact);
  const { invocation, submits } = setup;
  const { out, outShown } = invocation;
  keepBugsIn(out, systemClock.now, redact);
  const log = openPinoLog(join(out, 'batch.log'), redact);
  const tree = await openFileOutputTree(out, systemClock.now);
  const journal = submits ? openIdJournal(out) : null;
  return {
    clock: systemClock,
    tree,
    images: imagesOf(out),
    journal,
    log,
    warnings: submits ? networkDiskWarnings(out, outShown) : [],
    shared: null,
    watch: (signal, lost) => watchTree(tree, signal, lost),
    async [Symbol.asyncDispose]() {
      journal?.[Symbol.dispose]();
      log[Symbol.dispose]();
    },
  };
}

/** On a network disk other machines may not see the lock that prevents a second run. */
function networkDiskWarnings(out: string, outShown: string): readonly string[] {
  const kind = networkDisk(out);
  if (kind === null) return [];
  return [
    `${outShown} is on a network file system (${kind}), where the lock may not prevent a second run: run only one at a time, on all machines, or choose an --out on a local disk`,
  ];
}

/** Stops the run when its folder is moved or replaced: the checkpoint and new files would be in different folders. */
export async function watchTree(
  tree: { check(): void },
  signal: AbortSignal,
  lost: (failure: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      tree.check();
    } catch (error) {
      lost(messageOf(error));
      return;
    }
    await systemClock.wait(fixed.placeCheckMs, signal);
  }
}
