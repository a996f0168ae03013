/** A worker joins the others of a shared run: it gets its slices, says that it lives, and follows what becomes of the others. */

import { hostname } from 'node:os';
import { messageOf, StoreAwayError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import type { Clock, Log, Placement } from '../../ports.ts';
import type { Sharing } from '../../stores/port/sharing.ts';
import { sharedOf } from '../options/invocation.ts';
import { processId, programVersion } from '../program.ts';
import { type Scratch, sharingOf } from '../scratch.ts';
import type { CrewFollower, CrewPart, RunSetup } from '../session.ts';
import { postgresConnection, postgresPlacement } from '../stores.ts';
import { systemClock } from '../system-clock.ts';
import { CrewWatch } from './crew.ts';
import type { MachineMemory } from './older-store.ts';

/** How long (ms) a run that ends waits for a store that is away: the ids that it received are in its journal. */
const gracePeriodMs = 5_000;

/** How often the engine is opened at most, where the store answers. */
const openTries = 5;

/** What this worker has of its own. */
interface OwnParts {
  readonly scratch: Scratch;
  readonly memory: MachineMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** This worker among the others. */
interface CrewMember extends CrewPart, AsyncDisposable {
  readonly placement: Placement;
}

/** Throws `StoreAwayError`. */
export async function joinCrew(
  { invocation, store }: RunSetup,
  { scratch, memory, clock, log }: OwnParts,
): Promise<CrewMember> {
  const { url, run, patience } = sharedOf(invocation);
  const sharing = sharingOf(store);
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
  const connection = await postgresConnection(url, invocation.env);
  const open = (): Promise<Placement> =>
    postgresPlacement({
      connection,
      schema: `batch_${run}_jobs`,
      worker: sharing.worker,
      liveWorkers: () => countWorkers(sharing),
      isWorking: () => isWorking(),
      clock,
      log,
    });
  const placement = await openPatiently(open, () => note([]));
  const beats = new AbortController();
  const watch = new CrewWatch(store, placement, systemClock);
  patience.onAway = (failure) => watch.noteAway(failure);
  const look = async (): Promise<void> => {
    await note([...placement.slices]);
    await watch.look();
  };
  const beating = beat(look, { clock, log, signal: beats.signal });
  return {
    placement,
    slices: () => [...placement.slices],
    isKeeper: () => placement.isKeeper,
    workWhile: (is) => {
      isWorking = is;
    },
    follow: (session) => {
      rows = session.rows;
      memory.report = session.warn;
      patience.onHeld = session.warn;
      session.note(message('crew.working', { run, worker: sharing.worker }));
      watch.follow(session);
    },
    hurry: () => {
      patience.ms = gracePeriodMs;
    },
    async [Symbol.asyncDispose]() {
      patience.onAway = () => {};
      patience.onHeld = () => {};
      beats.abort();
      await beating;
      await placement[Symbol.asyncDispose]();
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

/** Those that work and said lately that they live. */
async function countWorkers(sharing: Sharing): Promise<number> {
  const workers = await sharing.workers();
  return workers.filter(({ scratch, isAlive }) => scratch !== null && isAlive).length;
}

/** Says now and then that this process lives, and which rows it has. */
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
