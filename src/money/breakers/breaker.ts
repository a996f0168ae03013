/** What the circuit breaker for creations has seen, and what it has decided. All times are steady ms (`Clock.steady`). */

import type { CreationEvent, KeyBar } from '../event.ts';
import type { Item } from '../item.ts';
import { fixed } from '../policy.ts';
import type { EndingReason } from '../summary.ts';
import { type OpenLimit, unknownLimit } from './open-limit.ts';
import { noRefusedRows, type RefusedRows } from './refused-rows.ts';

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
  /** It made tasks for earlier runs at the same address: a page in its place, or a name that is not found, is an outage. */
  readonly wasKnown: boolean;
  /** No creation before this time. */
  readonly notBefore: number;
  /** The part of that pause that a refusal caused; no other answer ends it early. */
  readonly refusedUntil: number;
  /** Why submitting has stopped; null while it has not. */
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
export function endStreaks(breaker: Breaker, streaks: readonly (keyof typeof noStreak)[]): Breaker {
  return Object.assign({}, breaker, ...streaks.map((streak) => noStreak[streak]));
}

/** What an answer can end never takes the place of another reason: that one would end with it. */
export function stop(breaker: Breaker, stopped: NonNullable<Breaker['stopped']>, failure: string): Breaker {
  const canHeal = stopped === 'unreachable' || stopped === 'refusal-breaker' || stopped === 'lost-breaker';
  if (canHeal && breaker.stopped !== null) return breaker;
  return { ...breaker, stopped, failure };
}

/** Pause (ms) after so many refusals or outages in a row: it grows, and is at least what the service asked for. */
export function creationPauseMs(inRow: number, retryAfterMs: number | null): number {
  const own = Math.round(fixed.creationPauseMs * fixed.creationPauseGrowth ** (inRow - 1));
  return Math.max(
    Math.min(own, fixed.creationPauseMaxMs),
    Math.min(retryAfterMs ?? 0, fixed.retryAfterMaxMs),
  );
}
