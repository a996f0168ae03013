/** What the commands that end a run propose would pay for: the same counts as those commands take. */

import { isUnread } from '../../money/answers/unread-answer.ts';
import {
  addQualities,
  countQualities,
  decideBudget,
  estimatePoints,
  noRows,
  type QualityCounts,
} from '../../money/forecast/estimate.ts';
import type { Quality } from '../../money/item.ts';
import { allWaiting, paidRowsOf } from '../../money/paid-rows.ts';
import { type Pause, pauseAt } from '../../money/steering.ts';
import { type EndingReason, type Ledger, reservedPoints } from '../../money/summary.ts';
import { pauseLeftMs } from '../../money/tick.ts';
import type { RunEnding } from '../../runner/ending.ts';
import type { Store } from '../../stores/port/store.ts';
import type { EndState } from '../../terminal/next-steps.ts';
import type { Offer, Offers } from '../../terminal/offers.ts';
import { parseOptions } from '../options/job-file.ts';
import { readSavedOptions } from '../output-folder.ts';
import { roundsOf } from '../rounds/round.ts';
import { summaryOf } from '../run-summary.ts';
import type { RunSetup } from '../session.ts';
import { readSteering } from '../steering/steering-source.ts';
import { timeOf } from '../system-clock.ts';
import { isSampleSubmitted, waitingSample } from './sample-rows.ts';
import { readInputWords } from './saved-input.ts';
import { countSentAgain } from './waiting-rows.ts';

/** What the commands to type next depend on, as the store has it now. */
export type ProposedEnd = Omit<EndState, 'words' | 'isInUse'>;

/** How a command ended; `done` for a run that is only looked at. */
export interface CommandEnd extends Pick<EndState, 'reason' | 'stopped'> {
  /** The command pays for some of the rows: nobody has agreed to pay for the others. */
  readonly isPart: boolean;
}

/** Of a run that is only looked at. */
export const lookedAt: CommandEnd = { reason: 'done', stopped: null, isPart: false };

/** The end of a command that ran a session. */
export function endOfSession(
  { options, submits }: Pick<RunSetup, 'options' | 'submits'>,
  reason: EndingReason,
): CommandEnd {
  const { limit, only, retry } = options;
  const isStopped = submits && (reason === 'interrupted' || reason === 'terminated');
  const command = retry == null ? 'run' : 'retry';
  return { reason, stopped: isStopped ? command : null, isPart: limit != null || only !== undefined };
}

/** Reads what is proposed after this end. */
export async function readEnd(
  store: Store,
  ledger: Ledger,
  end: CommandEnd,
  given?: number,
): Promise<ProposedEnd> {
  const now = given ?? (await timeOf(store));
  const until = await store.checkpoint.pausedUntil();
  return {
    counts: ledger.counts,
    heldRows: ledger.held,
    reason: end.reason,
    stopped: end.stopped,
    uncertainId: await firstUncertainId(store),
    unreadId: await firstUnreadId(store),
    gone: await store.totals.goneCounts(),
    isPaused: (await pauseOf(store, now)) !== null,
    asked: pauseLeftMs(until, now) === 0 ? null : { until, now },
    mark: await store.archive.mark(),
    sample: ledger.counts.pending === 0 ? null : ((await waitingSample(store))?.count ?? null),
    offers: await readOffers(store, ledger, end),
  };
}

/** Reads how the run ended, for programs. */
export async function readSummary(setup: RunSetup, ending: RunEnding): Promise<ReturnType<typeof summaryOf>> {
  const { store, invocation } = setup;
  const ledger = await store.checkpoint.ledger();
  const end = endOfSession(setup, ending.reason);
  return summaryOf(invocation, ledger, ending, await readOffers(store, ledger, end), end.stopped);
}

/** The user's pause of submitting; null for none. */
export async function pauseOf(store: Store, now?: number): Promise<Pause | null> {
  return pauseAt((await readSteering(store)).pause, now ?? (await timeOf(store)));
}

async function firstUncertainId({ checkpoint }: Store): Promise<string | null> {
  for await (const item of checkpoint.items(['uncertain'])) return item.id;
  return null;
}

async function firstUnreadId({ checkpoint }: Store): Promise<string | null> {
  for await (const { id, failure } of checkpoint.items(['lost'])) if (isUnread(failure ?? '')) return id;
  return null;
}

/** After these, rows wait because the user let only some through. */
const pilots: ReadonlySet<EndingReason> = new Set<EndingReason>(['limit', 'part', 'done']);

/** What is known of all proposed commands. */
interface OfferFacts {
  readonly ledger: Ledger;
  /** For rows without a quality of their own. */
  readonly quality: Quality | null;
  /** The cap of the run. */
  readonly cap: number | null;
  readonly hasStopped: boolean;
}

/** Rows of a command; `before`, of them, those that commands before it pay for. */
interface Offered {
  readonly counts: QualityCounts;
  readonly before?: QualityCounts;
  /** Nobody has agreed to pay for them. */
  readonly isNew?: boolean;
}

/**
 * Makes offers. Each cap is what its own command needs: a line may be typed alone, and the cap that it names stays with the run.
 */
function offering({ ledger, quality, cap, hasStopped }: OfferFacts): (offered: Offered) => Offer | null {
  const estimate = (counts: QualityCounts) => estimatePoints(counts, ledger, { quality, limit: null });
  return ({ counts, before = noRows, isNew = false }) => {
    if (countQualities(counts) === 0) return null;
    const { rows, points } = estimate(counts);
    const maxPoints = decideBudget(ledger, { points, cap, isNew, hasStopped });
    const isUnknown = points === null || reservedPoints(ledger) === null;
    const within = isUnknown && maxPoints !== 'none' ? (maxPoints ?? cap) : null;
    return { rows, points, before: countQualities(before), maxPoints, within };
  };
}

async function readOffers(
  store: Store,
  ledger: Ledger,
  { reason, stopped, isPart }: CommandEnd,
): Promise<Offers> {
  const options = parseOptions(await readSavedOptions(store), (name) => `saved option "${name}"`);
  const { quality = null, limit = null } = options;
  const cap = options['max-points'] ?? null;
  const hasStopped = reason === 'points-cap' || reason === 'unpriced';
  const offer = offering({ ledger, quality, cap, hasStopped });
  const { totals } = store;
  const { failed, rejected, lost } = await totals.retryable();
  const sample = ledger.counts.pending === 0 ? null : await waitingSample(store);
  const paid = sample === null ? allWaiting : paidRowsOf({ only: sample.ids });
  const alike = await countSentAgain(store, paid);
  const waiting = addQualities(await totals.pendingQualities(paid), alike);
  const isPilot = isPart || pilots.has(reason) || (await isSampleSubmitted(store));
  // A run that was stopped continues with these and all others.
  const retries = stopped === 'run' ? [] : await totals.unsent();
  const unsent = retries.flatMap(({ round, rows }) => {
    const left = offer({ counts: rows });
    return left === null ? [] : [{ ...left, round }];
  });
  const before = sample === null ? retries.map(({ rows }) => rows).reduce(addQualities, noRows) : noRows;
  return {
    until: await roundsOf(store),
    input: await readInputWords(store),
    isLimited: limit !== null,
    unsent,
    waiting: offer({ counts: waiting, before, isNew: isPilot && sample === null }),
    failed: offer({ counts: failed }),
    rejected: offer({ counts: rejected, before: alike }),
    lost: offer({ counts: lost }),
  };
}
