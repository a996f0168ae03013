/** The checkpoint on SQLite. */

import type { Artifact, Item, Status } from '../../core/item.ts';
import { fixed } from '../../core/policy.ts';
import type { Source } from '../../core/question.ts';
import { createLedger, type Ledger, noteLargest, reservingStatuses } from '../../core/summary.ts';
import { CheckpointError, StaleItemError } from '../../errors.ts';
import type { Change, Checkpoint, ReportRow } from '../../ports.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { digest } from './digest.ts';
import {
  type ArtifactRow,
  type AttemptRow,
  artifactColumns,
  attemptColumns,
  groupByItem,
  type ItemRow,
  itemColumns,
  type QualityNumber,
  type StatusCount,
} from './item-rows.ts';
import { countCreations } from './soundness.ts';

type Scope = 'all' | 'inFile';

/** Rows read at a time: large enough to be quick, small enough not to stop the tick. */
const pageRows = 500;

/**
 * Rows that count: those in the input, and gone ones that had a task, so that no charged point is ever left out. A gone
 * row without one has no story.
 */
const isVisible = `(gone = 0 OR (attempt > 0 AND (status NOT IN ('pending', 'rejected', 'invalid')
  OR EXISTS (SELECT 1 FROM attempts WHERE item = items.key AND attempts.task_id IS NOT NULL))))`;

/** Rows in the totals: one that left the file gets no new attempt, so while it is pending it is not work left to do. */
const isCounted = `${isVisible} AND NOT (gone = 1 AND status = 'pending')`;

/** `pauseEnd` in SQL: a pause that ends further ahead than any is long was set before the clock was put back. */
const isPauseOver = `(not_before <= @now OR not_before > @now + ${fixed.retryAfterMaxMs})`;

/** Told after each commit that starts creations how many there were in all, and before any of them leaves. */
type NoteCreations = (creations: number) => void;

/** A checkpoint over an open database; it closes nothing. */
export function createSqliteCheckpoint(db: Database, note?: NoteCreations): SqliteCheckpoint {
  return new SqliteCheckpoint(db, note);
}

export class SqliteCheckpoint implements Checkpoint {
  readonly #db: Database;
  readonly #statements;
  readonly #sources = new Map<number, Source>();
  readonly #note: NoteCreations;
  #creations: number;

  constructor(db: Database, note: NoteCreations = () => {}) {
    this.#db = db;
    this.#note = note;
    this.#statements = prepareStatements(db);
    this.#creations = countCreations(db);
  }

  async commit(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    guard(this.#db.name, () => this.commitNow(changes));
    const started = changes.reduce((sum, { before, after }) => sum + after.attempt - before.attempt, 0);
    if (started === 0) return;
    this.#creations += started;
    this.#note(this.#creations);
  }

  /** `commit` for callers that are inside a transaction of their own. */
  commitNow(changes: readonly Change[]): void {
    this.#db
      .transaction(() => {
        for (const change of changes) this.#write(change);
      })
      .immediate();
  }

  #write({ before, after }: Change): void {
    const { artifacts, ...columns } = after;
    const old = { oldStatus: before.status, oldToken: before.token };
    if (this.#statements.updateItem.run({ ...columns, ...old }).changes !== 1)
      throw new StaleItemError(after.id);
    if (after.token !== null && hasNewAttempt(before, after)) this.#statements.writeAttempt.run(columns);
    if (artifacts !== before.artifacts) this.#writeArtifacts(after.key, before.artifacts, artifacts);
  }

  #writeArtifacts(item: number, before: readonly Artifact[], after: readonly Artifact[]): void {
    const known = new Set(before);
    for (const artifact of after)
      if (!known.has(artifact)) this.#statements.writeArtifact.run({ item, ...artifact });
    // A set: comparing each with each would hold a run for hours where a service names thousands of frames.
    const kept = new Set(after.map(({ kind, ordinal }) => `${kind} ${ordinal}`));
    for (const { kind, ordinal } of before) {
      if (!kept.has(`${kind} ${ordinal}`)) this.#statements.deleteArtifact.run({ item, kind, ordinal });
    }
  }

  async ledger(): Promise<Ledger> {
    return guard(this.#db.name, () => {
      const ledger = createLedger();
      for (const { status, count } of this.#statements.counts.all()) ledger.counts[status] = count;
      for (const { quality, value } of this.#statements.largest.all()) noteLargest(ledger, quality, value);
      for (const { quality, value } of this.#statements.reserving.all()) ledger.reserving.set(quality, value);
      const totals = this.#statements.totals.get();
      ledger.spent = totals?.spent ?? 0;
      ledger.longestTaskMs = totals?.longestTaskMs ?? null;
      return ledger;
    });
  }

  async *items(statuses: readonly Status[], scope: Scope = 'all'): AsyncIterable<Item> {
    const mostGone = scope === 'all' ? 1 : 0;
    for (const status of statuses) {
      let last = { row: -1, key: -1 };
      while (true) {
        const page = guard(this.#db.name, () =>
          this.#withArtifacts(this.#statements.page.all({ status, mostGone, ...last })),
        );
        yield* page;
        const end = page.at(-1);
        if (end === undefined || page.length < pageRows) break;
        last = { row: end.row, key: end.key };
      }
    }
  }

  #withArtifacts(rows: readonly ItemRow[]): Item[] {
    const keys = JSON.stringify(rows.map((row) => row.key));
    const artifacts = groupByItem(this.#statements.artifacts.all(keys));
    return rows.map((row) => ({ ...row, artifacts: artifacts.get(row.key) ?? [] }));
  }

  async pendingItems(query: Parameters<Checkpoint['pendingItems']>[0]): Promise<Item[]> {
    const { limit, now } = query;
    return guard(this.#db.name, () => {
      const rows =
        query.only === null
          ? this.#statements.pending.all({ now, limit })
          : this.#statements.pendingOnly.all({ now, limit, only: JSON.stringify(query.only) });
      return rows.map((row) => ({ ...row, artifacts: [] }));
    });
  }

  async nextPendingAt(only: readonly string[] | null): Promise<number | null> {
    return guard(this.#db.name, () => {
      const names = only === null ? null : JSON.stringify(only);
      return this.#statements.nextPending.get({ only: names })?.at ?? null;
    });
  }

  async input(key: number): Promise<Pick<ReportRow, 'input' | 'source'>> {
    return guard(this.#db.name, () => {
      const row = this.#statements.input.get(key);
      // What is paid for next is what was read from the file, to the last bit.
      if (row === undefined || !digest(row.input).equals(row.inputDigest))
        throw new CheckpointError(
          `the question in ${this.#db.name} is not as it was saved; \`batch run FILE\` reads it again`,
        );
      return { input: parseSaved(this.#db.name, row.input), source: this.#source(row.source) };
    });
  }

  #source(key: number): Source {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const row = this.#statements.source.get(key);
    if (row === undefined) throw new Error(`source ${key} is missing`);
    const source: Source = parseSaved(this.#db.name, row.source);
    this.#sources.set(key, source);
    return source;
  }

  async itemWithKey(key: number): Promise<Item | null> {
    return guard(this.#db.name, () => this.itemNow(key));
  }

  /** `itemWithKey` for callers that are inside a transaction of their own. */
  itemNow(key: number): Item | null {
    return this.#withArtifacts(this.#statements.withKey.all(key))[0] ?? null;
  }

  async itemsWithIds(ids: readonly string[], scope: Scope = 'all'): Promise<Item[]> {
    const query = { ids: JSON.stringify(ids), mostGone: scope === 'all' ? 1 : 0 };
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.withIds.all(query)));
  }

  async itemOfTask(taskId: string): Promise<Item | null> {
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.ofTask.all(taskId))[0] ?? null);
  }

  async uncertainSince(since: number): Promise<number[]> {
    return guard(this.#db.name, () => this.#statements.uncertainSince.all(since).map((row) => row.at));
  }

  async *reportRows(): AsyncIterable<ReportRow> {
    let last = { gone: -1, row: -1, key: -1 };
    while (true) {
      const page = guard(this.#db.name, () => this.#reportPage(last));
      yield* page.rows;
      if (page.last === null) return;
      last = page.last;
    }
  }

  #reportPage(after: { gone: number; row: number; key: number }) {
    const found = this.#statements.reportPage.all(after);
    const keys = JSON.stringify(found.map((row) => row.key));
    const artifacts = groupByItem(this.#statements.artifacts.all(keys));
    const attempts = groupByItem(this.#statements.attempts.all(keys));
    const rows = found.map(
      ({ gone, input, source, ...item }): ReportRow => ({
        item: { ...item, artifacts: artifacts.get(item.key) ?? [] },
        gone: gone === 1,
        input: inputOrNothing(input),
        source: this.#source(source),
        attempts: attempts.get(item.key) ?? [],
      }),
    );
    const end = found.at(-1);
    return { rows, last: end === undefined || found.length < pageRows ? null : end };
  }

  /** A value kept with the run, or null. */
  setting(name: string): string | null {
    return guard(this.#db.name, () => this.#statements.readSetting.get(name)?.value ?? null);
  }

  saveSetting(name: string, value: string): void {
    guard(this.#db.name, () => this.#statements.writeSetting.run(name, value));
  }
}

/** A report without the words of one row is worth more than no report: what was paid must be found in it. */
function inputOrNothing(text: string): ReportRow['input'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** An attempt's line changes with these only; a saved frame is no reason to write it again. */
function hasNewAttempt(before: Item, after: Item): boolean {
  return (
    before.token !== after.token ||
    before.status !== after.status ||
    before.taskId !== after.taskId ||
    before.points !== after.points ||
    before.failure !== after.failure
  );
}

function prepareStatements(db: Database) {
  const reserving = [...reservingStatuses].map((status) => `'${status}'`).join(', ');
  type Last = { row: number; key: number };
  return {
    updateItem: db.prepare<object>(`
      UPDATE items SET status = @status, quality = @quality, attempt = @attempt, token = @token,
        request_hash = @requestHash, tries = @tries, not_before = @notBefore, submitted_at = @submittedAt,
        ended_at = @endedAt, task_id = @taskId, points = @points, failure = @failure, title = @title,
        created_at = @createdAt, finish_at = @finishAt, detail = @detail, misses = @misses, renewals = @renewals
      WHERE key = @key AND status = @oldStatus AND token IS @oldToken`),
    writeAttempt: db.prepare<object>(`
      INSERT INTO attempts (item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure)
      VALUES (@key, @attempt, @token, @requestHash, @quality, @submittedAt, @endedAt, @status, @taskId, @points, @failure)
      ON CONFLICT (item, attempt) DO UPDATE SET submitted_at = excluded.submitted_at, ended_at = excluded.ended_at,
        status = excluded.status, task_id = excluded.task_id, points = excluded.points, failure = excluded.failure
      WHERE token = excluded.token`),
    writeArtifact: db.prepare<object>(`
      INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries)
      VALUES (@item, @kind, @ordinal, @remoteId, @state, @path, @sizeBytes, @sha256, @tries)
      ON CONFLICT (item, kind, ordinal) DO UPDATE SET remote_id = excluded.remote_id, state = excluded.state,
        path = excluded.path, size_bytes = excluded.size_bytes, sha256 = excluded.sha256, tries = excluded.tries`),
    deleteArtifact: db.prepare<object>(
      'DELETE FROM artifacts WHERE item = @item AND kind = @kind AND ordinal = @ordinal',
    ),
    counts: db.prepare<[], StatusCount>(
      `SELECT status, count(*) AS count FROM items WHERE ${isCounted} GROUP BY status`,
    ),
    largest: db.prepare<[], QualityNumber>(
      `SELECT coalesce(quality, 'm') AS quality, max(points) AS value FROM attempts WHERE points > 0 GROUP BY 1`,
    ),
    reserving: db.prepare<[], QualityNumber>(
      `SELECT coalesce(quality, 'm') AS quality, count(*) AS value FROM items WHERE status IN (${reserving}) GROUP BY 1`,
    ),
    totals: db.prepare<[], { spent: number; longestTaskMs: number | null }>(
      `SELECT total(points) AS spent, max(0, max(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL)) AS longestTaskMs
       FROM attempts`,
    ),
    page: db.prepare<{ status: Status; mostGone: number } & Last, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE status = @status AND (row, key) > (@row, @key) AND gone <= @mostGone
       ORDER BY row, key LIMIT ${pageRows}`,
    ),
    pending: db.prepare<{ now: number; limit: number }, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE status = 'pending' AND gone = 0 AND ${isPauseOver}
       ORDER BY row LIMIT @limit`,
    ),
    pendingOnly: db.prepare<{ now: number; limit: number; only: string }, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE status = 'pending' AND gone = 0 AND ${isPauseOver}
       AND id IN (SELECT value FROM json_each(@only)) ORDER BY row LIMIT @limit`,
    ),
    nextPending: db.prepare<{ only: string | null }, { at: number | null }>(
      `SELECT min(not_before) AS at FROM items WHERE status = 'pending' AND gone = 0
       AND (@only IS NULL OR id IN (SELECT value FROM json_each(@only)))`,
    ),
    input: db.prepare<[number], { input: string; inputDigest: Uint8Array; source: number }>(
      `SELECT input, input_digest AS inputDigest, source FROM questions JOIN items ON items.key = questions.item
       WHERE questions.item = ?`,
    ),
    source: db.prepare<[number], { source: string }>('SELECT source FROM sources WHERE key = ?'),
    withKey: db.prepare<[number], ItemRow>(`SELECT ${itemColumns} FROM items WHERE key = ?`),
    withIds: db.prepare<{ ids: string; mostGone: number }, ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE id IN (SELECT value FROM json_each(@ids)) AND gone <= @mostGone ORDER BY row`,
    ),
    ofTask: db.prepare<[string], ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE key = (SELECT item FROM attempts WHERE task_id = ?)`,
    ),
    uncertainSince: db.prepare<[number], { at: number }>(
      `SELECT submitted_at AS at FROM items WHERE status = 'uncertain' AND submitted_at > ?`,
    ),
    artifacts: db.prepare<[string], ArtifactRow>(
      `SELECT ${artifactColumns} FROM artifacts WHERE item IN (SELECT value FROM json_each(?)) ORDER BY item, ordinal`,
    ),
    attempts: db.prepare<[string], AttemptRow>(
      `SELECT ${attemptColumns} FROM attempts WHERE item IN (SELECT value FROM json_each(?)) ORDER BY item, attempt`,
    ),
    reportPage: db.prepare<
      { gone: number } & Last,
      ItemRow & { gone: number; input: string; source: number }
    >(
      `SELECT ${itemColumns}, gone, input, source FROM items JOIN questions ON questions.item = items.key
       WHERE (gone, row, key) > (@gone, @row, @key) AND ${isVisible} ORDER BY gone, row, key LIMIT ${pageRows}`,
    ),
    readSetting: db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?'),
    writeSetting: db.prepare<[string, string]>(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ),
  };
}
