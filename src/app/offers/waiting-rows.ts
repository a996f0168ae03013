/** Counts rows that a command sends, for its plan, its question and the commands to type next. */

import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { Item } from '../../money/item.ts';
import { type PaidRows, secondChances } from '../../money/paid-rows.ts';
import type { Store } from '../../stores/port/store.ts';

type Counted = Pick<Item, 'quality'>;

/** By the quality that each names; the rows are read once and not kept. */
export async function countByQuality(
  rows: AsyncIterable<Counted> | Iterable<Counted>,
): Promise<QualityCounts> {
  const counts = { ...noRows };
  for await (const { quality } of rows) counts[quality ?? 'none'] += 1;
  return counts;
}

/** The rows that were refused with others alike and are sent once more, with those that wait. */
export async function countSentAgain(
  { checkpoint }: Pick<Store, 'checkpoint'>,
  paid: PaidRows,
): Promise<QualityCounts> {
  return countByQuality(secondChances(await checkpoint.refusedAlike(), paid));
}
