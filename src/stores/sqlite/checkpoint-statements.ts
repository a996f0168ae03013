/** The statements on the checkpoint's tables, prepared once for each open database. */

import { twinStart } from '../../messages/reasons/rows.ts';
import { type Quality, qualities, type Status } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import type { OrderedFinal } from '../../money/review/final.ts';
import { sqlList } from '../../money/statuses.ts';
import type { UncertainPlace } from '../../money/tick.ts';
import type { AttemptTask } from '../../ports.ts';
import { askedPauseSetting, readAskedPause, saveAskedPause } from '../asked-pause.ts';
import { usedQuality } from '../core-words.ts';
import * as sql from '../item-rows.ts';
import type { beforeFirst } from '../pages.ts';
import type { RowEdit, UnpricedAttempt } from '../port/checkpoint.ts';
import type { Prices } from '../port/reading.ts';
import { steeringSetting } from '../port/settings.ts';
import { type ReportItemRow, selectReportRows, usedSources } from '../report-rows.ts';
import { type InspectionRow, inspectionsWhere } from '../reviews.ts';
import { isPaid } from '../run-totals.ts';
import { databaseName, type ItemRow, itemColumns, lifeAssignments } from '../tables.ts';
import { type TurnRows, turns } from '../turns.ts';
import type { Database } from './database.ts';
import { dialect } from './dialect.ts';

/**
 * Rows read at a time for the reports, with their files and attempts: pages of 100 fit into the processor's cache and take
 * a sixth less time than pages of 500.
 */
export const reportPageRows = 100;

/** Gone rows in the totals. A pending one gets no new attempt, so it is not work left to do. */
const isGoneCounted = `gone = 1 AND ${dialect.isShown} AND status <> 'pending'`;

/**
 * For queries about pending rows: by itself SQLite scans all rows in order and each time passes those that are done,
 * a second for half a million. With the index it only passes rows that left the file unsent: 0.05 ms for a thousand.
 */
const byStatus = 'INDEXED BY items_by_status';

/** `isSameTask` in SQL; the index of the attempts by task is on the same expression. */
const isTask = (taskId: string): string => `lower(ltrim(task_id, '0')) = lower(ltrim(${taskId}, '0'))`;

/** Totals over all attempts: points, the longest task (ms), and the largest points of one attempt by quality. */
interface AttemptTotals extends Readonly<Record<Quality, number | null>>, Prices {
  readonly spent: number;
  readonly longestTaskMs: number | null;
}

/** How many rows have this status. */
interface StatusCount {
  readonly status: Status;
  readonly count: number;
}

type Place = typeof beforeFirst;

interface Reserving {
  readonly quality: Quality;
  readonly value: number;
  readonly unpriced: number;
}

/** The statements of a checkpoint, besides those of its changes and totals. */
export function prepareStatements(db: Database) {
  return { ...prepareReading(db), ...preparePending(db), ...prepareSteering(db), ...prepareAttempts(db) };
}

/** The statements that write a change of an item. */
export function prepareChanges(db: Database) {
  return {
    updateItem: db.prepare<object>(`
      UPDATE items SET ${lifeAssignments}
      WHERE key = @key AND status = @oldStatus AND token IS @oldToken AND version = @oldVersion
        AND (gone = 0 OR status <> 'pending' OR @status <> 'submitting')`),
    writeAttempt: db.prepare<object>(`
      INSERT INTO attempts (item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure)
      VALUES (@key, @attempt, @token, @requestHash, @quality, @submittedAt, @endedAt, @status, @taskId, @points, @failure)
      ON CONFLICT (item, attempt) DO UPDATE SET request_hash = excluded.request_hash, submitted_at = excluded.submitted_at,
        ended_at = excluded.ended_at, status = excluded.status, task_id = excluded.task_id, points = excluded.points,
        failure = excluded.failure
      WHERE token = excluded.token`),
    // A task that also answered a later attempt belongs to that attempt: its points count once.
    passTaskOn: db.prepare<object>(
      `UPDATE attempts SET task_id = NULL, points = 0 WHERE item = @key AND attempt < @attempt AND ${isTask('@taskId')}`,
    ),
    writeArtifact: db.prepare<object>(`
      INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries)
      VALUES (@item, @kind, @ordinal, @remoteId, @state, @path, @sizeBytes, @sha256, @tries)
      ON CONFLICT (item, kind, ordinal) DO UPDATE SET remote_id = excluded.remote_id, state = excluded.state,
        path = excluded.path, size_bytes = excluded.size_bytes, sha256 = excluded.sha256, tries = excluded.tries`),
    deleteArtifact: db.prepare<object>(
      'DELETE FROM artifacts WHERE item = @item AND kind = @kind AND ordinal = @ordinal',
    ),
    // The attempt so far was for another text: a late reply to it does not belong to this row any more.
    applyEdit: db.prepare<[number]>(`
      UPDATE items SET token = NULL, content = e.content, input_digest = e.input_digest, source = e.source, quality = e.quality,
        identity = CASE WHEN identity = items.content THEN e.content ELSE identity END,
        occurrence = CASE WHEN identity <> items.content THEN occurrence
          ELSE (SELECT coalesce(max(o.occurrence), 0) + 1 FROM items o WHERE o.identity = e.content) END
      FROM edits e WHERE e.item = items.key AND items.key = ?`),
    applyEditedInput: db.prepare<[number]>(
      'UPDATE questions SET input = e.input FROM edits e WHERE e.item = questions.item AND questions.item = ?',
    ),
    dropEdit: db.prepare<[number]>('DELETE FROM edits WHERE item = ?'),
  };
}

/** The statements of the totals over all rows and attempts. */
export function prepareTotals(db: Database) {
  const reserving = sqlList('reserving');
  return {
    changes: db.prepare<[], { n: number }>('SELECT total_changes() AS n'),
    // Counts all rows in the index, then subtracts the gone ones that do not count: testing each of a million takes
    // twice as long.
    counts: db.prepare<[], StatusCount>('SELECT status, count(*) AS count FROM items GROUP BY status'),
    held: db.prepare<[], { readonly n: number }>(
      `SELECT count(*) AS n FROM items WHERE status = 'invalid' AND gone = 0 AND failure LIKE '${twinStart}%'`,
    ),
    uncounted: db.prepare<[], StatusCount>(
      `SELECT status, count(*) AS count FROM items WHERE gone = 1 AND NOT (${isGoneCounted}) GROUP BY status`,
    ),
    // `isReserving` in SQL, over all attempts: a superseded attempt may still cost points.
    reserving: db.prepare<[], Reserving>(
      `SELECT ${usedQuality('quality')} AS quality, count(*) AS value, count(*) FILTER (WHERE status NOT IN ${reserving}) AS unpriced
       FROM attempts WHERE points IS NULL AND (status IN ${reserving} OR task_id IS NOT NULL) GROUP BY 1`,
    ),
    // One scan of all attempts; grouping by quality would sort them and take four times as long.
    totals: db.prepare<[], AttemptTotals>(
      `SELECT total(points) AS spent, max(0, max(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL)) AS longestTaskMs,
         ${qualities.map((each) => `max(points) FILTER (WHERE ${usedQuality('quality')} = '${each}') AS ${each}`)},
         count(*) FILTER (WHERE points > 0) AS charged, avg(points) FILTER (WHERE status = 'completed') AS perVideo
       FROM attempts`,
    ),
  };
}

/** Which rows are sent next: those that wait, that a retry ordered, or that come back to the file. */
function preparePending(db: Database) {
  return {
    pending: eachTurn(({ where, order }) =>
      db.prepare<{ limit: number }, ItemRow>(
        `SELECT ${itemColumns} FROM items ${byStatus} WHERE status = 'pending' AND gone = 0 AND ${where} ORDER BY ${order} LIMIT @limit`,
      ),
    ),
    // By id, because few ids are named and a million rows may be pending.
    pendingOnly: eachTurn(({ where, order }) =>
      db.prepare<{ limit: number; only: string }, ItemRow>(
        `SELECT ${itemColumns} FROM items INDEXED BY items_by_id WHERE status = 'pending' AND gone = 0 AND ${where}
         AND id IN (SELECT value FROM json_each(@only)) ORDER BY ${order} LIMIT @limit`,
      ),
    ),
    // Orders of rows that were sent are gone: the first ones are still to be sent.
    pendingOrdered: eachTurn(({ where, orderOfOrders }) =>
      db.prepare<{ limit: number; retry: number }, ItemRow>(
        `SELECT ${itemColumns} FROM orders CROSS JOIN items ON items.key = orders.item
         WHERE orders.round = @retry AND items.status = 'pending' AND items.gone = 0 AND ${where}
         ORDER BY ${orderOfOrders} LIMIT @limit`,
      ),
    ),
    somePending: (paid: PaidRows) =>
      db.prepare<object, { row: number }>(
        `SELECT row FROM items ${byStatus} WHERE status = 'pending' AND gone = 0 AND ${isPaid(dialect, paid)} LIMIT 1`,
      ),
    orderedCount: db.prepare<[number], { n: number }>(
      `SELECT count(*) AS n FROM orders CROSS JOIN items ON items.key = orders.item
       WHERE orders.round = ? AND items.status = 'pending' AND items.gone = 0`,
    ),
    order: db.prepare<{ round: number; keys: string }>(
      `INSERT INTO orders (item, round) SELECT key, @round FROM items
       WHERE key IN (SELECT value FROM json_each(@keys)) AND status = 'pending'
       ON CONFLICT (item) DO UPDATE SET round = excluded.round`,
    ),
    // Prepared when it is needed: a run of an earlier version, which is only looked at, has no such table.
    orderFinals: () =>
      db.prepare<OrderedFinal & { readonly item: number }>(
        `INSERT INTO finals (item, quality, draft, since) SELECT key, @quality, @draft, attempt + 1 FROM items WHERE key = @item
         ON CONFLICT (item) DO UPDATE SET quality = excluded.quality, draft = excluded.draft, since = excluded.since`,
      ),
    takeBack: db.prepare<[string]>(
      'UPDATE items SET gone = 0 WHERE gone = 1 AND key IN (SELECT value FROM json_each(?))',
    ),
    refusedAlike: db.prepare<{ limit: number }, ItemRow>(sql.refusedAlike),
  };
}

/** How items are read, and what belongs to them. */
function prepareReading(db: Database) {
  return {
    page: db.prepare<{ status: Status; mostGone: number; until: number } & Place, ItemRow>(sql.itemPage),
    filed: db.prepare<{ key: number }, ItemRow>(sql.filedPage),
    pageWithoutPoints: db.prepare<Place, ItemRow>(sql.pageWithoutPoints),
    withKey: db.prepare<{ key: number }, ItemRow>(sql.itemWithKey),
    withKeys: db.prepare<{ keys: string }, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE key IN (SELECT value FROM json_each(@keys))`,
    ),
    withIds: db.prepare<{ ids: string; mostGone: number }, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE id IN (SELECT value FROM json_each(@ids)) AND gone <= @mostGone ORDER BY row`,
    ),
    ofTask: db.prepare<[string], ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE key = (SELECT item FROM attempts WHERE ${isTask('?')})`,
    ),
    input: db.prepare<{ key: number }, sql.SavedInput>(sql.savedInput('= @key')),
    content: db.prepare<{ key: number }, { content: Uint8Array }>(sql.savedContent),
    editOf: db.prepare<{ key: number }, RowEdit>(sql.editOfItem),
    uncertainPlaces: db.prepare<[], UncertainPlace>(sql.uncertainPlaces),
    artifacts: prepareOf(db, 'artifacts'),
  };
}

/** What another process may order. */
function prepareSteering(db: Database) {
  return {
    steering: db.prepare<[], { n: number }>(
      `SELECT json_extract(value, '$.number') AS n FROM settings WHERE name = '${steeringSetting}'`,
    ),
    savePause: db.prepare<{ until: number }>(
      saveAskedPause(`VALUES ('${askedPauseSetting}', CAST(CAST(@until AS INTEGER) AS TEXT))`),
    ),
    pausedUntil: db.prepare<[], { at: number }>(readAskedPause),
  };
}

/** Attempts that a later one has superseded. */
function prepareAttempts(db: Database) {
  return {
    // Scans all attempts for the token, but only for tasks that came late.
    attempt: db.prepare<{ token: string }, { item: number; taskId: string | null; isNamed: 0 | 1 }>(
      sql.attemptWithToken,
    ),
    giveTask: db.prepare<AttemptTask & { before: string | null }>(
      `UPDATE attempts SET task_id = @taskId, status = 'open', points = NULL, failure = NULL, ended_at = NULL,
         title = NULL, created_at = NULL, finish_at = NULL
       WHERE token = @token AND task_id IS @before
         AND (SELECT token FROM items WHERE items.key = attempts.item) IS NOT attempts.token`,
    ),
    unpricedAttempts: db.prepare<{ limit: number }, UnpricedAttempt>(sql.unpricedAttempts),
    savePoints: db.prepare<object>(
      `UPDATE attempts SET status = @status, points = coalesce(@points, points), ended_at = coalesce(ended_at, @at)
       WHERE ${isTask('@taskId')} AND token = @token
         AND (SELECT token FROM items WHERE items.key = attempts.item) IS NOT attempts.token`,
    ),
  };
}

/** The statements for rows whose turn it is, and for those that wait until the others are sent. */
function eachTurn<T>(prepare: (rows: TurnRows) => T): { readonly first: T; readonly later: T } {
  return { first: prepare(turns.first), later: prepare(turns.later) };
}

const ofItems = sql.statementsOfItems('item IN (SELECT value FROM json_each(?))');

/** What belongs to the items with these keys, a JSON list. */
export function prepareOf<T extends sql.OfItems>(db: Database, table: T) {
  return db.prepare<[string], sql.RowsOfItems[T][number]>(ofItems[table]);
}

const ofRange = sql.statementsOfItems('item BETWEEN ? AND ?');

/** What belongs to the items with keys from one to another. */
function prepareOfRange<T extends sql.OfItems>(db: Database, table: T) {
  return db.prepare<[number, number], sql.RowsOfItems[T][number]>(ofRange[table]);
}

/** What was seen of the videos with these digests, a JSON list. */
export function prepareInspections(db: Database) {
  return db.prepare<[string], InspectionRow>(inspectionsWhere('sha256 IN (SELECT value FROM json_each(?))'));
}

/** 1 for each table that has rows: with a million rows, reading nothing from those that have none takes a tenth of the time. */
type FilledTables = Readonly<Record<sql.OfItems | 'inspections', 0 | 1>>;

const filledTables = [
  ...sql.kindsOfItems.map((table) => `${databaseName(table)} WHERE item IS NOT NULL) AS "${table}"`),
  'inspections) AS "inspections"',
].map((rest) => `EXISTS (SELECT 1 FROM ${rest}`);

/** The statements of the reports. */
export function prepareReportStatements(db: Database) {
  return {
    filled: db.prepare<[], FilledTables>(`SELECT ${filledTables.join(', ')}`),
    source: db.prepare<[number], { source: string }>('SELECT source FROM sources WHERE key = ?'),
    sources: db.prepare<[], { key: number }>(usedSources),
    reportPage: db.prepare<{ gone: number } & Place, ReportItemRow>(
      `${selectReportRows} WHERE (gone, row, key) > (@gone, @row, @key) AND ${dialect.isShown}
       ORDER BY gone, row, key LIMIT ${reportPageRows}`,
    ),
    reportRowsOf: db.prepare<[string], ReportItemRow>(
      `${selectReportRows} WHERE key IN (SELECT value FROM json_each(?)) AND ${dialect.isShown}`,
    ),
    ofItems: sql.ofEachKind((kind) => prepareOf(db, kind)),
    ofRange: sql.ofEachKind((kind) => prepareOfRange(db, kind)),
    inspections: prepareInspections(db),
  };
}
