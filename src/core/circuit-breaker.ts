/**
 * The circuit breaker for creations. It reads how each creation ended and what else the service answered, in order, and
 * decides whether and when the next creation may go, how many may be in flight, and how many tasks may be open. It only
 * holds submitting back; polling and downloading go on.
 *
 * All times are steady ms (`Clock.steady`), so setting the clock moves no pause.
 */

import { failureKind } from './failure-groups.ts';
import type { CreationEvent } from './item.ts';
import {
  isBeyondAccepted,
  limitAfterAccepted,
  limitAfterRefused,
  type OpenLimit,
  unknownLimit,
} from './open-limit.ts';
import { fixed, type Policy } from './policy.ts';
import type { ProbeAnswer } from './status-answer.ts';
import type { EndingReason } from './summary.ts';

/** A creation that has ended. Times are steady ms. */
export interface CreationEnd {
  readonly event: CreationEvent;
  /** The row's own names, ignored when two messages are compared. */
  readonly names: readonly string[];
  readonly startedAt: number;
  readonly at: number;
  /** Other tasks open now. */
  readonly open: number;
  /** Slots in use, those of creations in flight and of this one included. */
  readonly used: number;
}

export interface Breaker extends OpenLimit {
  /** Creations that may be in flight at once: one until the service has accepted one. */
  readonly window: number;
  /** `due`: a free probe goes before the next creation. `odd`: its answer may or may not be the service's. */
  readonly probe: 'due' | 'fine' | 'odd';
  /** The probe was answered as the service answers: any other answer from now on is an outage. */
  readonly isProven: boolean;
  /** The service answered in this run: a later failure is an outage, not a wrong address. */
  readonly isKnown: boolean;
  /** No creation before this time. */
  readonly notBefore: number;
  /** The part of that pause that a refusal caused; no other answer ends it early. */
  readonly refusedUntil: number;
  /** Why submitting has stopped; null while it goes on. */
  readonly stopped: Extract<
    EndingReason,
    'uncertain-breaker' | 'refusal-breaker' | 'lost-breaker' | 'unreachable' | 'busy' | 'foreign-answer'
  > | null;
  /** The failure behind `stopped` or the current pause, for people. */
  readonly failure: string | null;
  readonly uncertainInRow: number;
  readonly refusalsInRow: number;
  /** Text of the last permanent refusal, without ids, numbers and times. */
  readonly lastRefusal: string | null;
  /** Temporary refusals since the last accepted creation. */
  readonly passingInRow: number;
  /** When the first of them came while no task was open. While tasks are open, they may be all the service can take. */
  readonly refusedSince: number;
  /** When the last of them came. */
  readonly refusedAt: number;
  /** How often in a row the service was unreachable, and when this began and last happened. */
  readonly unreachableInRow: number;
  readonly unreachableSince: number;
  readonly unreachableAt: number;
  /** Creations in a row that never reached the service, even if it answered other requests meanwhile. */
  readonly unsentInRow: number;
  /** Tasks that became lost since the service last knew one. */
  readonly lostInRow: number;
}

/** The breaker at the start of a run. */
export const freshBreaker: Breaker = {
  window: 1,
  ...unknownLimit,
  probe: 'due',
  isProven: false,
  isKnown: false,
  notBefore: 0,
  refusedUntil: 0,
  stopped: null,
  failure: null,
  uncertainInRow: 0,
  refusalsInRow: 0,
  lastRefusal: null,
  passingInRow: 0,
  refusedSince: Number.POSITIVE_INFINITY,
  refusedAt: Number.NEGATIVE_INFINITY,
  unreachableInRow: 0,
  unreachableSince: 0,
  unreachableAt: Number.NEGATIVE_INFINITY,
  unsentInRow: 0,
  lostInRow: 0,
};

const healthy = { uncertainInRow: 0, refusalsInRow: 0, lastRefusal: null } as const;

/** The breaker after a creation has ended. */
export function passCreation(breaker: Breaker, end: CreationEnd, policy: Policy): Breaker {
  const { event } = end;
  switch (event.type) {
    case 'creation-accepted':
      return passAccepted(passReached(breaker), end, policy);
    case 'creation-refused': {
      if (isForeign(breaker, event)) return stop(breaker, 'foreign-answer', event.failure);
      const answered = passReached(breaker);
      return event.passing
        ? passPassing(answered, end, event, policy)
        : passRefusal(answered, end, event.failure);
    }
    case 'creation-not-sent':
      if (event.isOwnFault === true) return breaker;
      return passUnsent(breaker, { ...end, failure: event.failure }, policy);
    case 'creation-uncertain': {
      const uncertainInRow = breaker.uncertainInRow + 1;
      // Probe, where that is informative, before risking more creations.
      const probe = breaker.isProven ? 'due' : breaker.probe;
      const after: Breaker = { ...breaker, ...healthy, window: 1, probe, uncertainInRow, unsentInRow: 0 };
      if (isForeign(breaker, event)) return stop(after, 'foreign-answer', event.failure);
      const most = Math.min(fixed.uncertainBreaker, policy.concurrency);
      return uncertainInRow < most ? after : stop(after, 'uncertain-breaker', event.failure);
    }
  }
}

/** A creation was answered: creations get through. */
function passReached(breaker: Breaker): Breaker {
  return passAnswer({ ...breaker, unsentInRow: 0 });
}

/** Allows one more in flight, and perhaps more open tasks. */
function passAccepted(breaker: Breaker, { startedAt, at, open, used }: CreationEnd, policy: Policy): Breaker {
  const isLate = startedAt < breaker.refusedAt;
  const isCalm = at - breaker.refusedAt >= fixed.creationPauseMaxMs;
  return {
    ...breaker,
    ...limitAfterAccepted(breaker, { open, used, isLate, isCalm }, policy),
    ...healthy,
    window: Math.min(fixed.creationsInFlight, breaker.window + 1),
    passingInRow: 0,
    refusedSince: Number.POSITIVE_INFINITY,
  };
}

/**
 * The service is overloaded: all creations wait. The number of open tasks must not grow where that may be the cause: the service has
 * never accepted as many, or refuses again after the pause. Others are refused for their rate, which the pause alone helps.
 */
function passPassing(
  breaker: Breaker,
  { startedAt, at, open }: CreationEnd,
  { failure, retryAfterMs }: Extract<CreationEvent, { type: 'creation-refused' }>,
  policy: Policy,
): Breaker {
  // Creations already in flight when the first was refused count as the same refusal.
  const isNews = breaker.passingInRow === 0 || startedAt >= breaker.refusedAt;
  const passingInRow = breaker.passingInRow + (isNews ? 1 : 0);
  const refusedUntil = Math.max(breaker.refusedUntil, at + creationPauseMs(passingInRow, retryAfterMs));
  const isFull = isBeyondAccepted(breaker, open, policy) || passingInRow > 1;
  return {
    ...breaker,
    ...(isFull ? limitAfterRefused(breaker, { open, isLate: startedAt < breaker.refusedAt }, policy) : {}),
    ...healthy,
    window: 1,
    failure,
    passingInRow,
    refusedSince: open > 0 ? Number.POSITIVE_INFINITY : Math.min(breaker.refusedSince, at),
    refusedAt: at,
    refusedUntil,
    notBefore: refusedUntil,
  };
}

function passRefusal(breaker: Breaker, { names }: CreationEnd, failure: string): Breaker {
  const kind = failureKind(failure, names);
  const refusalsInRow = breaker.lastRefusal === kind ? breaker.refusalsInRow + 1 : 1;
  const after = { ...breaker, ...healthy, refusalsInRow, lastRefusal: kind };
  return refusalsInRow < fixed.refusalBreaker ? after : stop(after, 'refusal-breaker', failure);
}

/** An unreachable service, and when it was tried. Steady ms. */
interface Unreached {
  readonly failure: string;
  readonly startedAt: number;
  readonly at: number;
}

/** An outage fails everything in flight: it counts once, the pause grows, and a probe follows. */
export function passUnreachable(
  breaker: Breaker,
  { failure, startedAt, at }: Unreached,
  policy: Policy,
): Breaker {
  if (startedAt < breaker.unreachableAt) return breaker;
  const unreachableInRow = breaker.unreachableInRow + 1;
  const unreachableSince = breaker.unreachableInRow === 0 ? startedAt : breaker.unreachableSince;
  const after: Breaker = {
    ...breaker,
    window: 1,
    probe: 'due',
    failure: breaker.stopped === null ? failure : breaker.failure,
    unreachableInRow,
    unreachableSince,
    unreachableAt: at,
    notBefore: Math.max(breaker.notBefore, at + creationPauseMs(unreachableInRow, null)),
  };
  const patienceMs = breaker.isKnown
    ? policy.outageTimeoutMs
    : Math.min(fixed.startPatienceMs, policy.outageTimeoutMs);
  // A breaker that no answer resets stays as it is.
  if (at - unreachableSince < patienceMs || breaker.stopped !== null) return after;
  return stop(after, 'unreachable', failure);
}

/**
 * A creation never left. Where other requests are answered and only creations fail, no answer resets the patience:
 * otherwise the run would never end.
 */
function passUnsent(breaker: Breaker, unreached: Unreached, policy: Policy): Breaker {
  const after = passUnreachable(breaker, unreached, policy);
  if (after === breaker) return breaker;
  const unsentInRow = breaker.unsentInRow + 1;
  const pauses = Array.from({ length: unsentInRow }, (_, before) => creationPauseMs(before + 1, null));
  const notBefore = Math.max(after.notBefore, unreached.at + creationPauseMs(unsentInRow, null));
  const counted: Breaker = { ...after, unsentInRow, notBefore };
  const waitedMs = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
  if (waitedMs < policy.outageTimeoutMs || after.stopped !== null) return counted;
  return stop(counted, 'unreachable', unreached.failure);
}

/** The result of the probe, as the breaker sees it. */
interface Probed {
  readonly outcome: 'fine' | 'odd' | 'unreachable' | 'wrong-service';
  readonly failure: string;
}

/** Who answered the probe. An unknown server in place of a service that answered before counts as an outage. */
export function whoAnswered(
  breaker: Breaker,
  answer: Exclude<ProbeAnswer, { readonly outcome: 'refused' }>,
): Probed {
  switch (answer.outcome) {
    case 'service':
      return { outcome: 'fine', failure: '' };
    case 'foreign':
      return { outcome: breaker.isKnown ? 'unreachable' : 'wrong-service', failure: answer.failure };
    case 'odd':
      return breaker.isProven
        ? { outcome: 'unreachable', failure: answer.failure }
        : {
            outcome: 'odd',
            failure: `the server at --base-url may not be the service: asked about a task that cannot exist, it answered "${answer.failure}"`,
          };
    case 'unreachable':
      return answer;
  }
}

/** The probe was answered by the service, or by what may be the service. */
export function passProbe(breaker: Breaker, probe: 'fine' | 'odd'): Breaker {
  return probe === 'fine' ? { ...passAnswer(breaker), probe, isProven: true } : { ...breaker, probe };
}

/** The service answered: if it was only unreachable, submitting goes on. */
export function passAnswer(breaker: Breaker): Breaker {
  if (breaker.isKnown && breaker.unreachableInRow === 0 && breaker.stopped !== 'unreachable') return breaker;
  const isHealed = breaker.stopped === 'unreachable';
  const unsentInRow = isHealed ? 0 : breaker.unsentInRow;
  return {
    ...breaker,
    isKnown: true,
    stopped: isHealed ? null : breaker.stopped,
    failure: isHealed ? null : breaker.failure,
    unreachableInRow: 0,
    unsentInRow,
    // If another creation failed to get through after an answer, answers no longer end the pause.
    notBefore: unsentInRow > 1 ? breaker.notBefore : breaker.refusedUntil,
  };
}

/** A task became lost, or the service knows one: then it may still know the others. */
export function passTask(breaker: Breaker, fate: 'lost' | 'known', failure: string | null): Breaker {
  if (fate === 'known') {
    if (breaker.lostInRow === 0 && breaker.stopped !== 'lost-breaker') return breaker;
    const after = { ...breaker, lostInRow: 0 };
    return breaker.stopped === 'lost-breaker' ? { ...after, stopped: null, failure: null } : after;
  }
  const lostInRow = breaker.lostInRow + 1;
  const after = { ...breaker, lostInRow };
  if (lostInRow < fixed.lostBreaker || breaker.stopped !== null) return after;
  return stop(after, 'lost-breaker', failure ?? 'Task not found');
}

/**
 * When patience with a service that refuses all creations ends (steady ms). Infinite while it accepts some, and while
 * tasks are open: it may accept the next one when they have ended.
 */
export function busyUntil({ refusedSince }: Breaker, open: number, policy: Policy): number {
  return open > 0 ? Number.POSITIVE_INFINITY : refusedSince + policy.outageTimeoutMs;
}

/** Applies the passing of time: patience can run out without an event. */
export function passTime(breaker: Breaker, now: number, open: number, policy: Policy): Breaker {
  if (breaker.stopped !== null || now < busyUntil(breaker, open, policy)) return breaker;
  return stop(breaker, 'busy', breaker.failure ?? '');
}

/** Submitting was paused by the user until now: the service had no chance to accept anything meanwhile. */
export function passRest(breaker: Breaker, now: number): Breaker {
  return { ...breaker, refusedSince: Math.max(breaker.refusedSince, now), unreachableSince: now };
}

/** Pause (ms) after so many refusals or outages in a row: it grows, and is at least what the service asked for. */
function creationPauseMs(inRow: number, retryAfterMs: number | null): number {
  const own = Math.round(fixed.creationPauseMs * fixed.creationPauseGrowth ** (inRow - 1));
  return Math.max(
    Math.min(own, fixed.creationPauseMaxMs),
    Math.min(retryAfterMs ?? 0, fixed.retryAfterMaxMs),
  );
}

/**
 * A web page never comes from the service; nor does an answer without the envelope, unless the service was recognized
 * before.
 */
function isForeign(
  breaker: Breaker,
  { origin }: Extract<CreationEvent, { type: 'creation-refused' | 'creation-uncertain' }>,
): boolean {
  return origin === 'page' || (origin === 'bare' && !breaker.isKnown);
}

function stop(breaker: Breaker, stopped: NonNullable<Breaker['stopped']>, failure: string): Breaker {
  return { ...breaker, stopped, failure };
}
