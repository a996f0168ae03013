/** What the commands that end a run propose would pay for: the same counts as those commands take. */

import { parseOptions } from '../../app/options/job-file.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { summaryOf } from '../../app/run-summary.ts';
import type { RunSetup } from '../../app/session.ts';
import {
  addQualities,
  countQualities,
  decideBudget,
  estimatePoints,
  type QualityCounts,
} from '../../money/forecast/estimate.ts';
import { allWaiting, type PaidRows, paidRowsOf } from '../../money/paid-rows.ts';
import { type EndingReason, type Ledger, reservedPoints } from '../../money/summary.ts';
import type { RunEnding } from '../../runner/runner.ts';
import type { Store } from '../../stores/port/store.ts';
import type { EndState } from '../../terminal/next-steps.ts';
import type { Offer, Offers } from '../../terminal/offers.ts';
import { roundsOf } from './round.ts';
import { isSampleSubmitted, waitingSample } from './sample-rows.ts';
import { countSentAgain } from './waiting-rows.ts';

/** What the commands to type next depend on, as the store has it now. */
export type ProposedEnd = Omit<EndState, 'words' | 'isHeld'>;

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
export async function readEnd(store: Store, ledger: Ledger, end: CommandEnd): Promise<ProposedEnd> {
  return {
    counts: ledger.counts,
    reason: end.reason,
    stopped: end.stopped,
    uncertainId: await firstUncertainId(store),
    gone: await store.totals.goneCounts(),
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

async function firstUncertainId({ checkpoint }: Store): Promise<string | null> {
  for await (const item of checkpoint.items(['uncertain'])) return item.id;
  return null;
}

/** After these, rows wait because the user let only some through. */
const pilots: ReadonlySet<EndingReason> = new Set<EndingReason>(['limit', 'done']);

/** The rows that a run or `resume` sends, by their own quality. */
async function sentQualities(store: Store, paid: PaidRows): Promise<QualityCounts> {
  return addQualities(await store.totals.pendingQualities(paid), await countSentAgain(store, paid));
}

async function readOffers(store: Store, ledger: Ledger, { reason, isPart }: CommandEnd): Promise<Offers> {
  const options = parseOptions(await readSavedOptions(store), (name) => `saved option "${name}"`);
  const { quality = null, limit = null } = options;
  const cap = options['max-points'] ?? null;
  const hasStopped = reason === 'points-cap' || reason === 'unpriced';
  const offer = (counts: QualityCounts, isNew = false): Offer | null => {
    if (countQualities(counts) === 0) return null;
    const { rows, points } = estimatePoints(counts, ledger, { quality, limit: null });
    const maxPoints = decideBudget(ledger, { points, cap, isNew, hasStopped });
    const isUnknown = maxPoints === null && (points === null || reservedPoints(ledger) === null);
    return { rows, points, maxPoints, within: isUnknown ? cap : null };
  };
  const { totals } = store;
  const { failed, rejected, lost } = await totals.retryable();
  const sample = ledger.counts.pending === 0 ? null : await waitingSample(store);
  const waiting = await sentQualities(store, sample === null ? allWaiting : paidRowsOf({ only: sample.ids }));
  const isPilot = isPart || pilots.has(reason) || (await isSampleSubmitted(store));
  const unsent = (await totals.unsent()).flatMap(({ round, rows }) => {
    const left = offer(rows);
    return left === null ? [] : [{ ...left, round }];
  });
  return {
    until: await roundsOf(store),
    isLimited: limit !== null,
    waiting: offer(waiting, isPilot && sample === null),
    unsent,
    failed: offer(failed),
    rejected: offer(rejected),
    lost: offer(lost),
  };
}
