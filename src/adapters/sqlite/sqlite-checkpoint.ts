/** The checkpoint on SQLite. */

import { moveAtRest, type RestEvent } from '../../core/at-rest.ts';
import type { QualityCounts } from '../../core/estimate.ts';
import type { FailureGroups } from '../../core/failure-groups.ts';
import { type Artifact, type Item, qualities, type Status } from '../../core/item.ts';
import type { Source } from '../../core/question.ts';
import { createLedger, type Ledger, noteLargest } from '../../core/summary.ts';
import type { UncertainPlace } from '../../core/tick.ts';
import { CheckpointError, StaleItemError } from '../../errors.ts';
import type { Change, Checkpoint, KeptId, ReportRow } from '../../ports.ts';
import { pageRows, prepareStatements, type RowEdit, reportPageRows } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { digest } from './digest.ts';
import { raiseInputVersion } from './ingest-statements.ts';
import { artifactOf, groupByItem, type ItemRow, type ReportItemRow, sharedWithAttempt } from './item-rows.ts';
import {
  type GoneCounts,
  type Prices,
  readFailureGroups,
  readGoneCounts,
  readPendingQualities,
} from './run-totals.ts';
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
  readonly #sources = new Map<number, Source>();
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
      for (const change of changes) this.#write(change);
    });
    writeAll.deferred();
  }

  #write({ before, after }: Change): void {
    const { artifacts, ...columns } = after;
    const old = { oldStatus: before.status, oldToken: before.token };
    if (this.#statements.updateItem.run({ ...columns, ...old }).changes !== 1)
      throw new StaleItemError(after.id);
    if (after.token !== null && hasNewAttempt(before, after)) this.#statements.writeAttempt.run(columns);
    if (after.attempt > 1 && after.taskId !== null && after.taskId !== before.taskId)
      this.#statements.passTaskOn.run(columns);
    if (artifacts !== before.artifacts) this.#writeArtifacts(after.key, before.artifacts, artifacts);
    if (after.status === 'pending' && before.status !== 'pending') this.#takeEdit(after.key);
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

  /** What is known of prices. */
  prices(): Prices {
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

  /** All items of which a file was ever saved, in pages. */
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
      return { input: parseSaved(this.#db.name, row.input), source: this.#source(row.source) };
    });
  }

  async isContent(key: number, contents: readonly string[]): Promise<boolean> {
    return guard(this.#db.name, () => {
      const known = this.#statements.content.get(key)?.content;
      return known !== undefined && contents.some((content) => digest(content).equals(known));
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

  /**
   * Gives attempts the tasks that were kept for them while the disk was full; returns those that need not be kept any longer. A
   * task that another row has by now is not given: two rows with one task would hide which was paid.
   */
  takeKept(ids: readonly KeptId[], at: number): readonly KeptId[] {
    return guard(this.#db.name, () =>
      ids.filter(({ token, taskId }) => {
        const [item] = this.#withArtifacts(this.#statements.withToken.all(token));
        if (item === undefined || item.taskId === taskId) return item !== undefined;
        const [other] = this.#statements.ofTask.all(taskId);
        if (other !== undefined && other.key !== item.key) return false;
        const event: RestEvent | null =
          item.status === 'submitting'
            ? { type: 'creation-accepted', at, taskId }
            : item.status === 'uncertain'
              ? { type: 'task-adopted', at, taskId }
              : null;
        if (event === null) return false;
        this.commitNow([{ before: item, after: moveAtRest(item, event) }]);
        return true;
      }),
    );
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
    return { rows, last: end === undefined || found.length < reportPageRows ? null : end };
  }

  /** Those of these rows that stand in the reports. */
  async reportRowsOf(keys: readonly number[]): Promise<ReportRow[]> {
    return guard(this.#db.name, () =>
      this.#reportRows(this.#statements.reportRowsOf.all(JSON.stringify(keys))),
    );
  }

  /** What was read is filled up, not copied: five copies a row would take a tenth of a report. */
  #reportRows(found: readonly ReportItemRow[]): ReportRow[] {
    // A row that was never sent has neither: with a million that wait, not to look saves a tenth of a report.
    const keys = JSON.stringify(found.filter(({ attempt }) => attempt > 0).map(({ key }) => key));
    const artifacts = groupByItem(this.#statements.artifacts.all(keys));
    const attempts = groupByItem(this.#statements.attempts.all(keys));
    const isEdited = this.#statements.anyEdit.get()?.n === 1;
    const edits = groupByItem(isEdited ? this.#statements.editedInputs.all(keys) : []);
    const editOf = (key: number): ReportRow['edit'] => {
      const [edit] = edits.get(key) ?? [];
      return edit === undefined
        ? null
        : { input: inputOrNothing(edit.input), source: this.#source(edit.source) };
    };
    return found.map(
      (row): ReportRow => ({
        input: inputOrNothing(row.input),
        // Its text is not held beside what it says: pictures make it megabytes long.
        item: Object.assign(row, { input: '', artifacts: artifacts.get(row.key) ?? [] }),
        gone: row.gone === 1,
        source: this.#source(row.source),
        edit: isEdited ? editOf(row.key) : null,
        attempts: attempts.get(row.key) ?? [],
      }),
    );
  }

  /** What a new attempt of this item would send instead of its text so far; null where it is the same. */
  editOf(key: number): RowEdit | null {
    return guard(this.#db.name, () => this.#statements.editOf.get(key) ?? null);
  }

  /** Those of these items that have left the file are rows of the run again, until the next file is taken up. */
  takeBack(keys: readonly number[]): void {
    guard(this.#db.name, () => {
      if (this.#statements.takeBack.run(JSON.stringify(keys)).changes > 0) this.#db.exec(raiseInputVersion);
    });
  }

  /** Why rows ended badly, the most frequent kind first. */
  failureGroups(): FailureGroups {
    return guard(this.#db.name, () => readFailureGroups(this.#db));
  }

  /** Bad rows of the totals that are no longer in the file. */
  goneCounts(): GoneCounts {
    return guard(this.#db.name, () => readGoneCounts(this.#db));
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

const sharedFields = Object.keys(sharedWithAttempt) as (keyof typeof sharedWithAttempt)[];

/** An attempt's line changes with these only; a saved frame is no reason to write it again. */
function hasNewAttempt(before: Item, after: Item): boolean {
  return sharedFields.some((field) => before[field] !== after[field]);
}
