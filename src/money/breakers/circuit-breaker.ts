/**
 * The circuit breaker for creations. It reads how each creation ended and what else the service answered, in order, and
 * decides whether and when the next creation may go, how many may be in flight, and how many tasks may be open. It only
 * pauses submitting; polling and downloading go on.
 *
 * All times are steady ms (`Clock.steady`), so setting the clock moves no pause.
 */

import type { CreationEvent, KeyBar } from '../event.ts';
import { failureKind } from '../failure-groups.ts';
import { fixed, type Policy } from '../policy.ts';
import { type Breaker, type CreationEnd, endStreaks, stop } from './breaker.ts';
import { passPassing } from './busy-service.ts';
import { limitAfterAccepted } from './open-limit.ts';
import { passAnswer, passUnsent } from './outage.ts';
import {
  keepAlike,
  type Learned,
  passAcceptedRow,
  passBar,
  passFree,
  passNoOther,
  passOutage,
} from './refused-rows.ts';

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
      // Where the service has given only an odd answer so far, the creation that went alone has shown that it does not answer.
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
 * A web page never comes from the service; nor does an answer without the envelope, unless the service was recognized
 * before. Once the service has made tasks, a page in its place is one row's, or an outage: the free question shows which.
 */
function isForeign(
  { wasKnown, acceptedOpen, isKnown }: Breaker,
  { origin }: Extract<CreationEvent, { type: 'creation-uncertain' }>,
): boolean {
  const hasMadeTasks = wasKnown || acceptedOpen > 0;
  return (origin === 'page' && !hasMadeTasks) || (origin === 'bare' && !isKnown);
}
