/** Reads the whole run as records, as of one moment. */

import { CheckpointError } from '../../errors.ts';
import {
  type ArchivedAttempt,
  type ArchivedEdit,
  type ArchivedHookCall,
  type ArchivedRow,
  type ArchiveRecord,
  archiveVersion,
} from '../../store.ts';
import type { IngestSession } from './ingest-session.ts';
import {
  type ArtifactRow,
  type EarlierCorrectionRow,
  type EarlierInputRow,
  earlierCorrectionColumns,
  earlierInputColumns,
  groupByItem,
  type ItemRow,
  itemColumns,
  readArtifacts,
} from './item-rows.ts';
import { readCorrections, readMarks, readPreferences } from './reviews.ts';

/** Rows read at a time. */
const pageRows = 1_000;

/** The caller may not pause for long between two records: the server gives up idle transactions. */
export async function* dumpRun(session: IngestSession): AsyncGenerator<ArchiveRecord> {
  await session.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    yield* dump(session);
  } finally {
    await session.script('ROLLBACK').catch(() => {});
  }
}

async function* dump(session: IngestSession): AsyncGenerator<ArchiveRecord> {
  yield { type: 'head', version: archiveVersion };
  for (const setting of await session.rows<{ name: string; value: string }>(
    `SELECT name, value FROM settings WHERE name <> 'moved' ORDER BY name`,
  ))
    yield { type: 'setting', ...setting };
  for (const source of await session.rows<{ key: number; source: string }>(
    'SELECT key, source FROM sources ORDER BY key',
  ))
    yield { type: 'source', ...source };
  let rows = 0;
  for await (const row of dumpRows(session)) {
    rows += 1;
    yield row;
  }
  for await (const picture of pagesOf<Recorded<'picture'>>(session, readPictures, ({ path }) => path))
    yield { type: 'picture', ...picture };
  for await (const seen of pagesOf<Recorded<'inspection'>>(session, readInspections, ({ sha256 }) => sha256))
    yield { type: 'inspection', ...seen };
  yield { type: 'end', rows };
}

type Recorded<Type> = Omit<Extract<ArchiveRecord, { type: Type }>, 'type'> & Record<string, unknown>;

const readPictures = `
  SELECT path, size_bytes AS "sizeBytes", modified_at AS "modifiedAt", digest FROM pictures WHERE path > $1
  ORDER BY path LIMIT ${pageRows}`;

const readInspections = `
  SELECT sha256, facts, findings FROM inspections WHERE sha256 COLLATE "C" > $1
  ORDER BY sha256 COLLATE "C" LIMIT ${pageRows}`;

/** All rows of a table with texts as keys; the query takes the last key so far. */
async function* pagesOf<T extends Record<string, unknown>>(
  session: IngestSession,
  query: string,
  keyOf: (row: T) => string,
): AsyncGenerator<T> {
  for (let last = ''; ; ) {
    const page = await session.rows<T>(query, last);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageRows) return;
    last = keyOf(end);
  }
}

type RowColumns = ItemRow &
  Omit<ArchivedRow, 'type' | 'item' | 'edit' | 'attempts' | 'hooks'> & { readonly input: string | null };

const readRows = `
  SELECT ${itemColumns}, gone, encode(identity, 'hex') AS identity, occurrence, encode(content, 'hex') AS content,
    encode(input_digest, 'hex') AS "inputDigest", source, questions.input AS input,
    encode(pictured.written, 'hex') AS written, orders.round AS ordered, ended_round AS "endedRound"
  FROM items LEFT JOIN questions ON questions.item = key LEFT JOIN pictured ON pictured.item = key
    LEFT JOIN orders ON orders.item = key
  WHERE key > $1 ORDER BY key LIMIT ${pageRows}`;

const readAttempts = `
  SELECT item, attempt, token, request_hash AS "requestHash", quality, submitted_at AS "submittedAt",
    ended_at AS "endedAt", status, task_id AS "taskId", points::float8 AS points, failure,
    title, created_at AS "createdAt", finish_at AS "finishAt"
  FROM attempts WHERE item = ANY ($1) ORDER BY item, attempt`;

const readEdits = `
  SELECT item, encode(content, 'hex') AS content, encode(input_digest, 'hex') AS "inputDigest", source, quality,
    failure, input
  FROM edits WHERE item = ANY ($1)`;

const readHooks = `
  SELECT item, attempt, state, tries, ended_at AS "endedAt", failure
  FROM hook_calls WHERE item = ANY ($1) ORDER BY item, attempt`;

const readInputs = `SELECT ${earlierInputColumns} FROM earlier_inputs WHERE item = ANY ($1) ORDER BY item, attempt`;

const readSentCorrections = `
  SELECT ${earlierCorrectionColumns} FROM earlier_corrections WHERE item = ANY ($1) ORDER BY item, attempt`;

/** With the key of its item. */
type Owned<T> = { readonly [Name in keyof T | 'item']: Name extends keyof T ? T[Name] : number };

async function* dumpRows(session: IngestSession): AsyncGenerator<ArchivedRow> {
  for (let last = -1; ; ) {
    const page = await session.rows<RowColumns & Record<string, unknown>>(readRows, last);
    const keys = page.map(({ key }) => key);
    const artifacts = await readArtifacts(session.asker, keys);
    const attempts = groupByItem(await session.rows<Owned<ArchivedAttempt>>(readAttempts, keys));
    const edits = groupByItem(await session.rows<Owned<ArchivedEdit>>(readEdits, keys));
    const preferences = await readPreferences(session.asker, keys);
    const corrections = await readCorrections(session.asker, keys);
    const marks = Map.groupBy(await readMarks(session.asker, keys), ({ key }) => key);
    const hooks = groupByItem(await session.rows<Owned<ArchivedHookCall>>(readHooks, keys));
    const inputs = groupByItem(
      await session.rows<EarlierInputRow & Record<string, unknown>>(readInputs, keys),
    );
    const sentCorrections = groupByItem(
      await session.rows<EarlierCorrectionRow & Record<string, unknown>>(readSentCorrections, keys),
    );
    for (const row of page) {
      const { gone, identity, occurrence, content, inputDigest, source, input, written, ...rest } = row;
      const { ordered, endedRound, ...item } = rest;
      if (input === null)
        throw new CheckpointError(`the run is damaged (row ${item.id} has lost its question)`);
      const [edit] = edits.get(item.key) ?? [];
      const files = (artifacts.get(item.key) ?? []).map(without<ArtifactRow>);
      yield {
        type: 'row',
        item: { ...item, artifacts: files.sort(byPlace) },
        ...{ gone, identity, occurrence, content, inputDigest, source, input, written },
        edit: edit === undefined ? null : without(edit),
        attempts: (attempts.get(item.key) ?? []).map(without),
        earlierInputs: (inputs.get(item.key) ?? []).map(without<EarlierInputRow>),
        earlierCorrections: (sentCorrections.get(item.key) ?? []).map(without<EarlierCorrectionRow>),
        preferred: preferences.get(item.key) ?? null,
        correction: corrections.get(item.key) ?? null,
        marks: (marks.get(item.key) ?? []).map(({ key: _, id: __, ...mark }) => mark),
        hooks: (hooks.get(item.key) ?? []).map(without),
        ...{ ordered, endedRound },
      };
    }
    if (page.length < pageRows) return;
    last = keys.at(-1) ?? 0;
  }
}

function byPlace(a: Omit<ArtifactRow, 'item'>, b: Omit<ArtifactRow, 'item'>): number {
  return a.ordinal - b.ordinal || (a.kind < b.kind ? -1 : 1);
}

function without<T extends { readonly item: number }>({ item: _, ...rest }: T): Omit<T, 'item'> {
  return rest;
}
