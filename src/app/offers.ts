/** What the commands that end a run propose would pay for: the same counts as those commands take. */

import { countQualities, decideBudget, estimatePoints, type QualityCounts } from '../core/estimate.ts';
import { allWaiting, paidRowsOf } from '../core/paid-rows.ts';
import type { EndingReason, Ledger } from '../core/summary.ts';
import type { Store } from '../store.ts';
import type { Offer, Offers } from '../terminal/offers.ts';
import { parseOptions } from './job-file.ts';
import { readSavedOptions } from './output-folder.ts';
import { roundsOf } from './round.ts';
import { isSampleSubmitted, waitingSample } from './sample-rows.ts';

/** After these, rows wait because the user let only some through. */
const pilots: ReadonlySet<EndingReason> = new Set<EndingReason>(['limit', 'done']);

export async function readOffers(store: Store, ledger: Ledger, reason: EndingReason): Promise<Offers> {
  const options = parseOptions(await readSavedOptions(store), (name) => `saved option "${name}"`);
  const { quality = null, limit = null } = options;
  const cap = options['max-points'] ?? null;
  const hasStopped = reason === 'points-cap' || reason === 'unpriced';
  const offer = (counts: QualityCounts, isNew = false): Offer | null => {
    if (countQualities(counts) === 0) return null;
    const { rows, points } = estimatePoints(counts, ledger, { quality, limit: null });
    return { rows, points, maxPoints: decideBudget(ledger, { points, cap, isNew, hasStopped }) };
  };
  const { totals } = store;
  const { failed, rejected, lost } = await totals.retryable();
  const sample = ledger.counts.pending === 0 ? null : await waitingSample(store);
  const waiting = await totals.pendingQualities(
    sample === null ? allWaiting : paidRowsOf({ only: sample.waiting }),
  );
  const isPilot = pilots.has(reason) || (await isSampleSubmitted(store));
  const unsent = (await totals.unsent()).flatMap(({ round, rows }) => {
    const left = offer(rows);
    return left === null ? [] : [{ ...left, round }];
  });
  return {
    until: await roundsOf(store),
    isLimited: limit !== null,
    waiting: offer(waiting, isPilot && sample === null),
    unsent,
    ...{ failed: offer(failed), rejected: offer(rejected), lost: offer(lost) },
  };
}
