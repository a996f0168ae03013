/** How both stores read items and what belongs to them: statements that SQLite and PostgreSQL both understand. */

import { inOrder } from '../money/artifacts.ts';
import { type Artifact, type Item, type Quality, statuses } from '../money/item.ts';
import type { Final } from '../money/review/final.ts';
import type { Correction, ReviewMark } from '../money/review.ts';
import type { Decision } from './port/decisions.ts';
import {
  type ArtifactRow,
  type AttemptRow,
  artifactColumns,
  attemptColumns,
  databaseName,
  type EarlierCorrectionRow,
  type EarlierInputRow,
  groupByItem,
  type ItemRow,
  itemColumns,
  missingTables,
  type Owned,
  selectList,
  tables,
} from './tables.ts';

/** Rows read at a time: large enough to be fast, small enough not to delay the tick. */
export const pageRows = 500;

const pageOf = (condition: string): string => `
  SELECT ${itemColumns} FROM items WHERE ${condition} AND (row, key) > (@row, @key) ORDER BY row, key LIMIT ${pageRows}`;

export const itemPage = pageOf('status = @status AND gone <= @mostGone AND ended_round <= @until');

export const pageWithoutPoints = pageOf(
  "status = 'completed' AND coalesce(points, 0) = 0 AND task_id IS NOT NULL",
);

export const filedPage = `
  SELECT ${itemColumns} FROM items WHERE key > @key AND (attempt > 0 OR version > 0)
    AND EXISTS (SELECT 1 FROM artifacts WHERE item = items.key AND sha256 IS NOT NULL) ORDER BY key LIMIT ${pageRows}`;

export const refusedAlike = `
  SELECT ${itemColumns} FROM items WHERE turn = 'again' AND status = 'rejected' AND gone = 0 ORDER BY row LIMIT @limit`;

export const itemWithKey = `SELECT ${itemColumns} FROM items WHERE key = @key`;

export const uncertainPlaces = `
  SELECT id, submitted_at AS at FROM items WHERE status = 'uncertain' AND submitted_at IS NOT NULL`;

/** `finals`: false for a run that keeps none. */
export const savedInput = (which: string, finals = true): string => `
  SELECT questions.item AS key, input, input_digest AS "inputDigest", source,
    ${finals ? '(SELECT quality FROM finals WHERE item = items.key)' : 'NULL'} AS quality
  FROM questions JOIN items ON items.key = questions.item WHERE questions.item ${which}`;

/** A row of `savedInput`. */
export interface SavedInput {
  readonly key: number;
  readonly input: string;
  readonly inputDigest: Uint8Array;
  readonly source: number;
  /** Of a final; null where none was ordered. */
  readonly quality: Quality | null;
}

export const savedContent = 'SELECT content FROM items WHERE key = @key';

export const editOfItem = 'SELECT quality, failure FROM edits WHERE item = @key';

export const attemptWithToken = `
  SELECT item, task_id AS "taskId", request_hash IS NULL AS "isNamed" FROM attempts WHERE token = @token`;

export const unpricedAttempts = `
  SELECT a.token, a.task_id AS "taskId", a.ended_at AS "endedAt" FROM attempts a JOIN items i ON i.key = a.item
  WHERE a.task_id IS NOT NULL AND a.points IS NULL AND i.token IS DISTINCT FROM a.token LIMIT @limit`;

/** What belongs to items, as it is read with them. */
export interface RowsOfItems {
  readonly artifacts: readonly ArtifactRow[];
  readonly attempts: readonly AttemptRow[];
  readonly edits: readonly Owned<{ readonly input: string; readonly source: number }>[];
  readonly earlierInputs: readonly EarlierInputRow[];
  readonly earlierCorrections: readonly EarlierCorrectionRow[];
  readonly corrections: readonly Owned<Correction>[];
  readonly preferences: readonly Owned<{ readonly attempt: number }>[];
  readonly finals: readonly FinalRow[];
  readonly marks: readonly Owned<ReviewMark>[];
  readonly decisions: readonly Owned<Decision>[];
}

/** A row of `finals`; `stands` is 1 while its draft stands for the row. */
type FinalRow = Owned<Omit<Final, 'isDraftStanding'>> & { readonly stands: number };

export type OfItems = keyof RowsOfItems;

/** How one of these tables is read. */
interface Reading {
  readonly columns: string;
  readonly order: string;
  /** Rows that never changed may have some, too. */
  readonly isOfAll: boolean;
}

/** True for a row with the video of a final that nobody calls bad. */
const hasGoodFinal = `EXISTS (
    SELECT 1 FROM (
      SELECT CASE kind WHEN 'video' THEN (SELECT attempt FROM items WHERE key = finals.item) ELSE ordinal END AS attempt
      FROM artifacts WHERE item = finals.item AND state = 'saved' AND kind IN ('video', 'earlier-video')
    ) AS made
    WHERE attempt >= finals.since AND NOT EXISTS (
      SELECT 1 FROM marks WHERE item = finals.item AND mark = 'bad' AND marks.attempt = made.attempt))`;

const readings: Readonly<Record<OfItems, Reading>> = {
  // `filesByItem` sorts the few of an item in a third of the time.
  artifacts: { columns: artifactColumns, order: 'item', isOfAll: false },
  attempts: { columns: attemptColumns, order: 'item, attempt', isOfAll: false },
  edits: { columns: 'item, input, source', order: 'item', isOfAll: false },
  earlierInputs: { columns: selectList(tables.earlierInputs), order: 'item, attempt', isOfAll: false },
  earlierCorrections: {
    columns: selectList(tables.earlierCorrections),
    order: 'item, attempt',
    isOfAll: false,
  },
  corrections: { columns: selectList(tables.corrections), order: 'item', isOfAll: true },
  preferences: { columns: selectList(tables.preferences), order: 'item', isOfAll: false },
  finals: {
    columns: `${selectList(tables.finals)}, CASE WHEN ${hasGoodFinal} THEN 0 ELSE 1 END AS stands`,
    order: 'item',
    isOfAll: true,
  },
  marks: { columns: selectList(tables.marks), order: 'item, reviewer', isOfAll: true },
  decisions: { columns: selectList(tables.decisions), order: 'item, number', isOfAll: true },
};

export const kindsOfItems = Object.keys(readings) as readonly OfItems[];

/** Those of a run of this schema. */
export function kindsKeptBy(schema: number): readonly OfItems[] {
  const missing: readonly string[] = missingTables(schema);
  return kindsOfItems.filter((kind) => !missing.includes(kind));
}

/** One value for each kind. */
export function ofEachKind<T>(make: (kind: OfItems) => T): Readonly<Record<OfItems, T>> {
  return Object.fromEntries(kindsOfItems.map((kind) => [kind, make(kind)])) as Record<OfItems, T>;
}

/** The rows of which `item` meets this condition. */
export function statementsOfItems(condition: string): Readonly<Record<OfItems, string>> {
  return ofEachKind(
    (kind) =>
      `SELECT ${readings[kind].columns} FROM ${databaseName(kind)} WHERE ${condition} ORDER BY ${readings[kind].order}`,
  );
}

/** The keys of the rows that may have some of this kind. */
export function keysFor(
  kind: OfItems,
  rows: readonly Pick<Item, 'key' | 'attempt' | 'version'>[],
): readonly number[] {
  return readings[kind].isOfAll ? rows.map(({ key }) => key) : sentKeys(rows);
}

/** Rows that are as they were imported have neither files nor attempts. One that reuses a video has files without an attempt. */
export function sentKeys(rows: readonly Pick<Item, 'key' | 'attempt' | 'version'>[]): readonly number[] {
  return rows.filter(({ attempt, version }) => attempt > 0 || version > 0).map(({ key }) => key);
}

/** Files by their item, in the order in which items have them. */
export function filesByItem(files: readonly ArtifactRow[]): ReadonlyMap<number, ArtifactRow[]> {
  const groups = groupByItem(files);
  for (const group of groups.values()) if (group.length > 1) group.sort(inOrder);
  return groups;
}

/** The items of these rows, with their files. */
export function itemsOf(rows: readonly ItemRow[], files: readonly ArtifactRow[]): Item[] {
  const artifacts = filesByItem(files);
  return rows.map((row) => itemOf(row, artifacts.get(row.key)));
}

/** Databases give each word of each row as a text of its own: all items share one. */
const sharedWords: ReadonlyMap<string, string> = new Map(
  [...statuses, 'first', 'video', 'frame', 'saved'].map((word) => [word, word]),
);

function shared<T extends string>(word: T): T {
  return (sharedWords.get(word) ?? word) as T;
}

const noFiles: readonly Artifact[] = [];

/** Field by field: with copies of what a database gives, each of 100,000 open tasks takes 1.3 kB instead of 1.1 kB. */
function itemOf(row: ItemRow, files: readonly ArtifactRow[] | undefined): Item {
  const { id, folder } = row;
  return {
    key: row.key,
    row: row.row,
    id,
    folder: folder === id ? id : folder,
    status: shared(row.status),
    quality: row.quality,
    attempt: row.attempt,
    version: row.version,
    token: row.token,
    requestHash: row.requestHash,
    notBefore: row.notBefore,
    turn: shared(row.turn),
    submittedAt: row.submittedAt,
    endedAt: row.endedAt,
    taskId: row.taskId,
    points: row.points,
    failure: row.failure,
    title: row.title,
    createdAt: row.createdAt,
    finishAt: row.finishAt,
    detail: row.detail,
    misses: row.misses,
    renewals: row.renewals,
    artifacts: files?.map(fileOf) ?? noFiles,
  };
}

function fileOf({ kind, ordinal, remoteId, state, path, sizeBytes, sha256, tries }: ArtifactRow): Artifact {
  return { kind: shared(kind), ordinal, remoteId, state: shared(state), path, sizeBytes, sha256, tries };
}

/** New and changed files, and those that are no longer known. */
export function changedFiles(before: readonly Artifact[], after: readonly Artifact[]) {
  const known = new Set(before);
  // A set: comparing each with each would take hours if a service lists thousands of frames.
  const kept = new Set(after.map(({ kind, ordinal }) => `${kind} ${ordinal}`));
  return {
    written: after.filter((artifact) => !known.has(artifact)),
    removed: before.filter(({ kind, ordinal }) => !kept.has(`${kind} ${ordinal}`)),
  };
}
