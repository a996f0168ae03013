/** Items with their files. */

import type { Item } from '../../money/item.ts';
import {
  type ArtifactRow,
  artifactColumns,
  groupByItem,
  type ItemRow,
  itemColumns,
  withoutItem,
} from '../tables.ts';
import type { Asker } from './connection/connections.ts';

/** The files of these items. */
export async function readArtifacts(
  asker: Asker,
  keys: readonly number[],
): Promise<ReadonlyMap<number, ArtifactRow[]>> {
  if (keys.length === 0) return new Map();
  const text = `SELECT ${artifactColumns} FROM artifacts WHERE item = ANY ($1) ORDER BY item, ordinal, kind`;
  return groupByItem(await asker.rows<ArtifactRow>(text, [keys]));
}

/** The items of these rows, with their files. */
export async function withArtifacts(asker: Asker, rows: readonly ItemRow[]): Promise<Item[]> {
  // Rows that were never sent have no artifacts.
  const keys = rows.filter(({ attempt }) => attempt > 0).map(({ key }) => key);
  const artifacts = await readArtifacts(asker, keys);
  return rows.map((row) => ({ ...row, artifacts: (artifacts.get(row.key) ?? []).map(withoutItem) }));
}

/** The item with this key, also in the middle of a transaction. */
export async function readItem(asker: Asker, key: number): Promise<Item | null> {
  const rows = await asker.rows<ItemRow>(`SELECT ${itemColumns} FROM items WHERE key = $1`, [key]);
  return (await withArtifacts(asker, rows))[0] ?? null;
}
