/** Decides which rows named by a retry get a new attempt, and why the others do not. */

import { UsageError } from '../../errors.ts';
import { inBoth, type Message, message, type Said } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import type { Item } from '../../money/item.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import { hasMark } from '../../money/statuses.ts';
import { isLegal } from '../../money/transition.ts';
import type { Store } from '../../stores/port/store.ts';

/** The named rows, by what happens to them. */
export interface NamedChoice {
  /** They get a new attempt. */
  readonly chosen: readonly Item[];
  /** Ids of rows that already have an attempt in progress; the run continues it. */
  readonly underWay: readonly string[];
  /** Rows of these that wait to be sent again. */
  readonly waiting: readonly Item[];
  /** Rows that wait, for their first attempt or for the next one, and have a corrected text now. */
  readonly corrected: readonly Item[];
  /** Ids of rows that wait for their first attempt: `run` and `resume` send them, with the corrected text. */
  readonly unsent: readonly string[];
  /** Ids of rows whose corrected text is not used: what is under way was sent without it, or it is of another attempt. */
  readonly uncorrected: readonly string[];
  /** Of the chosen rows, those whose marked attempt is the preferred one: the new attempt is to stand for them. */
  readonly judged: readonly Item[];
  /** Ids of rows with a newer attempt than the marked one. */
  readonly triedSince: readonly string[];
  /** Rows whose reviewers contradict each other, each with who says what. */
  readonly disputed: readonly string[];
  /** Rows named in files that cannot get a new attempt, each with its reason. */
  readonly leftOut: readonly Message[];
}

/**
 * Sorts the named rows; `isMeant` narrows them, `whyUnsendable` says of a row why its request cannot be made. Throws
 * `UsageError` for a typed id that cannot be retried.
 */
export async function chooseNamed(
  { checkpoint, reviews }: Pick<Store, 'checkpoint' | 'reviews'>,
  named: readonly NamedRow[],
  isMeant: (item: Item) => boolean,
  scope: 'all' | 'inFile',
  whyUnsendable: (item: Item, row: NamedRow) => Promise<Said | null> = async () => null,
): Promise<NamedChoice> {
  const ids = named.map(({ id }) => id);
  const inFile = byId(await checkpoint.itemsWithIds(ids, scope));
  const known = byId(await checkpoint.itemsWithIds(ids));
  const preferred = await reviews.preferences();
  const unknown = named.filter(({ id, isTyped }) => isTyped && !inFile.has(id)).map(({ id }) => id);
  if (unknown.length > 0)
    throw new UsageError(
      message(unknown.some((id) => known.has(id)) ? 'retry.left-the-file' : 'retry.none-in-file', {
        names: renderNames(unknown),
      }),
    );
  const choice = {
    chosen: [] as Item[],
    underWay: [] as string[],
    waiting: [] as Item[],
    corrected: [] as Item[],
    unsent: [] as string[],
    uncorrected: [] as string[],
    judged: [] as Item[],
    triedSince: [] as string[],
    disputed: [] as string[],
    leftOut: [] as Message[],
  };
  for (const row of named) {
    const { id, isTyped, attempt, dispute } = row;
    const item = inFile.get(id);
    const isWaiting = item?.status === 'pending' && isCorrectedBy(row, item);
    if (isWaiting) choice.corrected.push(item);
    if (item === undefined)
      choice.leftOut.push(message(known.has(id) ? 'skipped.gone' : 'skipped.unknown', { id }));
    else if (isUnderWay(item)) {
      choice.underWay.push(id);
      if (item.status === 'pending') choice.waiting.push(item);
      if (row.corrected !== undefined && !isWaiting) choice.uncorrected.push(id);
    } else if (isWaiting) choice.unsent.push(id);
    else if (!isMeant(item)) {
      if (row.corrected !== undefined)
        choice.leftOut.push(message('skipped.status', { id, status: item.status }));
    } else if (isOfEarlier(row, item) && preferred.get(item.key) !== attempt) choice.triedSince.push(id);
    // Until the row has that many attempts, each use of the file would pay for it again.
    else if (attempt !== null && item.attempt < attempt)
      choice.leftOut.push(message('skipped.attempt', { id, attempt, last: item.attempt }));
    else if (row.orders !== undefined && attempt === null && item.attempt > 1)
      choice.leftOut.push(message('skipped.unsaid-attempt', { id }));
    else if (row.orders === 'unmade' && item.status === 'completed')
      choice.leftOut.push(message('skipped.has-video', { id }));
    else if (dispute !== undefined) choice.disputed.push(`${id} (${dispute})`);
    else if (isLegal(item.status, 'retry-ordered')) {
      const why = await whyUnsendable(item, row);
      if (why !== null && isTyped)
        throw new UsageError(message('retry.row-unsendable', { id, failure: why }));
      if (why !== null) choice.leftOut.push(message('skipped.unsendable', { id, what: inBoth(why) }));
      else {
        choice.chosen.push(item);
        if (isOfEarlier(row, item)) choice.judged.push(item);
      }
    } else if (isTyped)
      throw new UsageError(
        message(item.status === 'uncertain' ? 'retry.uncertain' : 'retry.not-ended', {
          id,
          status: item.status,
        }),
      );
    else choice.leftOut.push(message('skipped.status', { id, status: item.status }));
  }
  return choice;
}

function byId(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

/** An interrupted retry leaves its rows in these states; the same command must find them. */
function isUnderWay({ status, attempt }: Item): boolean {
  return hasMark(status, 'under-way') || (status === 'pending' && attempt > 0);
}

/** True for a mark of an earlier attempt than the last one. */
function isOfEarlier({ attempt }: NamedRow, item: Item): boolean {
  return attempt !== null && item.attempt > attempt;
}

/** False for a mark of an earlier attempt than the last one: that one had its own text. */
function isCorrectedBy({ attempt, corrected, dispute }: NamedRow, item: Item): boolean {
  return corrected !== undefined && dispute === undefined && item.attempt <= (attempt ?? item.attempt);
}
