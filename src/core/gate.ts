/**
 * The gate before the creations: pauses and breakers. It sees how each creation ended, in order, and says whether and
 * when the next one may go. It only ever stops submitting; polling and downloading go on.
 */

import { fixed } from './policy.ts';
import type { EndingReason } from './summary.ts';
import { creationPauseMs } from './transition.ts';

/** How one creation ended, as far as the gate cares. `startedAt` and `at` are epoch ms. */
export type CreationEnd =
  | { readonly end: 'accepted' }
  /** For good: the row is rejected. */
  | { readonly end: 'refused'; readonly failure: string }
  /** The row will be sent again by itself. */
  | { readonly end: 'passing'; readonly at: number; readonly retryAfterMs: number | null }
  | { readonly end: 'not-sent'; readonly startedAt: number; readonly at: number; readonly failure: string }
  | { readonly end: 'uncertain'; readonly failure: string };

export interface Gate {
  /** No creation before this time (epoch ms). */
  readonly notBefore: number;
  /** The part of that pause which the service itself asked for by a refusal (epoch ms); no answer ends it early. */
  readonly refusedUntil: number;
  /** Why submitting has stopped; null while it goes on. */
  readonly stopped: Extract<EndingReason, 'uncertain-breaker' | 'refusal-breaker' | 'unreachable'> | null;
  /** The last failure behind `stopped`, for people. */
  readonly failure: string | null;
  readonly uncertainInRow: number;
  readonly refusalsInRow: number;
  readonly lastRefusal: string | null;
  readonly unreachableInRow: number;
  /** When the last counted unreachable creation ended: those that were on their way with it do not count again. */
  readonly unreachableAt: number;
}

/** The gate at the start of a run. */
export const openGate: Gate = {
  notBefore: 0,
  refusedUntil: 0,
  stopped: null,
  failure: null,
  uncertainInRow: 0,
  refusalsInRow: 0,
  lastRefusal: null,
  unreachableInRow: 0,
  unreachableAt: Number.NEGATIVE_INFINITY,
};

const healthy = { uncertainInRow: 0, refusalsInRow: 0, lastRefusal: null, unreachableInRow: 0 } as const;

/** The gate after a creation has ended. */
export function passCreation(gate: Gate, creation: CreationEnd): Gate {
  switch (creation.end) {
    case 'accepted':
      return { ...passAnswer(gate), ...healthy };
    case 'refused':
      return passRefusal(passAnswer(gate), creation.failure);
    case 'passing': {
      const until = creation.at + creationPauseMs(1, creation.retryAfterMs);
      const refusedUntil = Math.max(gate.refusedUntil, until);
      return { ...passAnswer(gate), ...healthy, refusedUntil, notBefore: refusedUntil };
    }
    case 'not-sent':
      return passNotSent(gate, creation);
    case 'uncertain': {
      const uncertainInRow = gate.uncertainInRow + 1;
      const after = { ...gate, ...healthy, uncertainInRow };
      if (uncertainInRow < fixed.uncertainBreaker) return after;
      return { ...after, stopped: 'uncertain-breaker', failure: creation.failure };
    }
  }
}

function passRefusal(gate: Gate, failure: string): Gate {
  const refusalsInRow = gate.lastRefusal === failure ? gate.refusalsInRow + 1 : 1;
  const after = { ...gate, ...healthy, refusalsInRow, lastRefusal: failure };
  if (refusalsInRow < fixed.refusalBreaker) return after;
  return { ...after, stopped: 'refusal-breaker', failure };
}

/** One outage fails all creations that are on their way: it counts once, and the pause after it grows. */
function passNotSent(gate: Gate, creation: Extract<CreationEnd, { end: 'not-sent' }>): Gate {
  if (creation.startedAt < gate.unreachableAt) return gate;
  const unreachableInRow = gate.unreachableInRow + 1;
  const after: Gate = {
    ...gate,
    unreachableInRow,
    unreachableAt: creation.at,
    notBefore: Math.max(gate.notBefore, creation.at + creationPauseMs(unreachableInRow, null)),
  };
  // A breaker that no answer heals stays as it is.
  if (unreachableInRow < fixed.unreachableBreaker || gate.stopped !== null) return after;
  return { ...after, stopped: 'unreachable', failure: creation.failure };
}

/** The service answered something: if it only was out of reach, submitting goes on. */
export function passAnswer(gate: Gate): Gate {
  if (gate.unreachableInRow === 0 && gate.stopped !== 'unreachable') return gate;
  const stopped = gate.stopped === 'unreachable' ? null : gate.stopped;
  return {
    ...gate,
    stopped,
    failure: stopped === null ? null : gate.failure,
    unreachableInRow: 0,
    notBefore: gate.refusedUntil,
  };
}
