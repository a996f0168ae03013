/** The service refuses creations for a passing cause: how long all creations wait, and when patience ends. */

import type { CreationEvent } from '../event.ts';
import { fixed, type Policy } from '../policy.ts';
import { type Breaker, type CreationEnd, creationPauseMs, endStreaks, stop } from './breaker.ts';
import { isBeyondAccepted, limitAfterRefused, mayBeTooFast, mostOpen } from './open-limit.ts';

/**
 * The service is overloaded: all creations wait. The number of open tasks must not grow where that may be the cause: the service has
 * never accepted as many, or refuses again after the pause. Others are refused for their rate, which the pause alone helps.
 */
export function passPassing(
  before: Breaker,
  { startedAt, at, open }: CreationEnd,
  { failure, retryAfterMs }: Extract<CreationEvent, { type: 'creation-refused' }>,
  policy: Policy,
): Breaker {
  const breaker = endStreaks(before, ['uncertain', 'refused']);
  // Creations already in flight when the first was refused count as the same refusal.
  const isNews = breaker.passingInRow === 0 || startedAt >= breaker.refusedAt;
  const passingInRow = breaker.passingInRow + (isNews ? 1 : 0);
  // Twice as long each time comes to what it asks for in the end.
  const lastMs =
    breaker.passingInRow === 0 ? fixed.creationPauseMs : breaker.refusedUntil - breaker.refusedAt;
  const askedMs = retryAfterMs === 'unclear' ? lastMs * (isNews ? 2 : 1) : retryAfterMs;
  const refusedUntil = Math.max(breaker.refusedUntil, at + creationPauseMs(passingInRow, askedMs));
  const isBeyond = isBeyondAccepted(breaker, open, policy);
  const isFull = passingInRow > 1 || (isBeyond && !mayBeTooFast(breaker, policy));
  const refusedSince = open > 0 && isBeyond ? breaker.refusedSince : Math.min(breaker.refusedSince, at);
  const after: Breaker = {
    ...breaker,
    ...(isFull ? limitAfterRefused(breaker, { open, isLate: startedAt < breaker.refusedAt }, policy) : {}),
    window: 1,
    failure,
    passingInRow,
    refusedSince,
    refusedAt: at,
    refusedUntil,
    notBefore: refusedUntil,
  };
  const isLong = breaker.stopped === null && at - refusedSince >= policy.outageTimeoutMs;
  return isLong ? stop(after, 'busy', failure) : after;
}

/**
 * When patience with a service that refuses all creations ends (steady ms). Infinite while it accepts some, while as many tasks are
 * open as it takes, since nothing is sent then that it could refuse, and where the pause is over by then and patience began after
 * the last refusal: the next creation shows it, whenever it can go. A time that has passed stops submitting in `passTime`, or the
 * run would wake for it again and again.
 */
export function busyUntil(breaker: Breaker, now: number, open: number, policy: Policy): number {
  const isFull = open > 0 && open >= mostOpen(breaker, policy);
  const until = breaker.refusedSince + policy.outageTimeoutMs;
  const isTriedFirst = breaker.refusedSince > breaker.refusedAt && Math.max(now, until) >= breaker.notBefore;
  return isFull || isTriedFirst ? Number.POSITIVE_INFINITY : until;
}

/** Applies the passing of time: patience can begin and run out without an event. */
export function passTime(breaker: Breaker, now: number, open: number, policy: Policy): Breaker {
  // Fewer tasks are open than when it refused: their number explains it no longer, however long a pause it asked for.
  const begins = breaker.passingInRow > 0 && open < breaker.acceptedOpen;
  if (begins && breaker.refusedSince === Number.POSITIVE_INFINITY) return { ...breaker, refusedSince: now };
  if (breaker.stopped !== null || now < busyUntil(breaker, now, open, policy)) return breaker;
  return stop(breaker, 'busy', breaker.failure ?? '');
}

/** An earlier run was asked for a pause that is not over: patience counts it, because nothing sent would begin it before its end. */
export function passEarlierPause(breaker: Breaker, now: number, leftMs: number): Breaker {
  const refusedUntil = now + leftMs;
  const failure = 'it asked an earlier run for a pause';
  return { ...breaker, failure, refusedUntil, notBefore: refusedUntil, refusedSince: now };
}

/** Submitting was paused by the user until now: the service had no chance to accept anything meanwhile. */
export function passRest(breaker: Breaker, now: number): Breaker {
  return { ...breaker, refusedSince: Math.max(breaker.refusedSince, now), unreachableSince: now };
}
