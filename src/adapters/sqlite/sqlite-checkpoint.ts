/** The checkpoint on SQLite. */

import type { QualityCounts } from '../../core/estimate.ts';
import type { FailureGroups } from '../../core/failure-groups.ts';
import type { Artifact, Item, Status } from '../../core/item.ts';
import type { Source } from '../../core/question.ts';
import { createLedger, type Ledger, noteLargest } from '../../core/summary.ts';
import { CheckpointError, StaleItemError } from '../../errors.ts';
import type { Change, Checkpoint, ReportRow } from '../../ports.ts';
import { pageRows, prepareStatements } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { digest } from './digest.ts';
import { groupByItem, type ItemRow } from './item-rows.ts';
import {
  type GoneCounts,
  type Prices,
  readFailureGroups,
  readGoneCounts,
  readPendingQualities,
  readPrices,
} from './outcome.ts';
import { countCreations } from './soundness.ts';

type Scope = 'all' | 'inFile';

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
  /** Counted at the first claim: who only looks or collects needs no such scan. */
  #creations: number | null = null;

  constructor(db: Database, note: NoteCreations = () => {}) {
    this.#db = db;
    this.#note = note;
    this.#statements = prepareStatements(db);
  }

  async commit(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    guard(this.#db.name, () => this.commitNow(changes));
    const started = changes.reduce((sum, { before, after }) => sum + after.attempt - before.attempt, 0);
    if (started === 0) return;
    const before = this.#creations;
    this.#creations =
      before === null ? guard(this.#db.name, () => countCreations(this.#db)) : before + started;
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
    const rows = this.#reportRows(found);
    const end = found.at(-1);
    return { rows, last: end === undefined || found.length < pageRows ? null : end };
  }

  /** Those of these rows that stand in the reports. */
  async reportRowsOf(keys: readonly number[]): Promise<ReportRow[]> {
    return guard(this.#db.name, () =>
      this.#reportRows(this.#statements.reportRowsOf.all(JSON.stringify(keys))),
    );
  }

  #reportRows(found: readonly (ItemRow & { gone: number; input: string; source: number })[]): ReportRow[] {
    const keys = JSON.stringify(found.map((row) => row.key));
    const artifacts = groupByItem(this.#statements.artifacts.all(keys));
    const attempts = groupByItem(this.#statements.attempts.all(keys));
    return found.map(
      ({ gone, input, source, ...item }): ReportRow => ({
        item: { ...item, artifacts: artifacts.get(item.key) ?? [] },
        gone: gone === 1,
        input: inputOrNothing(input),
        source: this.#source(source),
        attempts: attempts.get(item.key) ?? [],
      }),
    );
  }

  /** Why rows ended badly, the most frequent kind first. */
  failureGroups(): FailureGroups {
    return guard(this.#db.name, () => readFailureGroups(this.#db));
  }

  /** Bad rows of the totals that are not in the file any more. */
  goneCounts(): GoneCounts {
    return guard(this.#db.name, () => readGoneCounts(this.#db));
  }

  /** What is known of prices. */
  prices(): Prices {
    return guard(this.#db.name, () => readPrices(this.#db));
  }

  /** Rows that wait to be submitted, by the quality of their own; `only` names ids. */
  pendingQualities(only: readonly string[] | null): QualityCounts {
    return guard(this.#db.name, () => readPendingQualities(this.#db, only));
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
