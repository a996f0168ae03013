/** Imports a matched file into the run. */

import { randomUUID } from 'node:crypto';
import { folderNameApart } from '../../../files/output-paths.ts';
import { moveAtRest } from '../../../money/at-rest.ts';
import { statusesOfFate } from '../../../money/plan.ts';
import { hexDigest } from '../../digest.ts';
import { applyStatements } from '../../import/apply-statements.ts';
import { lastRow } from '../../import/plan-statements.ts';
import type { Change } from '../../port/checkpoint.ts';
import type { IngestOptions } from '../../port/import.ts';
import { type ItemRow, itemColumns } from '../../tables.ts';
import { commitCall, refusalOf } from '../commit-call.ts';
import { withArtifacts } from '../item-rows.ts';
import * as sql from './ingest-apply-statements.ts';
import { buildIndexes, dropIndexes } from './ingest-indexes.ts';
import type { MatchedNow } from './ingest-match.ts';
import type { IngestSession } from './ingest-session.ts';
import { dialect, postgresStaging } from './staging.ts';

const both = applyStatements(dialect);

/** Rows changed or renamed at a time: few round trips, and little memory. */
const pageRows = 1_000;

/** What is imported, and by whom. */
export interface Importing {
  readonly matched: MatchedNow;
  readonly options: IngestOptions;
  /** Some rows have local pictures. */
  readonly isAnyWritten: boolean;
  /** The name of this process. */
  readonly worker: string;
}

/**
 * Writes everything, in the transaction of the caller, who holds the run's lock and has counted a change. False where the
 * run was the same already.
 */
export async function applyMatched(session: IngestSession, importing: Importing): Promise<boolean> {
  const { matched, options, isAnyWritten } = importing;
  const { isAnyKnown, isAnyFound } = matched;
  const source = await saveSource(session, options);
  const lastKey = await session.count(both.greatestKey);
  const offset = options.add ? await session.count(lastRow) : 0;
  const moved = isAnyKnown ? await updateKnown(session, source, options) : 0;
  const fresh = await insertNew(session, { source, offset, lastKey });
  const edited = isAnyFound ? await changeTexts(session, source, importing) : 0;
  let others = 0;
  if (isAnyWritten) others += await keepPictured(session, { offset, lastKey });
  // A row that is unchanged may name a picture that was read again.
  others += await session.run(sql.keepPictures);
  if (isAnyKnown) others += await session.run(sql.dropEdits);
  if (isAnyFound) others += await postgresStaging(session).run(both.keepEdits, { source });
  // A process that follows the run notices changes of status by itself, and no others.
  if (moved + edited > 0) await session.run('UPDATE run SET input_version = input_version + 1');
  return moved + fresh + edited + others > 0;
}

async function saveSource(session: IngestSession, { source }: IngestOptions): Promise<number> {
  const text = JSON.stringify(source);
  await postgresStaging(session).run(both.saveSource, { text });
  return session.count(sql.sourceKey, text);
}

/** Returns how often it changed a known row. */
async function updateKnown(
  session: IngestSession,
  source: number,
  { add, isMended }: IngestOptions,
): Promise<number> {
  let changes = 0;
  const run = async (statement: string): Promise<void> => {
    changes += await postgresStaging(session).run(statement, { source });
  };
  if (isMended) await run(both.leaveMended);
  if (!add) {
    await run(both.moveRows);
    await run(both.leave);
  }
  await run(both.comeBack);
  changes += await renumber(session);
  await run(both.updateQuestions);
  await run(both.updateInputDigests);
  await run(both.updateSources);
  return changes;
}

/** Ids follow the file. A row that lost its id to another row and has no new one is named after the old id. */
async function renumber(session: IngestSession): Promise<number> {
  await session.script(sql.findBereft);
  let changes = await session.run(both.renumber);
  const named = await session.run(sql.nameBereft);
  if (named > 0)
    for (const { key } of await session.rows<{ key: number }>(sql.doubledBereft))
      await session.run(sql.setIdApart, key);
  await session.script(sql.dropBereft);
  changes += named;
  return changes + (await session.run(both.renumberTwins));
}

/** Where new rows are put. */
interface NewPlaces {
  readonly source: number;
  /** The last row number and the last key so far; the first is 0 where the file replaces the rows of the run. */
  readonly offset: number;
  readonly lastKey: number;
}

async function insertNew(session: IngestSession, { source, offset, lastKey }: NewPlaces): Promise<number> {
  const areFirst = lastKey === 0;
  if (areFirst) await session.script(dropIndexes);
  const count = await session.run(sql.insertItems, lastKey, offset, source);
  if (count === 0) return 0;
  await postgresStaging(session).run(both.insertQuestions, { lastKey, offset });
  if (areFirst) await session.script(buildIndexes);
  await session.run(sql.setNewIdsApart, lastKey);
  await setFoldersApart(session, lastKey);
  return count;
}

interface Twin {
  readonly key: number;
  readonly id: string;
  readonly folder: string;
}

async function setFoldersApart(session: IngestSession, lastKey: number): Promise<void> {
  const twins = await session.rows<Twin & Record<string, unknown>>(sql.takenFolders, lastKey);
  for (let start = 0; start < twins.length; start += pageRows)
    await renameFolders(session, twins.slice(start, start + pageRows));
}

async function renameFolders(session: IngestSession, twins: readonly Twin[]): Promise<void> {
  const renamed = new Map<string, { readonly key: number; readonly folder: string }>();
  let left = twins;
  for (let salt = 1; left.length > 0; salt += 1) {
    const tries = left.map((twin) => {
      const folder = folderNameApart(twin.folder, hexDigest(`${twin.key} ${twin.id} ${salt}`));
      return { twin, folder, name: folder.toLowerCase() };
    });
    const found = await session.rows<{ name: string }>(
      sql.folderNames,
      tries.map(({ name }) => name),
    );
    const taken = new Set(found.map(({ name }) => name));
    left = tries.flatMap(({ twin, folder, name }) => {
      if (taken.has(name) || renamed.has(name)) return [twin];
      renamed.set(name, { key: twin.key, folder });
      return [];
    });
  }
  const all = [...renamed.values()];
  await session.run(
    sql.renameFolders,
    all.map(({ key }) => key),
    all.map(({ folder }) => folder),
  );
}

/** Rows whose text is another one now, and that take it: never sent, or to be sent again. Returns their number. */
async function changeTexts(
  session: IngestSession,
  source: number,
  { options, worker }: Importing,
): Promise<number> {
  const { at, rerunChanged } = options;
  const unsent = await session.run(sql.findChanged(statusesOfFate('takes-text')));
  if (unsent > 0)
    await moveChanged(session, worker, (before, failure) =>
      moveAtRest(before, { type: 'question-changed', at, failure }),
    );
  if (unsent > 0) await takeTexts(session, source);
  if (!rerunChanged) return unsent;
  // A row keeps its paid result if its new text cannot be sent.
  const rerun = await session.run(sql.findChanged(statusesOfFate('rerunnable'), 'i.failure IS NULL'));
  if (rerun === 0) return unsent;
  await moveChanged(session, worker, (before) => moveAtRest(before, { type: 'retry-ordered', at }));
  await takeTexts(session, source);
  return unsent + rerun;
}

async function takeTexts(session: IngestSession, source: number): Promise<void> {
  await session.run(sql.takeText, source);
  await session.run(sql.takeInput);
  await session.run(sql.forgetChanged);
}

/** Moves the items of `changed` by the rules of the core, in pages. */
async function moveChanged(
  session: IngestSession,
  worker: string,
  move: (before: Change['before'], failure: string | null) => Change['after'],
): Promise<void> {
  const readItems = `SELECT ${itemColumns} FROM items WHERE key = ANY ($1) ORDER BY key`;
  const badRows = await session.count('SELECT bad_rows AS n FROM run');
  for (let last = -1; ; ) {
    const page = await session.rows<{ key: number; failure: string | null }>(sql.changedPage, last, pageRows);
    const end = page.at(-1);
    if (end === undefined) break;
    const failures = new Map(page.map(({ key, failure }) => [key, failure]));
    const found = await session.rows<ItemRow & Record<string, unknown>>(readItems, [...failures.keys()]);
    const items = await withArtifacts(session.asker, found);
    const changes = items.map((before) => ({
      before,
      after: move(before, failures.get(before.key) ?? null),
    }));
    await commit(session, worker, changes);
    last = end.key;
  }
  // A row that cannot be sent as it is in the file now has not ended badly in this round.
  await session.run('UPDATE run SET bad_rows = $1', badRows);
}

async function commit(session: IngestSession, worker: string, changes: readonly Change[]): Promise<void> {
  const { text, values } = commitCall({ id: randomUUID(), worker }, changes);
  try {
    await session.rows(text, ...values);
  } catch (error) {
    throw refusalOf(error, changes);
  }
}

/** Which rows name local pictures, and by what. Returns how many rows it wrote. */
async function keepPictured(
  session: IngestSession,
  places: Pick<NewPlaces, 'lastKey' | 'offset'>,
): Promise<number> {
  const read = await session.run(both.takeBytes);
  const fresh = await postgresStaging(session).run(both.keepNewNames, places);
  return read + fresh + (await session.run(both.keepKnownNames));
}
