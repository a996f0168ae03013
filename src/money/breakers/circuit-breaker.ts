/**
 * The circuit breaker for creations. It reads how each creation ended and what else the service answered, in order, and
 * decides whether and when the next creation may go, how many may be in flight, and how many tasks may be open. It only
 * holds submitting back; polling and downloading go on.
 *
 * All times are steady ms (`Clock.steady`), so setting the clock moves no pause.
 */

import type { Obstacle } from '../answers/silent-creation.ts';
import type { ProbeAnswer } from '../answers/status-answer.ts';
import { failureKind } from '../failure-groups.ts';
import type { CreationEvent, Item, KeyBar } from '../item.ts';
import { fixed, type Policy } from '../policy.ts';
import type { EndingReason } from '../summary.ts';
import {
  isBeyondAccepted,
  limitAfterAccepted,
  limitAfterRefused,
  mostOpen,
  type OpenLimit,
  unknownLimit,
} from './open-limit.ts';
import {
  keepAlike,
  type Learned,
  noRefusedRows,
  passAcceptedRow,
  passBar,
  passFree,
  passNoOther,
  passOutage,
  type RefusedRows,
} from './refused-rows.ts';

/** A creation that has ended. Times are steady ms. */
export interface CreationEnd {
  readonly event: CreationEvent;
  /** The row's own names, its id first; ignored when two messages are compared. */
  readonly names: readonly string[];
  /** The row as it was sent; null where another process sent it. */
  readonly row?: Pick<Item, 'token' | 'turn'> | null;
  readonly startedAt: number;
  readonly at: number;
  /** Other tasks open now. */
  readonly open: number;
  /** Slots in use, those of creations in flight and of this one included. */
  readonly used: number;
}

export interface Breaker extends OpenLimit, RefusedRows {
  /** Creations that may be in flight at once: one until the service has accepted one. */
  readonly window: number;
  /** `due`: a free probe goes before the next creation. `odd`: its answer may or may not be the service's. */
  readonly probe: 'due' | 'fine' | 'odd';
  /** The probe was answered as the service answers: any other answer from now on is an outage. */
  readonly isProven: boolean;
  /** The service answered in this run: a later failure is an outage, not a wrong address. */
  readonly isKnown: boolean;
  /** It made tasks for earlier runs at the same address: a page in its place is an outage. */
  readonly wasKnown: boolean;
  /** No creation before this time. */
  readonly notBefore: number;
  /** The part of that pause that a refusal caused; no other answer ends it early. */
  readonly refusedUntil: number;
  /** Why submitting has stopped; null while it goes on. */
  readonly stopped: Extract<
    EndingReason,
    | 'uncertain-breaker'
    | 'refusal-breaker'
    | 'lost-breaker'
    | 'unreachable'
    | 'busy'
    | 'foreign-answer'
    | KeyBar
  > | null;
  /** The failure behind `stopped` or the current pause, for people. */
  readonly failure: string | null;
  readonly uncertainInRow: number;
  /** Ids of the rows that were refused in a row with one message. */
  readonly refusedInRow: readonly string[];
  /** Text of the last permanent refusal, without ids, numbers and times. */
  readonly lastRefusal: string | null;
  /** Temporary refusals since the last accepted creation. */
  readonly passingInRow: number;
  /** When the first of them came that the number of open tasks does not explain: so many may be all the service can take. */
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

/** What is kept of each streak where there is none. */
const noStreak = {
  uncertain: { uncertainInRow: 0 },
  refused: { refusedInRow: [], lastRefusal: null },
  passing: { passingInRow: 0, refusedSince: Number.POSITIVE_INFINITY },
  unreachable: { unreachableInRow: 0 },
  unsent: { unsentInRow: 0 },
  lost: { lostInRow: 0 },
} as const;

/** The breaker at the start of a run. */
export const freshBreaker: Breaker = {
  window: 1,
  ...unknownLimit,
  ...noRefusedRows,
  probe: 'due',
  isProven: false,
  isKnown: false,
  wasKnown: false,
  notBefore: 0,
  refusedUntil: 0,
  stopped: null,
  failure: null,
  ...noStreak.uncertain,
  ...noStreak.refused,
  ...noStreak.passing,
  ...noStreak.unreachable,
  ...noStreak.unsent,
  ...noStreak.lost,
  refusedAt: Number.NEGATIVE_INFINITY,
  unreachableSince: 0,
  unreachableAt: Number.NEGATIVE_INFINITY,
};

/** These streaks end; the others go on. */
function endStreaks(breaker: Breaker, streaks: readonly (keyof typeof noStreak)[]): Breaker {
  return Object.assign({}, breaker, ...streaks.map((streak) => noStreak[streak]));
}

/** The breaker after a creation has ended. */
export function passCreation(breaker: Breaker, end: CreationEnd, policy: Policy): Breaker {
  const { event } = end;
  switch (event.type) {
    case 'creation-accepted':
      return passAccepted(passReached(breaker), end, policy);
    case 'creation-refused': {
      const answered = passReached(breaker);
      return event.passing
        ? passPassing(answered, end, event, policy)
        : passRefusal(answered, end, event.failure);
    }
    case 'creation-barred':
      return passBarred(breaker, end, event);
    case 'creation-not-sent':
      if (event.isOwnFault === true) return breaker;
      return passUnsent(breaker, { ...end, failure: event.failure }, policy);
    case 'creation-uncertain': {
      const uncertainInRow = breaker.uncertainInRow + 1;
      // Probe, where that is informative, before risking more creations.
      const probe = breaker.isProven ? 'due' : breaker.probe;
      const after = { ...endStreaks(breaker, ['refused', 'unsent']), window: 1, probe, uncertainInRow };
      if (isForeign(breaker, event)) return stop(after, 'foreign-answer', event.failure);
      // Where nothing but an odd answer was heard of the service, the creation that went alone has shown that it does not answer.
      const isAlone = breaker.probe === 'odd' && !breaker.isKnown;
      const most = isAlone ? 1 : Math.min(fixed.uncertainBreaker, policy.concurrency);
      return uncertainInRow < most ? after : stop(after, 'uncertain-breaker', event.failure);
    }
  }
}

/** A creation was answered: creations get through. */
function passReached(breaker: Breaker): Breaker {
  return passAnswer(endStreaks(breaker, ['unsent']));
}

/** Allows one more in flight, and perhaps more open tasks. */
function passAccepted(before: Breaker, { startedAt, at, open, used }: CreationEnd, policy: Policy): Breaker {
  const breaker: Breaker = { ...before, ...passAcceptedRow(before, startedAt) };
  const isLate = startedAt < breaker.refusedAt;
  const isCalm = at - breaker.refusedAt >= fixed.creationPauseMaxMs;
  const isHealed = breaker.stopped === 'refusal-breaker';
  const after: Breaker = {
    ...breaker,
    ...limitAfterAccepted(breaker, { open, used, isLate, isCalm }, policy),
    ...(isHealed ? { stopped: null, failure: null } : {}),
    window: Math.min(fixed.creationsInFlight, breaker.window + 1),
  };
  return endStreaks(after, ['uncertain', 'refused', 'passing']);
}

/**
 * The service is overloaded: all creations wait. The number of open tasks must not grow where that may be the cause: the service has
 * never accepted as many, or refuses again after the pause. Others are refused for their rate, which the pause alone helps.
 */
function passPassing(
  before: Breaker,
  { startedAt, at, open }: CreationEnd,
  { failure, retryAfterMs }: Extract<CreationEvent, { type: 'creation-refused' }>,
  policy: Policy,
): Breaker {
  const breaker = endStreaks(before, ['uncertain', 'refused']);
  // Creations already in flight when the first was refused count as the same refusal.
  const isNews = breaker.passingInRow === 0 || startedAt >= breaker.refusedAt;
  const passingInRow = breaker.passingInRow + (isNews ? 1 : 0);
  const refusedUntil = Math.max(breaker.refusedUntil, at + creationPauseMs(passingInRow, retryAfterMs));
  const isBeyond = isBeyondAccepted(breaker, open, policy);
  const isFull = isBeyond || passingInRow > 1;
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

function passRefusal(
  breaker: Breaker,
  { names }: { readonly names: readonly string[] },
  failure: string,
): Breaker {
  const kind = failureKind(failure, names);
  const [id = ''] = names;
  const refusedInRow = breaker.lastRefusal === kind ? [...breaker.refusedInRow, id] : [id];
  const after = { ...endStreaks(breaker, ['uncertain']), refusedInRow, lastRefusal: kind };
  if (refusedInRow.length < fixed.refusalBreaker) return after;
  return stop({ ...after, ...keepAlike(after, refusedInRow) }, 'refusal-breaker', failure);
}

/** The row may be the only one that is refused: the free question goes before the next creation, or that one goes alone. */
function passBarred(
  breaker: Breaker,
  { names: [id = ''], row = null, at }: CreationEnd,
  event: Extract<CreationEvent, { type: 'creation-barred' }>,
): Breaker {
  const isGateway = event.bar === 'gateway';
  const after: Breaker = {
    ...endStreaks(breaker, isGateway ? ['uncertain', 'unsent'] : ['uncertain', 'refused', 'unsent']),
    window: isGateway ? breaker.window : 1,
    probe: isGateway || event.bar === 'key-refused' ? 'due' : breaker.probe,
  };
  return learn(after, passBar(after, { event, id, row, at }));
}

/** What is about all rows stops submitting, unless something else has: what is paid for is still brought home. */
function learn(breaker: Breaker, { rows, forAll }: Learned): Breaker {
  const after = { ...breaker, ...rows };
  return forAll === null ? after : passKeyRefused(after, forAll);
}

/** The service refuses the key, whatever is asked. */
export function passKeyRefused(
  breaker: Breaker,
  { bar, failure }: { readonly bar: KeyBar; readonly failure: string },
): Breaker {
  const isStopped = breaker.stopped !== null && breaker.stopped !== 'unreachable';
  return isStopped ? breaker : stop({ ...breaker, inQuestion: [] }, bar, failure);
}

/** No other row waits that could show why some are refused. */
export function passLastRows(breaker: Breaker): Breaker {
  return learn(breaker, passNoOther(breaker));
}

/** An unreachable service, and when it was tried. Steady ms. */
interface Unreached {
  readonly failure: string;
  readonly startedAt: number;
  readonly at: number;
  /** What speaks against the address; null or missing where the service may only be away. */
  readonly obstacle?: Obstacle | null;
}

/** An outage fails everything in flight: it counts once, the pause grows, and a probe follows. */
export function passUnreachable(
  breaker: Breaker,
  { failure, startedAt, at, obstacle = null }: Unreached,
  policy: Policy,
): Breaker {
  if (startedAt < breaker.unreachableAt) return breaker;
  const unreachableInRow = breaker.unreachableInRow + 1;
  const unreachableSince = breaker.unreachableInRow === 0 ? startedAt : breaker.unreachableSince;
  const after: Breaker = {
    ...breaker,
    ...passOutage(breaker),
    window: 1,
    probe: 'due',
    failure: breaker.stopped === null ? failure : breaker.failure,
    unreachableInRow,
    unreachableSince,
    unreachableAt: at,
    notBefore: Math.max(breaker.notBefore, at + creationPauseMs(unreachableInRow, null)),
  };
  const patienceMs =
    obstacle === null || breaker.isKnown
      ? policy.outageTimeoutMs
      : Math.min(fixed.obstaclePatienceMs, policy.outageTimeoutMs);
  return at - unreachableSince < patienceMs ? after : stop(after, 'unreachable', failure);
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
  return waitedMs < policy.outageTimeoutMs ? counted : stop(counted, 'unreachable', unreached.failure);
}

/** The result of the probe, as the breaker sees it. */
interface Probed {
  readonly outcome: 'fine' | 'odd' | 'unreachable' | 'wrong-service';
  readonly failure: string;
  readonly obstacle?: Obstacle | null;
}

/** Who answered the probe. An unknown server in place of a service that answered before counts as an outage. */
export function whoAnswered(
  breaker: Breaker,
  answer: Exclude<ProbeAnswer, { readonly outcome: 'refused' }>,
): Probed {
  switch (answer.outcome) {
    case 'service':
      return { outcome: 'fine', failure: '' };
    case 'gateway':
      return { outcome: 'unreachable', failure: answer.failure };
    case 'foreign':
      return breaker.isKnown || breaker.wasKnown
        ? { outcome: 'unreachable', failure: answer.failure }
        : { outcome: 'wrong-service', failure: answer.failure };
    case 'odd':
      return breaker.isProven
        ? { outcome: 'unreachable', failure: answer.failure }
        : {
            outcome: 'odd',
            failure: `the server at --base-url may not be the service: asked about a task that cannot exist, it answered "${answer.failure}"`,
          };
    case 'unreachable':
      return { outcome: 'unreachable', failure: answer.failure, obstacle: answer.obstacle };
  }
}

/** The probe was answered by the service, or by what may be the service. */
export function passProbe(breaker: Breaker, probe: 'fine' | 'odd'): Breaker {
  const asked = probe === 'fine' ? { ...passAnswer(breaker), probe, isProven: true } : { ...breaker, probe };
  const pages = asked.inQuestion.filter(({ bar }) => bar === 'gateway');
  const [page] = pages;
  if (page !== undefined && !asked.isKnown)
    return stop({ ...asked, ...passOutage(asked) }, 'foreign-answer', page.failure);
  return pages.reduce(
    (after, { id, failure }) => passRefusal(after, { names: [id] }, failure),
    learn(asked, passFree(asked)),
  );
}

/** The service answered: if it was only unreachable, submitting goes on. */
export function passAnswer(breaker: Breaker): Breaker {
  if (breaker.isKnown && breaker.unreachableInRow === 0 && breaker.stopped !== 'unreachable') return breaker;
  const isHealed = breaker.stopped === 'unreachable';
  const after = endStreaks(breaker, isHealed ? ['unreachable', 'unsent'] : ['unreachable']);
  return {
    ...after,
    isKnown: true,
    stopped: isHealed ? null : breaker.stopped,
    failure: isHealed ? null : breaker.failure,
    // If another creation failed to get through after an answer, answers no longer end the pause.
    notBefore: after.unsentInRow > 1 ? breaker.notBefore : breaker.refusedUntil,
  };
}

/** A task became lost, or the service knows one: then it may still know the others. */
export function passTask(breaker: Breaker, outcome: 'lost' | 'known', failure: string | null): Breaker {
  if (outcome === 'known') {
    if (breaker.lostInRow === 0 && breaker.stopped !== 'lost-breaker') return breaker;
    const after = endStreaks(breaker, ['lost']);
    return breaker.stopped === 'lost-breaker' ? { ...after, stopped: null, failure: null } : after;
  }
  const lostInRow = breaker.lostInRow + 1;
  const after = { ...breaker, lostInRow };
  return lostInRow < fixed.lostBreaker ? after : stop(after, 'lost-breaker', failure ?? 'Task not found');
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
 * before. Once the service has made tasks, a page in its place is one row's, or an outage: the free question tells.
 */
function isForeign(
  { wasKnown, acceptedOpen, isKnown }: Breaker,
  { origin }: Extract<CreationEvent, { type: 'creation-uncertain' }>,
): boolean {
  const hasMadeTasks = wasKnown || acceptedOpen > 0;
  return (origin === 'page' && !hasMadeTasks) || (origin === 'bare' && !isKnown);
}

/** What an answer can end never takes the place of another reason: that one would end with it. */
function stop(breaker: Breaker, stopped: NonNullable<Breaker['stopped']>, failure: string): Breaker {
  const canHeal = stopped === 'unreachable' || stopped === 'refusal-breaker' || stopped === 'lost-breaker';
  if (canHeal && breaker.stopped !== null) return breaker;
  return { ...breaker, stopped, failure };
}
