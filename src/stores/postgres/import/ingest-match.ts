/** Compares the staged rows with those of the run, by joins throughout, and matches what differs. */

import { type Matched, matchRows } from '../../import/match.ts';
import { readAsNamed, readAsSaved } from '../../import/match-statements.ts';
import type { JoinOptions } from '../../port/import.ts';
import type { IngestSession } from './ingest-session.ts';
import { matchTables } from './ingest-tables.ts';
import { postgresStaging } from './staging.ts';

/** What a match came to, and when. */
export interface MatchedNow extends Matched {
  /** `run.change` at the time: while it is the same, so is the match. */
  readonly change: number;
  /** True once the run has rows. */
  readonly isAnyKnown: boolean;
}

/** An invalid row is compared again: the file it points at may exist now. */
const tickOff = `
  INSERT INTO pg_temp.unchanged (item, row, line, quality)
  SELECT m.key, s.row, s.line, s.quality FROM pg_temp.staged s JOIN items m
    ON m.identity = s.identity AND m.content = s.content AND m.input_digest = s.input_digest AND m.row = s.row
  WHERE m.gone = 0 AND m.status <> 'invalid' AND s.failure IS NULL`;

const toIncoming = (written: string): string => `
  INSERT INTO pg_temp.compared
    (row, line, id, folder, identity, content, input_digest, quality, failure, written)
  SELECT s.row, s.line, s.id, s.folder, s.identity, s.content, s.input_digest, s.quality, s.failure, ${written}
  FROM pg_temp.staged s`;

/** Undoes an earlier match of all staged rows with a run without any. */
const forgetTwins = 'UPDATE pg_temp.staged SET occurrence = 1 WHERE occurrence <> 1';

const takeOthers = `
  ${toIncoming('s.written')} WHERE NOT EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.row = s.row)`;

/**
 * Rows of one identity differ only by their order in the file, so they are numbered together or not at all. An unchanged
 * row with a twin in this file or an earlier one is therefore compared like the others: it may match its twin, or be a
 * new row. A row that `--add` brought back may have the same row number as its twin: both match one row of the file,
 * which is compared once.
 */
const takeUnchangedTwins = `
  ${toIncoming('NULL')} WHERE EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.row = s.row) AND s.identity IN (
    SELECT identity FROM pg_temp.incoming UNION ALL SELECT identity FROM items WHERE occurrence > 1)`;

const dropUnchangedTwins = `
  DELETE FROM pg_temp.unchanged u USING pg_temp.incoming i WHERE i.row = u.row`;

/**
 * Matches the staged rows, again if need be; `isAnyWritten` is true where some have local pictures. The caller holds a
 * transaction.
 */
export async function matchNow(
  session: IngestSession,
  join: JoinOptions,
  isAnyWritten: boolean,
): Promise<MatchedNow> {
  const change = await session.count('SELECT change AS n FROM run');
  const isAnyKnown = await session.is('SELECT EXISTS (SELECT 1 FROM items) AS found');
  await session.script(matchTables(isAnyKnown));
  if (isAnyKnown) await compare(session, isAnyWritten);
  else await session.run(forgetTwins);
  return { ...(await matchRows(postgresStaging(session), join, isAnyKnown)), change, isAnyKnown };
}

/** Ticks off the rows that are the same in the run. */
async function compare(session: IngestSession, isAnyWritten: boolean): Promise<void> {
  await session.script(`ANALYZE pg_temp.staged; ${tickOff}; ANALYZE pg_temp.unchanged; ${takeOthers}`);
  if (isAnyWritten) await session.script(`${readAsSaved}; ${readAsNamed}`);
  const twins = `${takeUnchangedTwins}; ${dropUnchangedTwins}`;
  await session.script(`ANALYZE pg_temp.compared; ${twins}; ANALYZE pg_temp.compared`);
}
