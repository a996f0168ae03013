/** Plans the import of a staged file and imports it into the checkpoint, in one transaction or not at all. */

import type { Problem } from '../../../errors.ts';
import { folderNameApart } from '../../../files/output-paths.ts';
import { moveAtRest, type RestEvent } from '../../../money/at-rest.ts';
import type { QualityCounts } from '../../../money/forecast/estimate.ts';
import type { Item } from '../../../money/item.ts';
import { type Plan, statusesOfOutcome } from '../../../money/plan.ts';
import type { IncomingRow, Source } from '../../../money/question.ts';
import { type IdFacts, madeUp } from '../../../money/row-identity.ts';
import { hexDigest } from '../../digest.ts';
import type {
  Ingest,
  IngestOptions,
  JoinOptions,
  LengthOptions,
  PictureDigests,
  PlanOptions,
  WaitingOptions,
  WaitingRow,
} from '../../port/import.ts';
import type { TextLengths } from '../../port/reading.ts';
import { type Database, guard } from '../database.ts';
import type { SqliteCheckpoint } from '../sqlite-checkpoint.ts';
import * as sql from './apply-statements.ts';
import { insertFirstItems, insertFirstQuestions } from './first-rows.ts';
import { dropItemIndexes } from './item-indexes.ts';
import { keepingRows } from './match-statements.ts';
import { pictureDigests } from './picture-digests.ts';
import { countRepeats, planImport, readIdFacts, readLengths, readWaiting } from './plan.ts';
import { lastRow } from './plan-statements.ts';
import { StagedRows } from './staged-rows.ts';

/** Items moved by one commit. */
const pageRows = 1_000;

/** An item whose row has another text now: its row in the file, and why it cannot be sent. */
interface ChangedRow {
  readonly key: number;
  readonly incoming: number;
  readonly incomingFailure: string | null;
}

export class SqliteIngest implements Ingest {
  readonly pictures: PictureDigests;
  readonly #db: Database;
  protected readonly staged: StagedRows;
  readonly #checkpoint: SqliteCheckpoint;

  /** `checkpoint` must be over the same `db`. */
  constructor(db: Database, checkpoint: SqliteCheckpoint) {
    this.#db = db;
    this.#checkpoint = checkpoint;
    this.staged = new StagedRows(db);
    this.pictures = pictureDigests(db);
  }

  async add(rows: readonly IncomingRow[]): Promise<void> {
    this.staged.add(rows);
  }

  async match(coming: JoinOptions): Promise<readonly Problem[]> {
    return this.staged.match(coming);
  }

  async waiting(options: WaitingOptions): Promise<readonly WaitingRow[]> {
    return readWaiting(this.staged.staging, options);
  }

  async repeats(options: WaitingOptions): Promise<QualityCounts> {
    return countRepeats(this.staged.staging, options);
  }

  async *unsendable(): AsyncIterable<{ readonly line: number; readonly failure: string }> {
    yield* this.staged.unsendable();
  }

  async takenFolder(names: readonly string[]): Promise<string | null> {
    const query = `
      SELECT j.value AS name FROM json_each(@names) j WHERE lower(j.value) IN (SELECT lower(folder) FROM temp.incoming) LIMIT 1`;
    return this.staged.staging.rows<{ name: string }>(query, { names })[0]?.name ?? null;
  }

  async plan(options: PlanOptions): Promise<Plan> {
    return planImport(this.staged.staging, options, this.staged);
  }

  async lengths(options: LengthOptions): Promise<readonly TextLengths[]> {
    return readLengths(this.staged.staging, options);
  }

  async idFacts(): Promise<IdFacts> {
    return readIdFacts(this.staged.staging, this.staged);
  }

  async keepingRows(): Promise<{ readonly id: string; readonly line: number }[]> {
    return this.staged.staging.rows<{ id: string; line: number }>(keepingRows);
  }

  async apply(options: IngestOptions): Promise<null> {
    await this.#checkpoint.sound;
    this.applyNow(options);
    return null;
  }

  /**
   * `apply` on a checkpoint that is known to be sound. `leaving` are the items that leave where the staged rows are only
   * some of the file, all of them known.
   */
  applyNow(options: IngestOptions, leaving: readonly number[] | null = null): void {
    const { staging } = this.staged;
    guard(this.#db.name, () => {
      this.#db.transaction(() => {
        const source = this.saveSource(options.source);
        const lastKey = staging.count(sql.greatestKey);
        const offset = options.add ? staging.count(lastRow) : 0;
        const isMoved = this.#updateKnown(source, options, leaving);
        this.#insertNew(source, offset, lastKey);
        const takesText = this.#changed(statusesOfOutcome('takes-text'));
        const { at } = options;
        const takeText = (failure: string | null) => ({ type: 'question-changed', at, failure }) as const;
        this.#move(takesText, ({ incomingFailure }) => takeText(incomingFailure));
        this.#writeTexts(takesText, source);
        const rerun = options.rerunChanged ? this.rerunnable() : [];
        // A final that waits takes the new text in the place of its order.
        this.#move(rerun, (_, { status }) =>
          status === 'pending' ? takeText(null) : { type: 'retry-ordered', at },
        );
        this.#writeTexts(rerun, source);
        if (this.staged.isAnyWritten) this.#keepPictured(lastKey, offset);
        // A row that is unchanged may name a picture that was read again.
        this.#db.exec(sql.keepPictures);
        if (staging.is(sql.isAnyEdit)) this.#db.exec(sql.dropEdits);
        if (this.staged.isAnyFound) this.#db.prepare(sql.keepEdits).run({ source });
        // A process that follows the run notices changes of status by itself, and no others.
        if (isMoved || takesText.length + rerun.length > 0) this.#db.exec(sql.raiseInputVersion);
      })();
    });
  }

  /** Which rows name local pictures, and by what. */
  #keepPictured(lastKey: number, offset: number): void {
    this.#db.exec(sql.identifyAnew);
    this.#db.prepare(sql.keepNewNames).run({ lastKey, offset });
    this.#db.exec(sql.keepKnownNames);
  }

  protected saveSource(source: Source): number {
    const text = JSON.stringify(source);
    this.#db.prepare(sql.saveSource).run({ text });
    return this.staged.staging.count('SELECT key AS n FROM sources WHERE source = @text', { text });
  }

  #insertNew(source: number, offset: number, lastKey: number): void {
    const isPlain = this.staged.areFoldersApart;
    const indexes = this.staged.isFirstOfMany ? dropItemIndexes(this.#db) : '';
    const insertItems = this.#db.prepare(isPlain ? insertFirstItems : sql.insertItems);
    const { changes } = insertItems.run({ source, offset });
    this.#db.exec(indexes);
    if (isPlain) this.#db.exec(insertFirstQuestions);
    if (isPlain || changes === 0) return;
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
    const query = 'SELECT EXISTS (SELECT 1 FROM items WHERE id = @id AND key <> @key) AS found';
    return this.staged.staging.is(query, { id, key });
  }

  /** Ids follow the file. A row that lost its id to another row and has no new one is named after the old id. */
  #renumber(areAll: boolean): void {
    type Displaced = { key: number; id: string };
    const displaced = areAll ? this.#db.prepare<[], Displaced>(sql.displacedItems).all() : [];
    this.#db.exec(sql.renumber);
    const nameDisplaced = this.#db.prepare<object>(sql.nameDisplaced);
    for (const { key, id } of displaced) {
      const was = `${madeUp.was}${id}`;
      nameDisplaced.run({ key, id: was });
      if (this.#isIdTaken(was, key)) this.#rename(key, was);
    }
    this.#db.exec(sql.renumberTwins);
  }

  #setFoldersApart(lastKey: number): void {
    type Twin = { key: number; id: string; folder: string };
    const twins = this.#db.prepare<[number], Twin>(sql.takenFolders).all(lastKey);
    if (twins.length === 0) return;
    const rename = this.#db.prepare('UPDATE items SET folder = ? WHERE key = ?');
    this.#db.exec(sql.collectFolders);
    const reserve = this.#db.prepare<[string]>(sql.reserveFolder);
    for (const { key, id, folder } of twins) {
      let salt = 0;
      let apart = folder;
      do {
        salt += 1;
        apart = folderNameApart(folder, hexDigest(`${key} ${id} ${salt}`));
      } while (reserve.run(apart).changes === 0);
      rename.run(apart, key);
    }
    this.#db.exec(sql.dropFolders);
  }

  /** Returns true when it changed a known row. */
  #updateKnown(source: number, { add, isMended }: IngestOptions, leaving: readonly number[] | null): boolean {
    if (!this.staged.isAnyKnown) return false;
    const before = this.#changeCount();
    if (leaving !== null) this.staged.staging.run(sql.leaveNamed, { leaving });
    else if (isMended) this.#db.exec(sql.leaveMended);
    if (!add) this.#db.exec(sql.moveRows);
    if (!add && leaving === null) this.#db.exec(sql.leave);
    this.#db.exec(sql.comeBack);
    this.#renumber(leaving === null);
    this.#db.exec(sql.updateQuestions);
    this.#db.prepare(sql.updateInputDigests).run({ source });
    this.#db.prepare(sql.updateSources).run({ source });
    return this.#changeCount() > before;
  }

  #changeCount(): number {
    return this.staged.staging.count('SELECT total_changes() AS n');
  }

  #changed(statuses: readonly string[]): ChangedRow[] {
    if (!this.staged.isAnyFound) return [];
    return this.#db.prepare<[], ChangedRow>(sql.changedRows(statuses)).all();
  }

  /** A row keeps its paid result if its new text cannot be sent. */
  protected rerunnable(): readonly ChangedRow[] {
    return this.#changed(statusesOfOutcome('rerunnable')).filter((row) => row.incomingFailure === null);
  }

  /** Moves the items by the rules of the core. */
  #move(rows: readonly ChangedRow[], eventOf: (row: ChangedRow, before: Item) => RestEvent): void {
    for (let start = 0; start < rows.length; start += pageRows) {
      const changes = rows.slice(start, start + pageRows).flatMap((row) => {
        const before = this.#checkpoint.itemNow(row.key);
        return before === null ? [] : [{ before, after: moveAtRest(before, eventOf(row, before)) }];
      });
      this.#checkpoint.commitNow(changes);
    }
  }

  #writeTexts(changed: readonly ChangedRow[], source: number): void {
    if (changed.length === 0) return;
    const rows = JSON.stringify(changed.map(({ incoming }) => incoming));
    // First: what was sent is kept when the item takes another text.
    this.#db.prepare(sql.writeTexts).run({ rows, source });
    this.#db.prepare(sql.writeInputs).run({ rows });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.staged[Symbol.dispose]();
  }
}
