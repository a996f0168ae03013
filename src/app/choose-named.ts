/** Which of the rows that a retry names get a new attempt, and why the others get none. */

import type { Item } from '../core/item.ts';
import { isLegal } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
import { renderNames } from '../terminal/numbers.ts';
import type { NamedRow } from './only-file.ts';

/** The rows that were named, by what becomes of them. */
export interface NamedChoice {
  /** They get a new attempt. */
  readonly chosen: readonly Item[];
  /** Ids of rows that are gone on with. */
  readonly underWay: readonly string[];
  /** Ids of rows that have more attempts than the one that was marked. */
  readonly triedSince: readonly string[];
  /** Rows of files that cannot get a new attempt, each with its reason. */
  readonly leftOut: readonly string[];
}

/** Sorts the rows that are named; `isMeant` narrows them. Throws `UsageError` for an id that was typed and cannot be retried. */
export async function chooseNamed(
  checkpoint: Checkpoint,
  named: readonly NamedRow[],
  isMeant: (item: Item) => boolean,
  scope: 'all' | 'inFile',
): Promise<NamedChoice> {
  const ids = named.map(({ id }) => id);
  const inFile = byId(await checkpoint.itemsWithIds(ids, scope));
  const known = byId(await checkpoint.itemsWithIds(ids));
  const unknown = named.filter(({ id, isTyped }) => isTyped && !inFile.has(id)).map(({ id }) => id);
  if (unknown.length > 0)
    throw new UsageError(
      `--only: no row of the file has the id ${renderNames(unknown)}${unknown.some((id) => known.has(id)) ? '; --gone includes rows that have left the file' : ''}`,
    );
  const choice = {
    chosen: [] as Item[],
    underWay: [] as string[],
    triedSince: [] as string[],
    leftOut: [] as string[],
  };
  for (const { id, isTyped, attempt } of named) {
    const item = inFile.get(id);
    if (item === undefined)
      choice.leftOut.push(`${id} (${known.has(id) ? 'no longer in the file: --gone' : 'no such row'})`);
    else if (isUnderWay(item)) choice.underWay.push(id);
    else if (!isMeant(item)) continue;
    else if (!isTyped && attempt !== null && item.attempt > attempt) choice.triedSince.push(id);
    else if (isLegal(item.status, 'retry-ordered')) choice.chosen.push(item);
    else if (isTyped) throw new UsageError(`row ${id} is ${item.status}: ${remedyOf(item)}`);
    else choice.leftOut.push(`${id} (${item.status})`);
  }
  return choice;
}

function byId(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

/** A retry that was interrupted leaves its rows so; the same command must find them. */
function isUnderWay({ status, attempt }: Item): boolean {
  return ['submitting', 'open', 'downloading'].includes(status) || (status === 'pending' && attempt > 0);
}

function remedyOf({ status }: Item): string {
  return status === 'uncertain'
    ? 'settle it with `batch resolve` first'
    : 'a row gets a new attempt once it has ended';
}
