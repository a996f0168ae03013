/** Items with their files, and what else belongs to them. */

import type { Item } from '../../money/item.ts';
import { itemsOf, type OfItems, type RowsOfItems, sentKeys, statementsOfItems } from '../item-rows.ts';
import type { ItemRow } from '../tables.ts';
import type { Asker } from './connection/connections.ts';

const ofAll = statementsOfItems('true');
const ofItems = statementsOfItems('item = ANY ($1)');

/** What belongs to these items; to all for null. */
export async function readOf<T extends OfItems>(
  asker: Asker,
  table: T,
  keys: readonly number[] | null,
): Promise<RowsOfItems[T][number][]> {
  if (keys === null) return asker.rows(ofAll[table]);
  return keys.length === 0 ? [] : asker.rows(ofItems[table], [keys]);
}

/** The items of these rows, with their files. */
export async function withArtifacts(asker: Asker, rows: readonly ItemRow[]): Promise<Item[]> {
  return itemsOf(rows, await readOf(asker, 'artifacts', sentKeys(rows)));
}
