/**
 * How many tasks may be open at the service at once. With `-j 10` that is ten, or fewer while the service refuses more.
 * With a range (`-j 4-64`, `-j auto`) it is searched for: the limit climbs as fast as the service accepts creations until it
 * first refuses one, falls then, climbs back to what the service had accepted, and tries one more only after many accepted
 * creations. It counts creations, not time: no pause that the service asks for makes the search wait longer.
 */

import { fixed, type Policy } from '../policy.ts';

/** What is known of the number of tasks that the service takes. */
export interface OpenLimit {
  /** Most tasks that may be open at once, as far as observed; infinite where nothing is known. */
  readonly openLimit: number;
  /** Most tasks that were open at once after the service had accepted one: fewer cannot be why it refuses. */
  readonly acceptedOpen: number;
  /** Tasks that were open when the service refused one for their number; infinite until then, and once it accepts more. */
  readonly refusedOpen: number;
  /** Creations accepted since the search last changed the limit, without those that filled its new slots. */
  readonly accepted: number;
  /** The service has refused none for their number, nor did an earlier process of the run find a limit. */
  readonly isFirstClimb: boolean;
}

export const unknownLimit: OpenLimit = {
  openLimit: Number.POSITIVE_INFINITY,
  acceptedOpen: 0,
  refusedOpen: Number.POSITIVE_INFINITY,
  accepted: 0,
  isFirstClimb: true,
};

/** An accepted creation. */
interface Accepted {
  /** It was on its way already when another one was refused. */
  readonly isLate: boolean;
  /** Other tasks open then. */
  readonly open: number;
  /** Slots in use: these tasks, this creation, and others in flight. */
  readonly used: number;
  /** The service has not refused any for a while. */
  readonly isCalm: boolean;
}

/** The most tasks that may be open now: never more than the user allows. */
export function mostOpen({ openLimit }: Pick<OpenLimit, 'openLimit'>, policy: Policy): number {
  const { concurrency, searchFrom } = policy;
  const isUnknown = openLimit === Number.POSITIVE_INFINITY;
  return Math.min(concurrency, isUnknown ? (searchFrom ?? concurrency) : Math.floor(openLimit));
}

/** The concurrency of a run now: what the user gave, or what the search has found. */
export function concurrencyNow(limit: Pick<OpenLimit, 'openLimit'>, policy: Policy): number {
  return policy.searchFrom === null ? policy.concurrency : mostOpen(limit, policy);
}

/** The limit after the service has accepted one more. */
export function limitAfterAccepted(limit: OpenLimit, accepted: Accepted, policy: Policy): OpenLimit {
  const acceptedOpen = Math.max(limit.acceptedOpen, accepted.open + 1);
  const known = { ...limit, acceptedOpen };
  if (policy.searchFrom !== null) return searchOn(known, accepted, policy);
  // The longer ago the last refusal, the sooner there may be one more.
  const openLimit = limit.openLimit + (accepted.isCalm ? 1 : 1 / limit.openLimit);
  return { ...known, openLimit: openLimit >= policy.concurrency ? Number.POSITIVE_INFINITY : openLimit };
}

/**
 * True where a creation that was refused while so many tasks were open may have been one more than the service takes. At
 * the end of what it has accepted that is the search's first guess, because tasks may have ended since it was sent.
 */
export function isBeyondAccepted(limit: OpenLimit, open: number, policy: Policy): boolean {
  const { acceptedOpen, refusedOpen } = limit;
  if (open >= acceptedOpen) return true;
  const most = mostOpen(limit, policy);
  return (
    policy.searchFrom !== null && most > policy.searchFrom && (most > acceptedOpen || most >= refusedOpen)
  );
}

/**
 * True where the search has climbed too fast to tell a service that is full from one that refuses so many creations at once: only a
 * second refusal after the pause shows it.
 */
export function mayBeTooFast({ isFirstClimb }: OpenLimit, { searchFrom }: Policy): boolean {
  return searchFrom !== null && isFirstClimb;
}

/**
 * The limit after the user gave another concurrency. What a search has reached so far says nothing against a higher number;
 * only a refusal does.
 */
export function limitAfterTuned(limit: OpenLimit, before: Policy, after: Policy): OpenLimit {
  const isSearchOver = before.searchFrom !== null && after.searchFrom === null;
  if (!isSearchOver || limit.refusedOpen !== Number.POSITIVE_INFINITY) return limit;
  return { ...limit, openLimit: Number.POSITIVE_INFINITY };
}

/** A refused creation. */
interface Refused {
  /** Tasks open then: their number may be the cause. */
  readonly open: number;
  /** It was on its way already when another one was refused: one refusal lowers the limit, however many answers it has. */
  readonly isLate: boolean;
}

/** The limit after the service has refused one more. */
export function limitAfterRefused(limit: OpenLimit, { open, isLate }: Refused, policy: Policy): OpenLimit {
  const taken = Math.max(1, open);
  const known = { ...limit, acceptedOpen: open, refusedOpen: taken, isFirstClimb: false };
  if (policy.searchFrom === null) return { ...known, openLimit: Math.min(limit.openLimit, taken) };
  if (isLate) return known;
  const least = Math.min(mostOpen(limit, policy), taken);
  return { ...known, openLimit: Math.max(1, Math.floor(least * fixed.searchBackoff)), accepted: 0 };
}

/**
 * One more creation was accepted. In the first climb the limit grows as soon as all slots have accepted tasks: a run of a thousand
 * rows would be half over before tasks of ten minutes had shown the way. Later it grows when all slots are full and enough creations
 * went into slots that were full before: at most doubled in the time of one task.
 */
function searchOn(limit: OpenLimit, { open, used, isLate }: Accepted, policy: Policy): OpenLimit {
  const most = mostOpen(limit, policy);
  const refusedOpen = isLate
    ? Math.max(limit.refusedOpen, limit.acceptedOpen)
    : limit.acceptedOpen > limit.refusedOpen
      ? Number.POSITIVE_INFINITY
      : limit.refusedOpen;
  const known = { ...limit, refusedOpen, accepted: limit.accepted + 1 };
  // Beyond what was refused it waits for the answer to that.
  if (used < most || most >= policy.concurrency || most > refusedOpen) return known;
  const isProbe = most === refusedOpen;
  const upTo = Math.min(policy.concurrency, refusedOpen);
  const share = limit.isFirstClimb ? fixed.searchClimbShare : fixed.searchStepShare;
  const step = isProbe ? 1 : Math.min(Math.max(1, Math.floor(most * share)), upTo - most);
  if (limit.isFirstClimb)
    return open + 1 < most ? known : { ...known, openLimit: most + step, accepted: -step };
  const enough = isProbe ? Math.max(fixed.searchProbeCreations, fixed.searchProbeTaskTimes * most) : step;
  return known.accepted < enough ? known : { ...known, openLimit: most + step, accepted: -step };
}
