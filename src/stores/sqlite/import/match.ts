/** Finds the item of each staged row: the rule of docs/edited-files.md, step by step. */

import { type Problem, problemOf } from '../../../errors.ts';
import type { PlaceOf } from '../../../messages/input.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { JoinOptions } from '../../port/import.ts';
import * as sql from './match-statements.ts';
import type { Staging } from './staging.ts';

/** The result of a match. */
export interface Matched {
  /** Ids that identify no row reliably: they stand twice, or the tool gave them to other rows. */
  readonly problems: readonly Problem[];
  /** True where the item of any staged row was found, besides rows that are the same. */
  readonly isAnyFound: boolean;
}

/** What is known of the staged rows beforehand. */
interface StagedFacts {
  /** False for a run without rows. */
  readonly isAnyKnown: boolean;
  /** True where some are known by their keys. */
  readonly isAnyKeyed: boolean;
  /** True where no two rows have one identity; false where nobody looked. */
  readonly areAlone: boolean;
}

/** Requires `incoming` and `unchanged`. */
export function matchRows(staging: Staging, join: JoinOptions, facts: StagedFacts): Matched {
  const { isAnyKnown, isAnyKeyed, areAlone } = facts;
  const { placeOf = byLine } = join;
  const areTwins = !areAlone && staging.run(sql.findTwins) > 0;
  const doubled = areTwins
    ? findProblems(staging, sql.doubledIds, (id, first) =>
        message('ids.twice', { id, place: placeOf(first ?? 0) }),
      )
    : [];
  if (areTwins) staging.run(sql.numberTwins);
  if (!isAnyKnown) return { problems: doubled, isAnyFound: false };
  if (isAnyKeyed) staging.run(sql.matchKeyed);
  findItems(staging, join, isAnyKeyed);
  const strays = isAnyKeyed
    ? staging
        .rows<{ id: string; line: number; other: string }>(sql.keyedElsewhere)
        .map(({ line, ...said }) => problemOf(line, message('returned.stray-text', said)))
    : [];
  const given = findProblems(staging, sql.idsGivenAway, (id, first) =>
    message('ids.given', { id, place: first === null ? null : placeOf(first) }),
  );
  return { problems: [...doubled, ...given, ...strays], isAnyFound: staging.is(sql.isAnyMatched) };
}

const byLine: PlaceOf = (line) => ({ line, row: null });

/** For most files the first step is enough. */
function findItems(staging: Staging, { add, isMended }: JoinOptions, isAnyKeyed: boolean): void {
  const which = isMended ? 'mended' : add ? 'added' : 'all';
  const sentText = sql.findSentText(add ? which : 'all');
  const editedText = sql.findEditedText(add ? which : 'all');
  const steps = add
    ? [sql.findSameEdit, sql.findName, sentText, editedText, ...(isMended ? [sql.findEndedText] : [])]
    : [sentText, sql.findSameEdit, editedText, sql.findName];
  staging.run(sql.findSame(which, isAnyKeyed));
  if (staging.is(sql.isAnyCorrected)) matchCorrected(staging, which);
  for (const step of steps) if (staging.is(sql.isAnyWithoutItem)) staging.run(step);
}

/** A staged row that may be an item which was sent with a corrected text. */
interface Pair {
  readonly place: number;
  readonly row: number;
  readonly item: number;
}

/** A known text comes before a known id, as in every file; of several rows the first one is the item. */
function matchCorrected(staging: Staging, which: sql.Candidates): void {
  matchFree(staging, which, null);
  const leave = sql.leaveToCorrected(which);
  const taken = new Set<number>();
  for (const { place, row, item } of staging.rows<Pair>(sql.pairsLeft))
    if (!taken.has(row) && staging.run(leave, { item }) > 0) {
      matchFree(staging, which, place);
      taken.add(row);
    }
}

/** Matches the pairs, or the one at this place, as far as they are free for each other. */
function matchFree(staging: Staging, which: sql.Candidates, place: number | null): void {
  const free = staging.rows<Pair>(sql.freePairs(which), { place });
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
  staging.run(sql.matchCorrected, { places });
}

function findProblems(
  staging: Staging,
  query: string,
  render: (id: string, first: number | null) => Message,
): Problem[] {
  type Found = { readonly id: string; readonly first: number | null; readonly line: number };
  const found = staging.rows<Found>(query);
  return found.map(({ id, first, line }) => problemOf(line, render(id, first)));
}
