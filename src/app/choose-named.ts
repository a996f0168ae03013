/** Decides which rows named by a retry get a new attempt, and why the others do not. */

import type { Item } from '../core/item.ts';
import { isLegal } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
import { renderNames } from '../terminal/numbers.ts';
import type { NamedRow } from './only-file.ts';

/** The named rows, by what happens to them. */
export interface NamedChoice {
  /** They get a new attempt. */
  readonly chosen: readonly Item[];
  /** Ids of rows that already have an attempt in progress; the run continues it. */
  readonly underWay: readonly string[];
  /** Rows of these that wait to be sent again, and have a corrected text now. */
  readonly corrected: readonly Item[];
  /** Ids of rows with a newer attempt than the marked one. */
  readonly triedSince: readonly string[];
  /** Rows whose reviewers contradict each other, each with who says what. */
  readonly disputed: readonly string[];
  /** Rows named in files that cannot get a new attempt, each with its reason. */
  readonly leftOut: readonly string[];
}

/** Sorts the named rows; `isMeant` narrows them. Throws `UsageError` for a typed id that cannot be retried. */
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
    corrected: [] as Item[],
    triedSince: [] as string[],
    disputed: [] as string[],
    leftOut: [] as string[],
  };
  for (const row of named) {
    const { id, isTyped, attempt, dispute } = row;
    const item = inFile.get(id);
    if (item === undefined)
      choice.leftOut.push(`${id} (${known.has(id) ? 'no longer in the file: --gone' : 'no such row'})`);
    else if (isUnderWay(item)) {
      choice.underWay.push(id);
      if (item.status === 'pending' && isCorrectedBy(row, item)) choice.corrected.push(item);
    } else if (!isMeant(item)) continue;
    else if (!isTyped && attempt !== null && item.attempt > attempt) choice.triedSince.push(id);
    // Until the row has that many attempts, each use of the file would pay for it again.
    else if (!isTyped && attempt !== null && item.attempt < attempt)
      choice.leftOut.push(`${id} (attempt ${attempt} is marked, the last one is ${item.attempt})`);
    else if (dispute !== undefined) choice.disputed.push(`${id} (${dispute})`);
    else if (isLegal(item.status, 'retry-ordered')) choice.chosen.push(item);
    else if (isTyped) throw new UsageError(`row ${id} is ${item.status}: ${remedyOf(item)}`);
    else choice.leftOut.push(`${id} (${item.status})`);
  }
  return choice;
}

function byId(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

/** An interrupted retry leaves its rows in these states; the same command must find them. */
function isUnderWay({ status, attempt }: Item): boolean {
  return ['submitting', 'open', 'downloading'].includes(status) || (status === 'pending' && attempt > 0);
}

/** False for a mark of an earlier attempt than the last one: that one had its own text. */
function isCorrectedBy({ attempt, corrected, dispute }: NamedRow, item: Item): boolean {
  return corrected !== undefined && dispute === undefined && item.attempt <= (attempt ?? item.attempt);
}

function remedyOf({ status }: Item): string {
  return status === 'uncertain'
    ? 'settle it with `batch resolve` first'
    : 'a row gets a new attempt once it has ended';
}
