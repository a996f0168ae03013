/** Tells the processes that work on a run to end, and waits until they have. */

import { beginningIn } from '../../app/files/beginnings.ts';
import { readCrew } from '../../app/fleet/crew.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { storeIn } from '../../app/stores.ts';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { message, type Said } from '../../messages/message.ts';
import type { StopOrder } from '../../money/steering.ts';
import type { StorePlace } from '../../stores/port/store.ts';
import { steerRun } from './steer-run.ts';

/** How often it is looked whether they have ended (ms). */
const lookMs = 250;

/** What the user wants to end, and how. */
export interface StopWish extends Pick<StopOrder, 'isNow'> {
  /** The name of one worker of a shared run; null for all that work on the run. */
  readonly worker: string | null;
}

/** What works on the run: names of sessions, and what to announce to the user once they were asked to stop. */
interface Going {
  readonly sessions: readonly string[];
  readonly asked: (sessions: readonly string[]) => Said;
}

/**
 * Ends what works on the run now or is about to, and nothing that begins later. Returns null once it has ended, or says that
 * there is nothing to end. Throws `UsageError` where there is no run, or where it cannot be asked.
 */
export async function stopRun(
  given: Invocation,
  { worker, isNow }: StopWish,
  announce: (said: Said) => void,
): Promise<Said | null> {
  if (!given.words.isShared) await waitForBeginning(given.out, announce);
  const { sessions, asked } = await goingIn(given);
  const meant = worker === null ? sessions : sessions.filter((session) => session === worker);
  const [first] = meant;
  if (first === undefined)
    return worker === null || sessions.length === 0
      ? message('stop.none', { run: given.words.run })
      : message('stop.no-worker', { worker, others: sessions.join(', ') });
  const isAll = given.words.isShared && worker === null;
  await steerRun(given, { options: {}, stop: { session: isAll ? null : first, isNow } });
  announce(asked(meant));
  await waitForEnd(given, new Set(meant));
  return null;
}

/** A run that was typed before may not have made its folder or its lock yet, and can be asked once it has. */
async function waitForBeginning(folder: string, announce: (said: Said) => void): Promise<void> {
  for (let isSaid = false, pid = beginningIn(folder); pid !== null; pid = beginningIn(folder)) {
    if (!isSaid) announce(message('stop.beginning', { pid }));
    isSaid = true;
    await systemClock.wait(lookMs);
  }
}

/** Closed before anything is ordered: the last one to close a checkpoint tidies it up, and that is its holder. */
async function goingIn(given: Invocation): Promise<Going> {
  await using seen = await lookIntoRun(given);
  if (given.words.isShared)
    return {
      sessions: await liveWorkers(seen),
      asked: (workers) => message('stop.told-workers', { workers: workers.join(', ') }),
    };
  const { holder } = seen;
  if (holder !== null) return { sessions: [holder.session], asked: () => message('stop.told', holder) };
  if (await storeIn(given.out).isInUse())
    throw new UsageError(message('stop.unknown', { out: given.outShown }));
  return { sessions: [], asked: () => '' };
}

/** Those that are silent have no part in the run any more. */
async function liveWorkers({ store }: SeenRun): Promise<readonly string[]> {
  const crew = await readCrew(store);
  return crew?.workers.filter(({ isAlive }) => isAlive).map(({ name }) => name) ?? [];
}

async function waitForEnd(given: Invocation, sessions: ReadonlySet<string>): Promise<void> {
  if (!given.words.isShared) {
    const place = storeIn(given.out);
    while (await isHeldBy(place, sessions)) await systemClock.wait(lookMs);
    return;
  }
  await using seen = await lookIntoRun(given);
  while ((await liveWorkers(seen)).some((worker) => sessions.has(worker))) await systemClock.wait(lookMs);
}

/** Another one may have begun in the same moment. */
async function isHeldBy(place: StorePlace, sessions: ReadonlySet<string>): Promise<boolean> {
  const holder = await place.holder();
  return holder === null ? place.isInUse() : sessions.has(holder.session);
}
