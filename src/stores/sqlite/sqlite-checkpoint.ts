/** The checkpoint on SQLite. */

import { NoRoomError, StaleItemError } from '../../errors.ts';
import type { AttemptNow } from '../../money/answers/late-answers.ts';
import type { Item, Status } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import type { Source } from '../../money/question.ts';
import type { Ledger } from '../../money/summary.ts';
import type { UncertainPlace } from '../../money/tick.ts';
import type { AttemptTask } from '../../ports.ts';
import { askedPause } from '../asked-pause.ts';
import { asSaved, digest } from '../digest.ts';
import { itemsOf, pageRows, sentKeys } from '../item-rows.ts';
import { beforeFirst, eachOf, inPages } from '../pages.ts';
import type {
  AttemptEnd,
  Change,
  Checkpoint,
  CommitEnd,
  CommitExtras,
  OrderExtras,
  RowEdit,
  SentInput,
  UnpricedAttempt,
} from '../port/checkpoint.ts';
import type { Decision } from '../port/decisions.ts';
import type { Prices, ReportRow } from '../port/reading.ts';
import type { ItemRow } from '../tables.ts';
import { turns } from '../turns.ts';
import { prepareStatements } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { writeDecisions } from './decided/decisions.ts';
import { readCorrections } from './decided/reviews.ts';
import { bound } from './dialect.ts';
import { raiseInputVersion } from './import/apply-statements.ts';
import { ItemChanges, unlessTaken } from './item-changes.ts';
import { ReportRows } from './report-rows.ts';
import { LedgerTotals } from './run-totals.ts';
import { countCreations } from './soundness.ts';

type Scope = 'all' | 'inFile';

/** The reply of a local file is never lost. */
const answered: CommitEnd = { isAnswered: true };

/** Called with the number of all creations after each commit that starts some, before any of them leaves. */
type NoteCreations = (creations: number) => void;

/** A checkpoint over an open database; closes nothing. */
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
  readonly #changes: ItemChanges;
  readonly #totals: LedgerTotals;
  readonly #reports: ReportRows;
  readonly #note: NoteCreations;
  /**
   * Rejects with `CheckpointError` when the checkpoint is damaged. A large one is read while its check still runs;
   * everything that saves, submits or reports awaits this first, as `commit`, `pendingItems` and `reportRows` do.
   */
  readonly sound: Promise<void>;
  /** Counted at the first claim: commands that send nothing need no such scan. */
  #creations: number | null = null;

  constructor(db: Database, note: NoteCreations = () => {}, sound: Promise<void> = Promise.resolve()) {
    this.#db = db;
    this.#note = note;
    this.sound = sound;
    this.#statements = prepareStatements(db);
    this.#changes = new ItemChanges(db);
    this.#totals = new LedgerTotals(db);
    this.#reports = new ReportRows(db);
  }

  async commit(changes: readonly Change[], extras?: CommitExtras): Promise<CommitEnd> {
    await this.sound;
    if (changes.length === 0) return answered;
    guard(this.#db.name, () => this.commitNow(changes, extras?.room?.steering, extras?.decisions));
    const started = changes.reduce((sum, { before, after }) => sum + after.attempt - before.attempt, 0);
    if (started === 0) return answered;
    const before = this.#creations;
    this.#creations =
      before === null ? guard(this.#db.name, () => countCreations(this.#db)) : before + started;
    this.#note(this.#creations);
    return answered;
  }

  /**
   * `commit` for callers inside their own transaction. It is deferred because an immediate one includes the temporary
   * tables: SQLite would walk the memory that an ingest left there at each commit, an eighth of a run of 20,000 rows.
   * `steering` is the last change of the steering that claims among the changes were decided on.
   */
  commitNow(changes: readonly Change[], steering?: number, decisions: readonly Decision[] = []): void {
    const writeAll = this.#db.transaction(() => {
      const stale = changes.filter((change) => !this.#changes.write(change)).map(({ after }) => after);
      if (stale.length > 0) throw new StaleItemError(stale);
      const until = askedPause(changes);
      if (until > 0) this.#statements.savePause.run({ until });
      // Another process may write this one thing; it may lower the cap that these claims were decided on.
      if (steering !== undefined && (this.#statements.steering.get()?.n ?? 0) > steering)
        throw new NoRoomError();
      writeDecisions(this.#db, decisions);
    });
    writeAll.deferred();
  }

  /** Notes the creations of rows that came from elsewhere. */
  noteAll(): void {
    this.#creations = guard(this.#db.name, () => countCreations(this.#db));
    this.#note(this.#creations);
  }

  async ledger(): Promise<Ledger> {
    return guard(this.#db.name, () => structuredClone(this.#totals.now().ledger));
  }

  async prices(): Promise<Prices> {
    return guard(this.#db.name, () => this.#totals.now().prices);
  }

  async *items(
    statuses: readonly Status[],
    scope: Scope = 'all',
    until: number = Number.MAX_SAFE_INTEGER,
  ): AsyncIterable<Item> {
    const mostGone = scope === 'all' ? 1 : 0;
    for (const status of statuses)
      yield* this.#paged(({ row, key }) => this.#statements.page.all({ status, mostGone, until, row, key }));
  }

  itemsWithoutPoints(): AsyncIterable<Item> {
    return this.#paged(({ row, key }) => this.#statements.pageWithoutPoints.all({ row, key }));
  }

  filedItems(): AsyncIterable<Item> {
    return this.#paged(({ key }) => this.#statements.filed.all({ key }));
  }

  async *#paged(read: (last: typeof beforeFirst) => ItemRow[]): AsyncIterable<Item> {
    const readPage = (last: typeof beforeFirst): Item[] =>
      guard(this.#db.name, () => this.#withArtifacts(read(last)));
    for await (const page of inPages(beforeFirst, pageRows, readPage)) yield* page;
  }

  #withArtifacts(rows: readonly ItemRow[]): Item[] {
    const keys = sentKeys(rows);
    return itemsOf(rows, keys.length === 0 ? [] : this.#statements.artifacts.all(JSON.stringify(keys)));
  }

  async pendingItems(query: Parameters<Checkpoint['pendingItems']>[0]): Promise<Item[]> {
    // The caller is about to send these, and moves the files of earlier attempts first.
    await this.sound;
    return guard(this.#db.name, () => {
      const first = this.#pendingRows(query, 'first');
      const limit = query.limit - first.length;
      const later = limit > 0 ? this.#pendingRows({ ...query, limit }, 'later') : [];
      return this.#withArtifacts([...first, ...later]);
    });
  }

  #pendingRows(
    { limit, only, retry = null }: Parameters<Checkpoint['pendingItems']>[0],
    turn: 'first' | 'later',
  ): ItemRow[] {
    const { pending, pendingOnly, pendingOrdered } = this.#statements;
    if (only !== null) return pendingOnly[turn].all({ limit, only: JSON.stringify(only) });
    if (retry === null) return pending[turn].all({ limit });
    return pendingOrdered[turn].all({ limit, retry }).sort(turns[turn].compare);
  }

  async refusedAlike(limit = Number.MAX_SAFE_INTEGER): Promise<readonly Item[]> {
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.refusedAlike.all({ limit })));
  }

  async hasPending(paid: PaidRows): Promise<boolean> {
    return guard(
      this.#db.name,
      () => this.#statements.somePending(paid).get(bound({ ...paid })) !== undefined,
    );
  }

  async orderedCount(round: number): Promise<number> {
    return guard(this.#db.name, () => this.#statements.orderedCount.get(round)?.n ?? 0);
  }

  async order(
    round: number,
    changes: readonly Change[],
    waiting: readonly number[],
    { decisions, finals = new Map() }: OrderExtras = {},
  ): Promise<void> {
    await this.sound;
    const keys = JSON.stringify([...changes.map(({ after }) => after.key), ...waiting]);
    guard(this.#db.name, () =>
      this.#db.transaction(() => {
        this.commitNow(changes, undefined, decisions);
        this.#statements.order.run({ round, keys });
        if (finals.size === 0) return;
        const orderFinal = this.#statements.orderFinals();
        for (const [item, final] of finals) orderFinal.run({ item, ...final });
      })(),
    );
  }

  async pausedUntil(): Promise<number> {
    return guard(this.#db.name, () => this.#statements.pausedUntil.get()?.at ?? 0);
  }

  async input(key: number): Promise<SentInput> {
    return guard(this.#db.name, () => {
      const row = asSaved(this.#statements.input.get({ key }), this.#db.name);
      return {
        input: parseSaved(this.#db.name, row.input),
        source: this.#reports.source(row.source),
        correction: readCorrections(this.#db, [key]).get(key) ?? null,
        quality: row.quality,
      };
    });
  }

  async isContent(key: number, contents: readonly string[]): Promise<boolean> {
    return guard(this.#db.name, () => {
      const known = this.#statements.content.get({ key })?.content;
      return known !== undefined && contents.some((content) => digest(content).equals(known));
    });
  }

  async itemWithKey(key: number): Promise<Item | null> {
    return guard(this.#db.name, () => this.itemNow(key));
  }

  /** `itemWithKey` for callers inside their own transaction. */
  itemNow(key: number): Item | null {
    return this.#withArtifacts(this.#statements.withKey.all({ key }))[0] ?? null;
  }

  async attemptWithToken(token: string): Promise<AttemptNow | null> {
    return guard(this.#db.name, () => {
      const attempt = this.#statements.attempt.get({ token });
      if (attempt === undefined) return null;
      const item = this.itemNow(attempt.item);
      const { taskId, isNamed } = attempt;
      return { taskId, isNamed: isNamed === 1, item: item?.token === token ? item : null };
    });
  }

  async giveTask(task: AttemptTask, before: string | null): Promise<boolean> {
    await this.sound;
    const { giveTask } = this.#statements;
    return guard(this.#db.name, () => unlessTaken(() => giveTask.run({ ...task, before }))?.changes === 1);
  }

  async unpricedAttempts(limit: number): Promise<readonly UnpricedAttempt[]> {
    return guard(this.#db.name, () => this.#statements.unpricedAttempts.all({ limit }));
  }

  async savePoints(task: AttemptTask, end: AttemptEnd): Promise<void> {
    await this.sound;
    guard(this.#db.name, () => this.#statements.savePoints.run({ ...task, ...end }));
  }

  async itemsWithKeys(keys: readonly number[]): Promise<Item[]> {
    const query = { keys: JSON.stringify(keys) };
    return guard(this.#db.name, () => this.#withArtifacts(this.#statements.withKeys.all(query)));
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

  async sources(): Promise<readonly Source[]> {
    return guard(this.#db.name, () => this.#reports.sources());
  }

  reportRows(): AsyncIterable<ReportRow> {
    return eachOf(this.reportPages());
  }

  async *reportPages(): AsyncIterable<readonly ReportRow[]> {
    await this.sound;
    yield* this.#reports.all();
  }

  /** The rows with these keys that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<ReportRow[]> {
    return this.#reports.withKeys(keys);
  }

  async editOf(key: number): Promise<RowEdit | null> {
    return guard(this.#db.name, () => this.#statements.editOf.get({ key }) ?? null);
  }

  async takeBack(keys: readonly number[]): Promise<void> {
    await this.sound;
    guard(this.#db.name, () => {
      if (this.#statements.takeBack.run(JSON.stringify(keys)).changes > 0) this.#db.exec(raiseInputVersion);
    });
  }
}
