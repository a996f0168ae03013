/** Finds the item of each staged row: the rule of docs/edited-files.md, step by step. */

import { renderDoubledId, renderGivenId } from '../../core/row-identity.ts';
import type { Problem } from '../../errors.ts';
import type { JoinOptions } from '../../store.ts';
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

/** Matches the staged rows, again if need be; `isAnyWritten`: some have local pictures. The caller holds a transaction. */
export async function matchRows(
  session: IngestSession,
  join: JoinOptions,
  isAnyWritten: boolean,
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
  if (isAnyKnown) await findItems(session, join);
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
async function findItems(session: IngestSession, { add, isMended }: JoinOptions): Promise<void> {
  const steps = add
    ? [
        sql.findSameEdit,
        sql.findName,
        ...[sql.findSentText, sql.findEditedText].map((find) => find(isMended ? 'mended' : 'added')),
      ]
    : [sql.findSentText('all'), sql.findSameEdit, sql.findEditedText('all'), sql.findName];
  await session.run(sql.findSame);
  for (const step of steps) if (await session.is(sql.anyWithoutItem)) await session.run(step);
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
