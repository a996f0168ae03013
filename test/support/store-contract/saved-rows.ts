/** All rows of a run, gone ones too, with what was sent of each and what its line says since. */

import type { Item } from '../../../src/money/item.ts';
import type { RunWatch } from '../../../src/stores/port/reading.ts';
import type { StoreRun } from '../store-run.ts';

export interface SavedRow extends Pick<Item, 'key' | 'id' | 'row' | 'status'> {
  readonly gone: boolean;
  readonly text: string;
  /** null where it is the same. */
  readonly edit: string | null;
}

/** In the order in which the rows were first seen; `watch` is one of the run. */
export async function savedRows({ all, checkpoint }: StoreRun, watch: RunWatch): Promise<SavedRow[]> {
  const items = await all();
  const marks = new Map((await watch.marksOf(items.map(({ key }) => key))).map((mark) => [mark.key, mark]));
  const edits = new Map<number, string>();
  for await (const { item, edit } of checkpoint.reportRows())
    if (edit !== null) edits.set(item.key, String(edit.input.question));
  const saved = items.map(async ({ key, id, row, status }) => ({
    key,
    id,
    row,
    status,
    gone: marks.get(key)?.gone === 1,
    text: String((await checkpoint.input(key)).input.question),
    edit: edits.get(key) ?? null,
  }));
  return Promise.all(saved);
}
