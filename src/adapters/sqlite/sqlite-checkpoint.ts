/** The checkpoint on SQLite. */

import { moveAtRest } from '../../core/at-rest.ts';
import { type Artifact, type Item, qualities, type Status } from '../../core/item.ts';
import { createLedger, type Ledger, noteLargest } from '../../core/summary.ts';
import type { UncertainPlace } from '../../core/tick.ts';
import { isLegal } from '../../core/transition.ts';
import { CheckpointError, codeOf, StaleItemError } from '../../errors.ts';
import type { AttemptTask } from '../../ports.ts';
import type { AttemptEnd, Change, Checkpoint, Prices, ReportRow, RowEdit } from '../../store.ts';
import { pageRows, prepareStatements } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { digest } from './digest.ts';
import { raiseInputVersion } from './ingest-statements.ts';
import { artifactOf, groupByItem, type ItemRow, sharedWithAttempt } from './item-rows.ts';
import { ReportRows } from './report-rows.ts';
import { countCreations } from './soundness.ts';

type Scope = 'all' | 'inFile';

/** What all rows and attempts come to, after so many changes. */
interface Counted {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly changes: number;
}

/** Told after each commit that starts creations how many there were in all, and before any of them leaves. */
type NoteCreations = (creations: number) => void;

/** A checkpoint over an open database; it closes nothing. */
export function createSqliteCheckpoint(
  db: Database,
  note?: NoteCreations,
  sound?: Promise<void>,
): SqliteCheckpoint {
  return new SqliteCheckpoint(db, note, sound);
}

export class SqliteCheckpoint implements Checkpoint {
  readonly #db: Database;
  readonly #statements;
  readonly #reports: ReportRows;
  readonly #note: NoteCreations;
  /**
   * Rejects with `CheckpointError` when the checkpoint is damaged. A large one is checked while it is read already; whoever
   * saves, submits or reports waits for this first, as `commit`, `pendingItems` and `reportRows` do.
   */
  readonly sound: Promise<void>;
  /** Counted at the first claim: who only looks or collects needs no such scan. */
  #creations: number | null = null;
  /** Counted up once until something changes: a start asks for it three times, and a million rows take a tenth of a second. */
  #known: Counted | null = null;

  constructor(db: Database, note: NoteCreations = () => {}, sound: Promise<void> = Promise.resolve()) {
    this.#db = db;
    this.#note = note;
    this.sound = sound;
    this.#statements = prepareStatements(db);
    this.#reports = new ReportRows(db);
  }

  async commit(changes: readonly Change[]): Promise<void> {
    await this.sound;
    if (changes.length === 0) return;
    guard(this.#db.name, () => this.commitNow(changes));
    const started = changes.reduce((sum, { before, after }) => sum + after.attempt - before.attempt, 0);
    if (started === 0) return;
    const before = this.#creations;
    this.#creations =
      before === null ? guard(this.#db.name, () => countCreations(this.#db)) : before + started;
    this.#note(this.#creations);
  }

  /**
   * `commit` for callers that are inside a transaction of their own. Not an immediate one, which would take the temporary tables
   * along: what an ingest left in them in memory is walked through at each end then, for 20,000 rows an eighth of a run.
   */
  commitNow(changes: readonly Change[]): void {
    const writeAll = this.#db.transaction(() => {
      const stale = changes.filter((change) => !this.#write(change)).map(({ after }) => after);
      if (stale.length > 0) throw new StaleItemError(stale);
    });
    writeAll.deferred();
  }

  /** False where the item moved on since the change was decided; what was written of it is rolled back with all the others. */
  #write({ before, after }: Change): boolean {
    const { artifacts, ...columns } = after;
    const old = { oldStatus: before.status, oldToken: before.token, oldVersion: before.version };
    if (this.#statements.updateItem.run({ ...columns, ...old }).changes !== 1) return false;
    if (after.attempt > 1 && after.taskId !== null && after.taskId !== before.taskId)
      this.#statements.passTaskOn.run(columns);
    if (after.token !== null && hasNewAttempt(before, after) && !this.#writeAttempt(columns)) return false;
    if (artifacts !== before.artifacts) this.#writeArtifacts(after.key, before.artifacts, artifacts);
    if (after.status === 'pending' && before.status !== 'pending') this.#takeEdit(after.key);
    return true;
  }

  /** False where the task belongs to another attempt. */
  #writeAttempt(columns: object): boolean {
    return unlessTaken(() => this.#statements.writeAttempt.run(columns));
  }

  /** What waits to be sent is the row as it stands in the file, whatever it was sent with before. */
  #takeEdit(key: number): void {
    if (this.#statements.takeEdit.run(key).changes === 0) return;
    this.#statements.takeEditedInput.run(key);
    this.#statements.dropEdit.run(key);
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
    return guard(this.#db.name, () => structuredClone(this.#counted().ledger));
  }

  async prices(): Promise<Prices> {
    return guard(this.#db.name, () => this.#counted().prices);
  }

  #counted(): Counted {
    // Who only looks does not see what another process writes; who holds the folder is alone in writing.
    const changes = this.#db.readonly ? Number.NaN : (this.#statements.changes.get()?.n ?? Number.NaN);
    if (this.#known === null || this.#known.changes !== changes)
      this.#known = { ...this.#countUp(), changes };
    return this.#known;
  }

  #countUp(): Omit<Counted, 'changes'> {
    const ledger = createLedger();
    for (const { status, count } of this.#statements.counts.all()) ledger.counts[status] = count;
    for (const { status, count } of this.#statements.uncounted.all()) ledger.counts[status] -= count;
    for (const { quality, value, unpriced } of this.#statements.reserving.all()) {
      ledger.reserving.set(quality, value);
      ledger.unpriced += unpriced;
    }
    const totals = this.#statements.totals.get();
    for (const quality of qualities) noteLargest(ledger, quality, totals?.[quality] ?? 0);
    ledger.spent = totals?.spent ?? 0;
    ledger.longestTaskMs = totals?.longestTaskMs ?? null;
    return { ledger, prices: { charged: totals?.charged ?? 0, perVideo: totals?.perVideo ?? null } };
  }

  async *items(statuses: readonly Status[], scope: Scope = 'all'): AsyncIterable<Item> {
    const mostGone = scope === 'all' ? 1 : 0;
    for (const status of statuses)
      yield* this.#paged((last) => this.#statements.page.all({ status, mostGone, ...last }));
  }

  itemsWithoutPoints(): AsyncIterable<Item> {
    return this.#paged((last) => this.#statements.pageWithoutPoints.all(last));
  }

  async *#paged(read: (last: { row: number; key: number }) => ItemRow[]): AsyncIterable<Item> {
    let last = { row: -1, key: -1 };
    while (true) {
      const page = guard(this.#db.name, () => this.#withArtifacts(read(last)));
      yield* page;
      const end = page.at(-1);
      if (end === undefined || page.length < pageRows) return;
      last = { row: end.row, key: end.key };
    }
  }

  async *filedItems(): AsyncIterable<Item> {
    let last = -1;
    while (true) {
      const page = guard(this.#db.name, () => this.#withArtifacts(this.#statements.filed.all(last)));
      yield* page;
      const end = page.at(-1);
      if (end === undefined) return;
      last = end.key;
    }
  }

  #withArtifacts(rows: readonly ItemRow[]): Item[] {
    if (rows.length === 0) return [];
    // A row that was never sent has none.
    const keys = rows.filter(({ attempt }) => attempt > 0).map(({ key }) => key);
    const found = keys.length === 0 ? [] : this.#statements.artifacts.all(JSON.stringify(keys));
    const artifacts = groupByItem(found);
    return rows.map((row) => ({ ...row, artifacts: (artifacts.get(row.key) ?? []).map(artifactOf) }));
  }

  async pendingItems(query: Parameters<Checkpoint['pendingItems']>[0]): Promise<Item[]> {
    // Who asks for these is about to send them, and moves the files of earlier attempts out of their way.
    await this.sound;
    const { limit } = query;
    return guard(this.#db.name, () => {
      const rows =
        query.only === null
          ? this.#statements.pending.all({ limit })
          : this.#statements.pendingOnly.all({ limit, only: JSON.stringify(query.only) });
      return this.#withArtifacts(rows);
    });
  }

  async hasPending(only: readonly string[] | null): Promise<boolean> {
    const names = only === null ? null : JSON.stringify(only);
    return guard(this.#db.name, () => this.#statements.somePending.get({ only: names }) !== undefined);
  }

  async pausedUntil(): Promise<number> {
    return guard(this.#db.name, () => this.#statements.pausedUntil.get()?.at ?? 0);
  }

  async input(key: number): Promise<Pick<ReportRow, 'input' | 'source'>> {
    return guard(this.#db.name, () => {
      const row = this.#statements.input.get(key);
      // What is paid for next is what was read from the file, to the last bit.
      if (row === undefined || !digest(row.input).equals(row.inputDigest))
        throw new CheckpointError(
          `the question in ${this.#db.name} is not as it was saved; \`batch run FILE\` reads it again`,
        );
      return { input: parseSaved(this.#db.name, row.input), source: this.#reports.source(row.source) };
    });
  }

  async isContent(key: number, contents: readonly string[]): Promise<boolean> {
    return guard(this.#db.name, () => {
      const known = this.#statements.content.get(key)?.content;
      return known !== undefined && contents.some((content) => digest(content).equals(known));
    });
  }

  async itemWithKey(key: number): Promise<Item | null> {
    return guard(this.#db.name, () => this.itemNow(key));
  }

  /** `itemWithKey` for callers that are inside a transaction of their own. */
  itemNow(key: number): Item | null {
    return this.#withArtifacts(this.#statements.withKey.all(key))[0] ?? null;
  }

  async saveLateTasks(tasks: readonly AttemptTask[], at: number): Promise<readonly AttemptTask[]> {
    await this.sound;
    return guard(this.#db.name, () => tasks.filter((task) => this.#saveLateTask(task, at)));
  }

  /** An attempt that its item has left keeps the task for itself; else the answer moves the item, if anything is left to move. */
  #saveLateTask(task: AttemptTask, at: number): boolean {
    const { token, taskId } = task;
    if (this.#statements.isTaskOf.get(task) !== undefined) return true;
    const [item] = this.#withArtifacts(this.#statements.withToken.all(token));
    if (item === undefined)
      return (
        unlessTaken(() => this.#statements.saveLateTask.run(task)) &&
        this.#statements.isTaskOf.get(task) !== undefined
      );
    if (!isLegal(item.status, 'creation-accepted')) return false;
    const after = moveAtRest(item, { type: 'creation-accepted', at, taskId });
    if (after.taskId !== taskId) return false;
    try {
      this.commitNow([{ before: item, after }]);
      return true;
    } catch (error) {
      if (error instanceof StaleItemError) return false;
      throw error;
    }
  }

  async unpricedAttempts(limit: number): Promise<readonly AttemptTask[]> {
    return guard(this.#db.name, () => this.#statements.unpricedAttempts.all(limit));
  }

  async savePoints(task: AttemptTask, end: AttemptEnd): Promise<void> {
    await this.sound;
    guard(this.#db.name, () => this.#statements.savePoints.run({ ...task, ...end }));
  }

  async itemsWithIds(ids: readonly string[], scope: Scope = 'all'): Promise<Item[]> {
    const query = { ids: JSON.stringify(ids), mostGone: scope === 'all' ? 1 : 0 };
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.withIds.all(query)));
  }

  async itemOfTask(taskId: string): Promise<Item | null> {
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.ofTask.all(taskId))[0] ?? null);
  }

  async uncertainPlaces(): Promise<UncertainPlace[]> {
    return guard(this.#db.name, () => this.#statements.uncertainPlaces.all());
  }

  async *reportRows(): AsyncIterable<ReportRow> {
    await this.sound;
    yield* this.#reports.all();
  }

  /** Those of these rows that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<ReportRow[]> {
    return this.#reports.withKeys(keys);
  }

  async editOf(key: number): Promise<RowEdit | null> {
    return guard(this.#db.name, () => this.#statements.editOf.get(key) ?? null);
  }

  async takeBack(keys: readonly number[]): Promise<void> {
    await this.sound;
    guard(this.#db.name, () => {
      if (this.#statements.takeBack.run(JSON.stringify(keys)).changes > 0) this.#db.exec(raiseInputVersion);
    });
  }
}

const sharedFields = Object.keys(sharedWithAttempt) as (keyof typeof sharedWithAttempt)[];

/** An attempt's line changes with these only; a saved frame is no reason to write it again. */
function hasNewAttempt(before: Item, after: Item): boolean {
  return sharedFields.some((field) => before[field] !== after[field]);
}

/** False where the statement named a task that belongs to another attempt. */
function unlessTaken(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER') return false;
    throw error;
  }
}
