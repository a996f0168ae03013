/** Finds the item of each staged row: the rule of docs/edited-files.md, step by step. */

import { type Problem, problemOf } from '../../../errors.ts';
import type { PlaceOf } from '../../../messages/input.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { JoinOptions } from '../../port/import.ts';
import * as sql from './match-statements.ts';
import { isFound, type Staging } from './staging-words.ts';

/** What a match came to. */
export interface Matched {
  /** Ids that identify no row reliably: they stand twice, or the tool gave them to other rows. */
  readonly problems: readonly Problem[];
  /** True where the item of any staged row was found, besides rows that are the same. */
  readonly isAnyFound: boolean;
}

/** Requires `incoming` and `unchanged`; `isAnyKnown` is false for a run without rows. */
export async function matchRows(staging: Staging, join: JoinOptions, isAnyKnown: boolean): Promise<Matched> {
  const { placeOf = byLine } = join;
  const areTwins = (await staging.run(sql.findTwins)) > 0;
  const doubled = areTwins
    ? await findProblems(staging, sql.doubledIds, (id, first) =>
        message('ids.twice', { id, place: placeOf(first ?? 0) }),
      )
    : [];
  if (areTwins) await staging.run(sql.numberTwins);
  if (!isAnyKnown) return { problems: doubled, isAnyFound: false };
  await findItems(staging, join);
  const given = await findProblems(staging, sql.idsGivenAway, (id, first) =>
    message('ids.given', { id, place: first === null ? null : placeOf(first) }),
  );
  return { problems: [...doubled, ...given], isAnyFound: await isFound(staging, sql.isAnyMatched) };
}

const byLine: PlaceOf = (line) => ({ line, row: null });

/** For most files the first step is enough. */
async function findItems(staging: Staging, { add, isMended }: JoinOptions): Promise<void> {
  const { dialect } = staging;
  const which = isMended ? 'mended' : add ? 'added' : 'all';
  const sentText = sql.findSentText(dialect, add ? which : 'all');
  const editedText = sql.findEditedText(dialect, add ? which : 'all');
  const sameEdit = sql.findSameEdit(dialect);
  const name = sql.findName(dialect);
  const steps = add
    ? [sameEdit, name, sentText, editedText, ...(isMended ? [sql.findEndedText(dialect)] : [])]
    : [sentText, sameEdit, editedText, name];
  await staging.run(sql.findSame(which));
  if (await isFound(staging, sql.isAnyCorrected)) await takeCorrected(staging, which);
  for (const step of steps) if (await isFound(staging, sql.isAnyWithoutItem)) await staging.run(step);
}

/** A staged row that may be an item which was sent with a corrected text. */
interface Pair {
  readonly place: number;
  readonly row: number;
  readonly item: number;
}

/** A known text comes before a known id, as in every file; of several rows the first one is the item. */
async function takeCorrected(staging: Staging, which: sql.Candidates): Promise<void> {
  // An earlier match may have taken a row for an item that it is not now.
  await staging.run(sql.readAsWritten(staging.dialect));
  await takeFree(staging, which, null);
  const leave = sql.leaveToCorrected(staging.dialect, which);
  const taken = new Set<number>();
  for (const { place, row, item } of await staging.rows<Pair>(sql.pairsLeft))
    if (!taken.has(row) && (await staging.run(leave, { item })) > 0) {
      await takeFree(staging, which, place);
      taken.add(row);
    }
}

/** Takes the pairs, or the one at this place, as far as they are free for each other. */
async function takeFree(staging: Staging, which: sql.Candidates, place: number | null): Promise<void> {
  const { dialect } = staging;
  const free = await staging.rows<Pair>(sql.freePairs(dialect, which), { place });
  const rows = new Set<number>();
  const items = new Set<number>();
  const places: number[] = [];
  for (const pair of free) {
    if (rows.has(pair.row) || items.has(pair.item)) continue;
    rows.add(pair.row);
    items.add(pair.item);
    places.push(pair.place);
  }
  if (places.length === 0) return;
  await staging.run(sql.takeCorrected(dialect), { places });
  await staging.run(sql.takeOwnInput(dialect), { places });
}

async function findProblems(
  staging: Staging,
  query: string,
  render: (id: string, first: number | null) => Message,
): Promise<Problem[]> {
  type Found = { readonly id: string; readonly first: number | null; readonly line: number };
  const found = await staging.rows<Found>(query);
  return found.map(({ id, first, line }) => problemOf(line, render(id, first)));
}
