/**
 * The circuit breaker before the creations. It sees how each creation ended and what else the service was heard to say, in
 * order, and decides whether and when the next creation may go, how many may be on their way, and how many tasks may be open.
 * It only ever holds submitting back; polling and downloading go on.
 *
 * All times are steady ms (`Clock.steady`): a clock that is set moves no pause.
 */

import { failureKind } from './failure-groups.ts';
import type { CreationEvent } from './item.ts';
import { fixed, type Policy } from './policy.ts';
import type { ProbeAnswer } from './status-answer.ts';
import type { EndingReason } from './summary.ts';

/** A creation that has ended. Times are steady ms. */
export interface CreationEnd {
  readonly event: CreationEvent;
  /** The row's own names, which make no two messages different. */
  readonly names: readonly string[];
  readonly startedAt: number;
  readonly at: number;
  /** Tasks that are open now. */
  readonly open: number;
}

export interface Breaker {
  /** Creations that may be on their way at once: one until the service has accepted one. */
  readonly window: number;
  /** Tasks that the service was seen to take at once; infinite while it takes all. */
  readonly openLimit: number;
  /** A free question to the service comes before the next creation; `odd`: its answer could be the service's or not. */
  readonly probe: 'due' | 'fine' | 'odd';
  /** The question was answered as the service does, once: then another answer to it is an outage. */
  readonly isProven: boolean;
  /** The service was heard in this run: what is wrong now will pass, and is no wrong address. */
  readonly isKnown: boolean;
  /** No creation before this time. */
  readonly notBefore: number;
  /** The part of that pause that a refusal brought; no other answer ends it early. */
  readonly refusedUntil: number;
  /** Why submitting has stopped; null while it goes on. */
  readonly stopped: Extract<
    EndingReason,
    'uncertain-breaker' | 'refusal-breaker' | 'lost-breaker' | 'unreachable' | 'busy' | 'foreign-answer'
  > | null;
  /** The last failure behind `stopped` or behind a pause, for people. */
  readonly failure: string | null;
  readonly uncertainInRow: number;
  readonly refusalsInRow: number;
  /** What the last refusal for good said, but for ids, numbers and times. */
  readonly lastRefusal: string | null;
  /** Refusals for a passing cause since a creation was accepted. */
  readonly passingInRow: number;
  /** When the first of them came since nothing was open: what is open may be all that the service can take. */
  readonly refusedSince: number;
  /** When the last of them came. */
  readonly refusedAt: number;
  /** Times in a row that the service was out of reach, and when the first and the last of them were. */
  readonly unreachableInRow: number;
  readonly unreachableSince: number;
  readonly unreachableAt: number;
  /** Creations in a row that never reached the service, whatever else it answered meanwhile. */
  readonly unsentInRow: number;
  /** Tasks that became lost since the service knew one. */
  readonly lostInRow: number;
}

/** The breaker at the start of a run. */
export const freshBreaker: Breaker = {
  window: 1,
  openLimit: Number.POSITIVE_INFINITY,
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
      return event.passing ? passPassing(answered, end, event) : passRefusal(answered, end, event.failure);
    }
    case 'creation-not-sent':
      return passUnsent(breaker, { ...end, failure: event.failure }, policy);
    case 'creation-uncertain': {
      const uncertainInRow = breaker.uncertainInRow + 1;
      // Where the free question tells something, it is asked before more is risked.
      const probe = breaker.isProven ? 'due' : breaker.probe;
      const after: Breaker = { ...breaker, ...healthy, window: 1, probe, uncertainInRow, unsentInRow: 0 };
      if (isForeign(breaker, event)) return stop(after, 'foreign-answer', event.failure);
      const most = Math.min(fixed.uncertainBreaker, policy.concurrency);
      return uncertainInRow < most ? after : stop(after, 'uncertain-breaker', event.failure);
    }
  }
}

/** A creation was answered: they get through. */
function passReached(breaker: Breaker): Breaker {
  return passAnswer({ ...breaker, unsentInRow: 0 });
}

/** One more may be on its way; one more task may be open, sooner the longer ago the service refused one. */
function passAccepted(breaker: Breaker, { at }: CreationEnd, policy: Policy): Breaker {
  const isCalm = at - breaker.refusedAt >= fixed.creationPauseMaxMs;
  const openLimit = breaker.openLimit + (isCalm ? 1 : 1 / breaker.openLimit);
  return {
    ...breaker,
    ...healthy,
    window: Math.min(fixed.creationsInFlight, breaker.window + 1),
    openLimit: openLimit >= policy.concurrency ? Number.POSITIVE_INFINITY : openLimit,
    passingInRow: 0,
    refusedSince: Number.POSITIVE_INFINITY,
  };
}

/** The service has too much to do: everybody waits, and no more tasks are open than it has now. */
function passPassing(
  breaker: Breaker,
  { startedAt, at, open }: CreationEnd,
  { failure, retryAfterMs }: Extract<CreationEvent, { type: 'creation-refused' }>,
): Breaker {
  // Creations that left before it was known are refused with it: that counts once.
  const isNews = breaker.passingInRow === 0 || startedAt >= breaker.refusedAt;
  const passingInRow = breaker.passingInRow + (isNews ? 1 : 0);
  const refusedUntil = Math.max(breaker.refusedUntil, at + creationPauseMs(passingInRow, retryAfterMs));
  return {
    ...breaker,
    ...healthy,
    window: 1,
    openLimit: Math.min(breaker.openLimit, Math.max(1, open)),
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

/** Something is out of reach, since when it was tried. Steady ms. */
interface Unreached {
  readonly failure: string;
  readonly startedAt: number;
  readonly at: number;
}

/** One outage fails all that is on its way: it counts once, and the pause after it grows. Then it is asked for free. */
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
  // A breaker that no answer heals stays as it is.
  if (at - unreachableSince < patienceMs || breaker.stopped !== null) return after;
  return stop(after, 'unreachable', failure);
}

/**
 * A creation never left. Where all else is answered and creations alone do not get through, no answer starts the patience anew:
 * it would have no end.
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

/** What came of the free question, as the breaker sees it. */
interface Probed {
  readonly outcome: 'fine' | 'odd' | 'unreachable' | 'wrong-service';
  readonly failure: string;
}

/** Who answered the free question. What stands in the place of a service that was there a while ago is an outage. */
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
            failure: `what answers at --base-url may not be the service: asked about a task that cannot exist it said "${answer.failure}"`,
          };
    case 'unreachable':
      return answer;
  }
}

/** The service answered the free question, or something that could be the service did. */
export function passProbe(breaker: Breaker, probe: 'fine' | 'odd'): Breaker {
  return probe === 'fine' ? { ...passAnswer(breaker), probe, isProven: true } : { ...breaker, probe };
}

/** The service answered something: if it only was out of reach, submitting goes on. */
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
    // An answer after which a creation did not get through either ends no further pause.
    notBefore: unsentInRow > 1 ? breaker.notBefore : breaker.refusedUntil,
  };
}

/** A task became lost, or the service knows one: then those may not be lost after all. */
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
 * When the patience with a service that refuses all creations is at its end (steady ms); infinite while it does not, and while
 * tasks are open: it may take the next one when they have ended.
 */
export function busyUntil({ refusedSince }: Breaker, open: number, policy: Policy): number {
  return open > 0 ? Number.POSITIVE_INFINITY : refusedSince + policy.outageTimeoutMs;
}

/** The breaker at this time: patience ends without anything having happened. */
export function passTime(breaker: Breaker, now: number, open: number, policy: Policy): Breaker {
  if (breaker.stopped !== null || now < busyUntil(breaker, open, policy)) return breaker;
  return stop(breaker, 'busy', breaker.failure ?? '');
}

/** Pause (ms) after so many refusals or outages in a row: growing, and at least what the service asked for. */
function creationPauseMs(inRow: number, retryAfterMs: number | null): number {
  const own = Math.round(fixed.creationPauseMs * fixed.creationPauseGrowth ** (inRow - 1));
  return Math.max(
    Math.min(own, fixed.creationPauseMaxMs),
    Math.min(retryAfterMs ?? 0, fixed.retryAfterMaxMs),
  );
}

/** A page is never the service's; an answer without its envelope is not while nothing else was heard of it either. */
function isForeign(
  breaker: Breaker,
  { origin }: Extract<CreationEvent, { type: 'creation-refused' | 'creation-uncertain' }>,
): boolean {
  return origin === 'page' || (origin === 'bare' && !breaker.isKnown);
}

function stop(breaker: Breaker, stopped: NonNullable<Breaker['stopped']>, failure: string): Breaker {
  return { ...breaker, stopped, failure };
}
