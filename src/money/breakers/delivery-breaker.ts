/**
 * The circuit breaker for deliveries: a task is paid for its video, so nothing more is submitted while none can be
 * fetched. It only pauses submitting; polling and downloading go on, and the next video closes it.
 *
 * The counts are those of the run as a whole. A later run knows from them that videos wait, but not why: it tries those
 * first, then one row at a time.
 */

import type { Policy } from '../policy.ts';
import type { Ledger } from '../summary.ts';

type Counts = Ledger['counts'];

export interface DeliveryBreaker {
  /** Rows that waited for their video, and those of them given up, when one was last delivered. */
  readonly waitingThen: number;
  readonly undeliveredThen: number;
  /** Keys of the rows whose video could not be fetched since then, and those of them that are tried again. */
  readonly failed: ReadonlySet<number>;
  readonly trying: ReadonlySet<number>;
  /** So many rows of earlier runs wait that another series may fail, and none has been delivered since. */
  readonly isDoubtful: boolean;
  /** Why nothing more is submitted: the latest failure. Null while something is. */
  readonly stopped: string | null;
}

/** More videos in a row than this show nothing new: each was paid for. */
const mostInRow = 10;

/** Videos in a row that cannot be fetched before nothing more is submitted. */
export function mostUndelivered({ concurrency }: Pick<Policy, 'concurrency'>): number {
  return Math.min(mostInRow, concurrency);
}

/** Rows whose task is completed and whose files are not all here. */
function waiting(counts: Counts): number {
  return counts.downloading + counts.undelivered;
}

/** The breaker of a run that begins with these counts. */
export function deliveryBreakerAt(counts: Counts, policy: Policy): DeliveryBreaker {
  const isDoubtful = waiting(counts) >= mostUndelivered(policy);
  return {
    waitingThen: isDoubtful ? waiting(counts) : 0,
    undeliveredThen: counts.undelivered,
    failed: new Set(),
    trying: new Set(),
    isDoubtful,
    stopped: null,
  };
}

/** A video is on disk. */
export function passDelivered(counts: Counts): DeliveryBreaker {
  return {
    waitingThen: waiting(counts),
    undeliveredThen: counts.undelivered,
    failed: new Set(),
    trying: new Set(),
    isDoubtful: false,
    stopped: null,
  };
}

/** A row whose video could not be fetched. */
export interface Undelivered {
  readonly key: number;
  /** False for one that was counted before: the same video shows nothing new. */
  readonly isNew: boolean;
  /** It is asked about further. */
  readonly isTriedAgain: boolean;
}

/** The video of a row could not be fetched. */
export function passUndelivered(
  breaker: DeliveryBreaker,
  { key, isNew, isTriedAgain }: Undelivered,
): DeliveryBreaker {
  const trying = new Set(breaker.trying);
  if (isTriedAgain) trying.add(key);
  else trying.delete(key);
  return { ...breaker, failed: isNew ? new Set(breaker.failed).add(key) : breaker.failed, trying };
}

/** The breaker once it has seen the counts: enough may have failed. `isShared`: also in other processes. */
export function passCounts(
  breaker: DeliveryBreaker,
  counts: Counts,
  {
    policy,
    failure,
    isShared,
  }: { readonly policy: Policy; readonly failure: string; readonly isShared: boolean },
): DeliveryBreaker {
  if (breaker.stopped !== null) return breaker;
  // A row that waited may be retried, or lost after all.
  const waitingThen = Math.min(breaker.waitingThen, waiting(counts));
  const inRow = isShared
    ? Math.max(breaker.failed.size, counts.undelivered - breaker.undeliveredThen)
    : breaker.failed.size;
  const isEnough = breaker.isDoubtful
    ? waiting(counts) > waitingThen && untried(breaker, counts) === 0
    : inRow >= mostUndelivered(policy);
  return { ...breaker, waitingThen, stopped: isEnough ? failure : null };
}

/** Rows whose video may still be delivered at the first try. */
function untried({ trying }: DeliveryBreaker, counts: Counts): number {
  return Math.max(0, counts.downloading - trying.size);
}

/**
 * How many rows may be submitted, as far as deliveries say. A row that waits for its video may be the next that cannot be
 * fetched: of those, hardly more are added than the breaker lets fail.
 */
export function roomForDeliveries(breaker: DeliveryBreaker, counts: Counts, policy: Policy): number {
  if (breaker.stopped !== null) return 0;
  if (breaker.isDoubtful) return Math.max(0, 1 - counts.submitting - counts.open - untried(breaker, counts));
  const added = waiting(counts) - breaker.waitingThen;
  // One more, so that a single task at a time can be made while the video of the last one is fetched.
  return added <= mostUndelivered(policy) ? Number.POSITIVE_INFINITY : 0;
}
