/** Finds the item of each staged row: the rule of docs/edited-files.md, step by step. */

import { renderDoubledId, renderGivenId } from '../../core/row-identity.ts';
import type { Problem } from '../../errors.ts';
import type { JoinOptions } from '../../store.ts';
import { digest } from './digest.ts';
import * as sql from './ingest-match-statements.ts';
import type { IngestSession } from './ingest-session.ts';
import { matchTables } from './ingest-tables.ts';

/** What a match came to. */
export interface Matched {
  /** `run.change` at the time: while it is the same, so is the match. */
  readonly change: number;
  /** Ids that identify no row reliably: they stand twice, or the tool gave them to other rows. */
  readonly problems: readonly Problem[];
  /** True once the run has rows. */
  readonly isAnyKnown: boolean;
  /** True where the item of any staged row was found, besides rows that are the same. */
  readonly isAnyFound: boolean;
}

/** A staged row that may be an item which was sent with a corrected text; inputs as JSON. */
export interface CorrectedPair {
  /** Of the file. */
  readonly row: number;
  readonly item: number;
  /** As it was read. */
  readonly read: string;
  /** With the item's own texts. */
  readonly own: string;
}

/** What is known of the staged rows beside their tables. */
export interface Staged {
  /** True where some have local pictures. */
  readonly isAnyWritten: boolean;
  readonly corrected: readonly CorrectedPair[];
}

/** Matches the staged rows, again if need be. The caller holds a transaction. */
export async function matchRows(
  session: IngestSession,
  join: JoinOptions,
  { isAnyWritten, corrected }: Staged,
): Promise<Matched> {
  const change = await session.count('SELECT change AS n FROM run');
  const isAnyKnown = await session.is('SELECT EXISTS (SELECT 1 FROM items) AS found');
  await session.script(matchTables(isAnyKnown));
  if (isAnyKnown) await compare(session, isAnyWritten);
  else await session.run(sql.forgetTwins);
  const areTwins = (await session.run(sql.findTwins)) > 0;
  const { placeOf } = join;
  const problems = areTwins
    ? await findProblems(session, sql.doubledIds, (id, first) => renderDoubledId(id, first ?? 0, placeOf))
    : [];
  if (areTwins) await session.run(sql.numberTwins);
  if (isAnyKnown) await findItems(session, join, corrected);
  const isAnyFound = isAnyKnown && (await session.is(sql.isAnyFound));
  if (isAnyKnown)
    problems.push(
      ...(await findProblems(session, sql.idsGivenAway, (id, first) => renderGivenId(id, first, placeOf))),
    );
  return { change, problems, isAnyKnown, isAnyFound };
}

/** Ticks off the rows that are the same in the run. */
async function compare(session: IngestSession, isAnyWritten: boolean): Promise<void> {
  await session.script(
    `ANALYZE pg_temp.staged; ${sql.tickOff}; ANALYZE pg_temp.unchanged; ${sql.takeOthers}`,
  );
  if (isAnyWritten) await session.script(`${sql.readAsSaved}; ${sql.readAsNamed}`);
  const twins = `${sql.takeUnchangedTwins}; ${sql.dropUnchangedTwins}`;
  await session.script(`ANALYZE pg_temp.compared; ${twins}; ANALYZE pg_temp.compared`);
}

/** Step by step; for most files the first step is enough. */
async function findItems(
  session: IngestSession,
  { add, isMended }: JoinOptions,
  corrected: readonly CorrectedPair[],
): Promise<void> {
  const which = isMended ? 'mended' : add ? 'added' : 'all';
  const steps = add
    ? [
        ...[sql.findSameEdit, sql.findName],
        ...[sql.findSentText, sql.findEditedText].map((find) => find(which)),
        ...(isMended ? [sql.findEndedText] : []),
      ]
    : [sql.findSentText('all'), sql.findSameEdit, sql.findEditedText('all'), sql.findName];
  await session.run(sql.findSame(which));
  if (corrected.length > 0) await takeCorrected(session, which, corrected);
  for (const step of steps) if (await session.is(sql.anyWithoutItem)) await session.run(step);
}

/** A known text comes before a known id, as in every file; of several rows the first one is the item. */
async function takeCorrected(
  session: IngestSession,
  which: sql.Candidates,
  pairs: readonly CorrectedPair[],
): Promise<void> {
  // An earlier match may have taken a row for an item that it is not now.
  await session.run(
    sql.readAs,
    pairs.map(({ row }) => row),
    pairs.map(({ read }) => read),
  );
  await takeFree(session, which, pairs);
  const left = await session.rows<{ row: number }>(
    sql.withoutItem,
    pairs.map(({ row }) => row),
  );
  const rows = new Set(left.map(({ row }) => row));
  for (const pair of pairs)
    if (rows.has(pair.row) && (await session.run(sql.leaveToCorrected(which), pair.item)) > 0) {
      await takeFree(session, which, [pair]);
      rows.delete(pair.row);
    }
}

async function takeFree(
  session: IngestSession,
  which: sql.Candidates,
  pairs: readonly CorrectedPair[],
): Promise<void> {
  const free = await session.rows<{ row: number; item: number }>(
    sql.freePairs(which),
    pairs.map(({ row }) => row),
    pairs.map(({ item }) => item),
  );
  const items = new Map<number, number>();
  for (const { row, item } of free)
    if (!items.has(row) && ![...items.values()].includes(item)) items.set(row, item);
  const taken = pairs.filter(({ row, item }) => items.get(row) === item);
  if (taken.length === 0) return;
  const takenRows = taken.map(({ row }) => row);
  await session.run(
    sql.takeCorrected,
    takenRows,
    taken.map(({ item }) => item),
    taken.map(({ own }) => digest(own)),
  );
  await session.run(
    sql.readAs,
    takenRows,
    taken.map(({ own }) => own),
  );
}

interface Found {
  readonly id: string;
  readonly first: number | null;
  readonly line: number;
}

async function findProblems(
  session: IngestSession,
  query: string,
  render: (id: string, first: number | null) => string,
): Promise<Problem[]> {
  const found = await session.rows<Found & Record<string, unknown>>(query);
  return found.map(({ id, first, line }) => ({ line, message: render(id, first) }));
}
