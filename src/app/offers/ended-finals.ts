/** Finals that wait, and whose order falls away: nothing is sent for them, and their rows go back to their drafts. */

import { moveAtRest } from '../../money/at-rest.ts';
import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { Item } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import { type EndedFinal, lastOf, whyFinalEnds } from '../../money/review/final.ts';
import type { Store } from '../../stores/port/store.ts';
import { timeOf } from '../system-clock.ts';
import { countByQuality } from './waiting-rows.ts';

/** Such a row as it waits, and as its last attempt left it. */
export interface EndedOrder extends EndedFinal {
  readonly before: Item;
  readonly last: ReturnType<typeof lastOf>;
}

/** Rows looked up at a time. */
const pageRows = 500;

/** By what the run knows; a file that is about to be imported may change it. */
export async function endedOrders({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<readonly EndedOrder[]> {
  const keys = [...(await reviews.finals()).keys()];
  const ended: EndedOrder[] = [];
  for (let at = 0; at < keys.length; at += pageRows)
    for (const row of await checkpoint.reportRowsOf(keys.slice(at, at + pageRows))) {
      const why = row.item.status === 'pending' ? whyFinalEnds(row) : null;
      if (why !== null) ended.push({ id: row.item.id, why, before: row.item, last: lastOf(row.attempts) });
    }
  return ended;
}

/** How many of these rows would be paid for. */
export async function countEnded(
  { checkpoint }: Pick<Store, 'checkpoint'>,
  ended: readonly EndedOrder[],
  paid: PaidRows,
): Promise<QualityCounts> {
  if (ended.length === 0) return noRows;
  const keys = new Set(ended.map(({ before }) => before.key));
  const waiting = await checkpoint.pendingItems({ ...paid, limit: Number.MAX_SAFE_INTEGER });
  return countByQuality(waiting.filter(({ key }) => keys.has(key)));
}

/** Puts such rows back, before anything is sent. */
export async function endOrders(store: Pick<Store, 'checkpoint' | 'reviews' | 'sharing'>): Promise<void> {
  const at = await timeOf(store);
  const ended = await endedOrders(store);
  for (let from = 0; from < ended.length; from += pageRows)
    await store.checkpoint.commit(
      ended.slice(from, from + pageRows).map(({ before, last }) => ({
        before,
        after: moveAtRest(before, { type: 'order-ended', at, last }),
      })),
    );
}
