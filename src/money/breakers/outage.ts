/** The service cannot be reached: one outage counts once, its pauses grow, and any answer of the service ends it. */

import type { Obstacle } from '../answers/silent-creation.ts';
import type { ProbeAnswer } from '../answers/status-answer.ts';
import { fixed, type Policy } from '../policy.ts';
import { type Breaker, creationPauseMs, endStreaks, stop } from './breaker.ts';
import { passOutage } from './refused-rows.ts';

/** An unreachable service, and when it was tried. Steady ms. */
interface Unreached {
  readonly failure: string;
  readonly startedAt: number;
  readonly at: number;
  /** What speaks against the address; null or missing where the service may only be away. */
  readonly obstacle?: Obstacle | null;
}

/** True where the service has answered at this address, now or to an earlier process of the run: what fails later is an outage. */
export function hasAnswered({ isKnown, wasKnown }: Breaker): boolean {
  return isKnown || wasKnown;
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
    obstacle === null || hasAnswered(breaker)
      ? policy.outageTimeoutMs
      : Math.min(fixed.obstaclePatienceMs, policy.outageTimeoutMs);
  return at - unreachableSince < patienceMs ? after : stop(after, 'unreachable', failure);
}

/**
 * A creation never left. Where other requests are answered and only creations fail, no answer resets the patience:
 * otherwise the run would never end.
 */
export function passUnsent(breaker: Breaker, unreached: Unreached, policy: Policy): Breaker {
  const after = passUnreachable(breaker, unreached, policy);
  if (after === breaker) return breaker;
  const unsentInRow = breaker.unsentInRow + 1;
  const pauses = Array.from({ length: unsentInRow }, (_, before) => creationPauseMs(before + 1, null));
  const notBefore = Math.max(after.notBefore, unreached.at + creationPauseMs(unsentInRow, null));
  const paused: Breaker = { ...after, unsentInRow, notBefore };
  const waitedMs = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
  return waitedMs < policy.outageTimeoutMs ? paused : stop(paused, 'unreachable', unreached.failure);
}

/** The service answered: if it was only unreachable, submitting continues. */
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
      return hasAnswered(breaker)
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
