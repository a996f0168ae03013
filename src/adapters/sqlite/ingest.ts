/** Plans the import of a staged file and imports it into the checkpoint, in one transaction or not at all. */

import { moveAtRest } from '../../core/at-rest.ts';
import { addQualities, type QualityCounts } from '../../core/estimate.ts';
import type { Status } from '../../core/item.ts';
import { folderNameApart } from '../../core/output-paths.ts';
import { mayBeAskedBefore, type Plan, type Renumbered, statusesOfFate } from '../../core/plan.ts';
import type { IncomingRow, Source } from '../../core/question.ts';
import { type IdFacts, noIdFacts } from '../../core/row-identity.ts';
import { createLedger } from '../../core/summary.ts';
import type { Problem } from '../../errors.ts';
import type {
  Ingest,
  IngestOptions,
  JoinOptions,
  LengthOptions,
  PictureDigests,
  PlanOptions,
  TextLengths,
} from '../../store.ts';
import type { StatusCount } from './checkpoint-statements.ts';
import { type Database, guard } from './database.ts';
import * as sql from './ingest-statements.ts';
import * as matching from './match-statements.ts';
import { pictureDigests } from './picture-digests.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';
import { hexDigest, StagedRows } from './staged-rows.ts';

/** An item whose row has another text now: its row in the file, and why it cannot be sent. */
interface ChangedRow {
  readonly key: number;
  readonly incoming: number;
  readonly incomingFailure: string | null;
}

/** Rows to submit, and those of them submitted now, by quality. */
type SubmitCounts = QualityCounts & { readonly toSubmit: number };

type StagedCounts = SubmitCounts &
  Readonly<
    Record<'rows' | 'newRows' | 'invalid' | 'twins' | 'unsendable' | 'resent' | 'fresh' | 'waiting', number>
  >;

/** Rows that are the same in the checkpoint and in the file. */
type UnchangedCounts = StatusCount & SubmitCounts;

/** Known rows that differ from the checkpoint. */
type Changes = Pick<
  Plan,
  | 'changedUnsent'
  | 'changedSent'
  | 'changedSentIds'
  | 'rerunnableIds'
  | 'keepingIds'
  | 'renumbered'
  | 'renumberedIds'
>;

const noChanges: Changes = {
  changedUnsent: 0,
  changedSent: 0,
  changedSentIds: [],
  rerunnableIds: [],
  keepingIds: [],
  renumbered: 0,
  renumberedIds: [],
};

export class SqliteIngest implements Ingest {
  readonly pictures: PictureDigests;
  readonly #db: Database;
  readonly #staged: StagedRows;
  readonly #checkpoint: SqliteCheckpoint;
  readonly #takeText;
  readonly #takeInput;

  /** `checkpoint` must be over the same `db`. */
  constructor(db: Database, checkpoint: SqliteCheckpoint) {
    this.#db = db;
    this.#checkpoint = checkpoint;
    this.#staged = new StagedRows(db);
    this.#takeText = db.prepare<object>(sql.takeText);
    this.#takeInput = db.prepare<object>(sql.takeInput);
    this.pictures = pictureDigests(db);
  }

  async add(rows: readonly IncomingRow[]): Promise<void> {
    this.#staged.add(rows);
  }

  async match(coming: JoinOptions): Promise<Problem[]> {
    return this.#staged.match(coming);
  }

  async *unsendable(): AsyncIterable<{ readonly line: number; readonly failure: string }> {
    yield* this.#staged.unsendable();
  }

  async takenFolder(names: readonly string[]): Promise<string | null> {
    const query =
      'SELECT j.value AS name FROM json_each(?) j WHERE lower(j.value) IN (SELECT lower(folder) FROM temp.incoming)';
    const found = guard(this.#db.name, () =>
      this.#db.prepare<[string], { name: string }>(query).get(JSON.stringify(names)),
    );
    return found?.name ?? null;
  }

  async plan({ add, rerunChanged, isMended, only, column = null }: PlanOptions): Promise<Plan> {
    return guard(this.#db.name, () => {
      const known = createLedger().counts;
      for (const { status, count } of this.#db.prepare<[], StatusCount>(sql.knownRows).all())
        known[status] = count;
      const names = only === null ? null : JSON.stringify(only);
      const unchanged = this.#counted<UnchangedCounts>(sql.unchangedCounts, { only: names });
      for (const { status, count } of unchanged) known[status] += count;
      const unchangedRows = unchanged.reduce((sum, { count }) => sum + count, 0);
      const offset = add ? this.#lastRow() : 0;
      const [staged] = this.#counted<StagedCounts>(sql.stagedCounts, { only: names, offset });
      if (staged === undefined) throw new Error('the staged rows cannot be counted');
      const waiting = add ? this.#counted<SubmitCounts>(sql.keptPending, { only: names })[0] : undefined;
      const ended = statusesOfFate('rerunnable');
      const rerunnable = this.#counted<SubmitCounts & { readonly status: Status }>(
        sql.rerunnableCounts(ended),
        { only: names },
      );
      const rerun = rerunChanged ? rerunnable : [];
      const kept = { ...known, pending: 0, invalid: 0, rejected: known.rejected - staged.resent };
      for (const { status, toSubmit } of rerun) kept[status] -= toSubmit;
      const unchangedWaiting = unchanged.filter(({ status }) => status === 'pending');
      const submits = [staged, ...unchangedWaiting, ...(waiting === undefined ? [] : [waiting]), ...rerun];
      const { newRows, invalid, unsendable, twins } = staged;
      const rows = staged.rows + unchangedRows;
      const gone = this.#leaving({ add, isMended });
      const isCompared = !add && column !== null && mayBeAskedBefore({ gone, newRows, rows });
      return {
        rows,
        newRows,
        known,
        ...(this.#staged.isAnyFound ? this.#changes() : noChanges),
        rerunnable: sumOf(rerunnable),
        gone,
        invalid,
        unsendable,
        twins,
        repictured: this.#staged.isAnyWritten ? this.#scalar(sql.countRepictured) : 0,
        askedBefore: isCompared ? this.#askedBefore(column) : 0,
        toSubmit: sumOf(submits),
        shares: {
          newRows: staged.fresh,
          waiting: staged.waiting + sumOf(unchangedWaiting) + (waiting?.toSubmit ?? 0),
          changed: staged.toSubmit - staged.fresh - staged.waiting,
          rerun: sumOf(rerun),
        },
        kept,
        now: submits.map(({ h, m, l, none }) => ({ h, m, l, none })).reduce(addQualities),
        isForeign:
          newRows === rows && rows > 0 && this.#scalar('SELECT EXISTS (SELECT 1 FROM items) AS n') === 1,
      };
    });
  }

  async lengths({ add, only, column, oneOf }: LengthOptions): Promise<readonly TextLengths[]> {
    const names = only === null ? null : JSON.stringify(only);
    return guard(this.#db.name, () => {
      const offset = add ? this.#lastRow() : 0;
      return this.#counted<TextLengths>(sql.lengthsNow(add), { only: names, offset, column, oneOf });
    });
  }

  /** How many rows of the run the file removes. */
  #leaving({ add, isMended }: JoinOptions): number {
    if (add && !isMended) return 0;
    const isLeaving = isMended ? sql.isMendedAway : sql.isLeaving;
    return this.#scalar(`SELECT count(*) AS n FROM items WHERE ${isLeaving}`);
  }

  #askedBefore(column: string): number {
    return this.#counted<{ n: number }>(sql.countAskedBefore, { column })[0]?.n ?? 0;
  }

  #changes(): Changes {
    const ids = (statement: string): string[] =>
      this.#counted<{ id: string }>(statement, {}).map(({ id }) => id);
    const sent = [...statusesOfFate('rerunnable'), ...statusesOfFate('keeps-result')];
    return {
      changedUnsent: this.#scalar(sql.countChanged(statusesOfFate('takes-text'))),
      changedSent: this.#scalar(sql.countChanged(sent)),
      changedSentIds: ids(sql.changedSentRows),
      rerunnableIds: ids(sql.rerunnableRows),
      keepingIds: ids(sql.keepingRows),
      renumbered: this.#scalar(matching.countRenumbered),
      renumberedIds: this.#counted<Renumbered>(matching.renumberedRows, {}),
    };
  }

  async idFacts(): Promise<IdFacts> {
    // The other numbers need a scan of all rows, and without such a row they decide nothing.
    const keeping = this.#staged.isAnyFound ? this.#scalar(matching.countKeeping) : 0;
    if (keeping === 0) return noIdFacts;
    return guard(this.#db.name, () => ({
      keeping,
      renumbered: this.#scalar(matching.countRenumbered),
      newRows: this.#scalar('SELECT count(*) AS n FROM temp.incoming WHERE item IS NULL'),
      gone: this.#scalar(`SELECT count(*) AS n FROM items WHERE ${sql.isLeaving}`),
      hasRival: this.#scalar(matching.hasRival) === 1,
      isAnyTextKnown: this.#scalar(matching.isAnyTextKnown) === 1,
    }));
  }

  async keepingRows(): Promise<{ readonly id: string; readonly line: number }[]> {
    type Row = { id: string; line: number };
    return guard(this.#db.name, () => this.#db.prepare<[], Row>(matching.keepingRows).all());
  }

  #counted<T>(statement: string, params: object): T[] {
    return this.#db.prepare<object, T>(statement).all(params);
  }

  /** Added rows come after those of the checkpoint. */
  #lastRow(): number {
    return this.#scalar('SELECT coalesce(max(row), 0) AS n FROM items');
  }

  async apply(options: IngestOptions): Promise<null> {
    await this.#checkpoint.sound;
    this.applyNow(options);
    return null;
  }

  /** `apply` on a checkpoint that is known to be sound. */
  applyNow(options: IngestOptions): void {
    guard(this.#db.name, () => {
      this.#db.transaction(() => {
        const source = this.#saveSource(options.source);
        const lastKey = this.#scalar('SELECT coalesce(max(key), 0) AS n FROM items');
        const offset = options.add ? this.#lastRow() : 0;
        const isMoved = this.#updateKnown(source, options);
        this.#insertNew(source, offset, lastKey);
        const takesText = this.#changed(statusesOfFate('takes-text'));
        for (const row of takesText) this.#changeText(row, source, options.at, 'question-changed');
        const rerun = options.rerunChanged ? this.#rerunnable() : [];
        for (const row of rerun) this.#changeText(row, source, options.at, 'retry-ordered');
        if (this.#staged.isAnyWritten) this.#keepPictured(lastKey, offset);
        // A row that is unchanged may name a picture that was read again.
        this.#db.exec(sql.keepPictures);
        if (this.#scalar(sql.anyEdit) === 1) this.#db.exec(sql.dropEdits);
        if (this.#staged.isAnyFound) this.#db.prepare(sql.keepEdits).run({ source });
        // A process that follows the run notices changes of status by itself, and no others.
        if (isMoved || takesText.length + rerun.length > 0) this.#db.exec(sql.raiseInputVersion);
      })();
    });
  }

  /** Which rows name local pictures, and by what. */
  #keepPictured(lastKey: number, offset: number): void {
    this.#db.exec(sql.takeBytes);
    this.#db.prepare(sql.keepNewNames).run({ lastKey, offset });
    this.#db.exec(sql.keepKnownNames);
  }

  #saveSource(source: Source): number {
    const text = JSON.stringify(source);
    this.#db.prepare('INSERT INTO sources (source) VALUES (?) ON CONFLICT DO NOTHING').run(text);
    return this.#scalar('SELECT key AS n FROM sources WHERE source = ?', text);
  }

  #scalar(statement: string, ...params: readonly unknown[]): number {
    return this.#db.prepare<unknown[], { n: number }>(statement).get(...params)?.n ?? 0;
  }

  #insertNew(source: number, offset: number, lastKey: number): void {
    if (this.#db.prepare(sql.insertItems).run({ source, offset }).changes === 0) return;
    this.#db.prepare(sql.insertQuestions).run({ lastKey, offset });
    this.#setIdsApart(lastKey);
    this.#setFoldersApart(lastKey);
  }

  /** A new row with a generated id (`row-42`) gets another one if that id is or was another row's. */
  #setIdsApart(lastKey: number): void {
    type Twin = { key: number; id: string; isFolder: number };
    for (const { key, id, isFolder } of this.#db.prepare<object, Twin>(sql.takenIds).all({ lastKey }))
      if (isFolder === 1 || this.#isIdTaken(id, key)) this.#rename(key, id);
  }

  /** Makes the id unique with a numeric suffix. */
  #rename(key: number, id: string): void {
    let suffix = 2;
    while (this.#isIdTaken(`${id}-${suffix}`, key)) suffix += 1;
    this.#db.prepare('UPDATE items SET id = ? WHERE key = ?').run(`${id}-${suffix}`, key);
  }

  #isIdTaken(id: string, key: number): boolean {
    return this.#scalar('SELECT EXISTS (SELECT 1 FROM items WHERE id = ? AND key <> ?) AS n', id, key) === 1;
  }

  /** Ids follow the file. A row that lost its id to another row and has no new one is named after the old id. */
  #renumber(): void {
    type Bereft = { key: number; id: string };
    const bereft = this.#db.prepare<[], Bereft>(sql.bereftItems).all();
    this.#db.exec(sql.renumber);
    const nameBereft = this.#db.prepare<object>(sql.nameBereft);
    for (const { key, id } of bereft) {
      const was = `${matching.madeUp.was}${id}`;
      nameBereft.run({ key, id: was });
      if (this.#isIdTaken(was, key)) this.#rename(key, was);
    }
    this.#db.exec(sql.renumberTwins);
  }

  #setFoldersApart(lastKey: number): void {
    const rename = this.#db.prepare('UPDATE items SET folder = ? WHERE key = ?');
    type Twin = { key: number; id: string; folder: string };
    const isTaken = this.#db.prepare<[string], unknown>('SELECT 1 FROM items WHERE lower(folder) = lower(?)');
    for (const { key, id, folder } of this.#db.prepare<[number], Twin>(sql.takenFolders).all(lastKey)) {
      let salt = 0;
      let apart = folder;
      while (isTaken.get(apart) !== undefined) {
        salt += 1;
        apart = folderNameApart(folder, hexDigest(`${key} ${id} ${salt}`));
      }
      rename.run(apart, key);
    }
  }

  /** Returns true when it changed a known row. */
  #updateKnown(source: number, { add, isMended }: IngestOptions): boolean {
    const before = this.#changeCount();
    if (isMended) this.#db.exec(`UPDATE items SET gone = 1 WHERE ${sql.isMendedAway}`);
    if (!add) {
      this.#db.exec(
        'UPDATE items SET row = i.row FROM temp.incoming i WHERE i.item = key AND items.row <> i.row',
      );
      this.#db.exec(`UPDATE items SET gone = 1 WHERE ${sql.isLeaving}`);
    }
    this.#db.exec('UPDATE items SET gone = 0 WHERE gone = 1 AND key IN (SELECT item FROM temp.incoming)');
    if (this.#staged.isAnyKnown) this.#renumber();
    this.#db.exec(sql.updateQuestions);
    this.#db.prepare(sql.updateInputDigests).run({ source });
    this.#db.prepare(sql.updateSources).run({ source });
    return this.#changeCount() > before;
  }

  #changeCount(): number {
    return this.#scalar('SELECT total_changes() AS n');
  }

  #changed(statuses: readonly string[]): ChangedRow[] {
    return this.#db.prepare<[], ChangedRow>(sql.changedRows(statuses)).all();
  }

  /** A row keeps its paid result if its new text cannot be sent. */
  #rerunnable(): readonly ChangedRow[] {
    return this.#changed(statusesOfFate('rerunnable')).filter((row) => row.incomingFailure === null);
  }

  #changeText(row: ChangedRow, source: number, at: number, type: 'question-changed' | 'retry-ordered'): void {
    const before = this.#checkpoint.itemNow(row.key);
    if (before === null) return;
    const event = type === 'retry-ordered' ? { type, at } : { type, at, failure: row.incomingFailure };
    this.#checkpoint.commitNow([{ before, after: moveAtRest(before, event) }]);
    this.#takeText.run({ key: row.key, row: row.incoming, source });
    this.#takeInput.run({ key: row.key, row: row.incoming });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#staged[Symbol.dispose]();
  }
}

function sumOf(counts: readonly SubmitCounts[]): number {
  return counts.reduce((sum, { toSubmit }) => sum + toSubmit, 0);
}
