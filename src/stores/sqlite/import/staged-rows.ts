/**
 * The rows of a file before their import, in temporary tables, so that a file, or a pipe, is read once and judged as a
 * whole. A row that equals the one in the checkpoint is only ticked off, which halves the time to reread a large file
 * with few edits.
 */

import type { Problem } from '../../../errors.ts';
import { folderName } from '../../../files/output-paths.ts';
import type { IncomingRow } from '../../../money/question.ts';
import { madeUp } from '../../../money/row-identity.ts';
import { digest, hexDigest } from '../../digest.ts';
import type { JoinOptions } from '../../port/import.ts';
import { type Database, guard } from '../database.ts';
import { Marks, markOfDigest, markOfText } from './marks.ts';
import { matchRows } from './match.ts';
import { leaveOutHeadings, readAsNamed, readAsSaved, readOtherwise } from './match-statements.ts';
import { Staging } from './staging.ts';
import * as sql from './staging-statements.ts';

/** From this many rows on indexes are made at once. */
const manyRows = 10_000;

export class StagedRows {
  readonly #db: Database;
  readonly #stage;
  readonly #stagePlain;
  readonly #tickOff;
  readonly #noteCorrected;
  readonly #noteHeading;
  readonly staging: Staging;
  /** Its rows are staged in a transaction of the caller. */
  readonly #isInside: boolean;
  /** False for a new checkpoint, where no row can be unchanged. */
  isAnyKnown = false;
  /** True once a row was staged that the run may know by another reading, as one with local pictures. */
  isAnyWritten = false;
  /** True once a row was known by its key. */
  isAnyKeyed = false;
  /** True once a title of a section was staged. */
  isAnyHeading = false;
  /** True once a staged row was found in the checkpoint. */
  isAnyFound = false;
  /** Of the rows of a first file. */
  readonly #identities = new Marks();
  readonly #folders = new Marks();
  /** Staged rows, without titles of sections. */
  count = 0;
  /** True where no two rows of a first file have one folder, and so no two have one id. */
  areFoldersApart = false;

  /**
   * Begins the one transaction of staging, unless the caller has one, and `match` ends it; a transaction for each page would
   * take a fifth longer.
   */
  constructor(db: Database) {
    this.#db = db;
    this.staging = new Staging(db);
    this.#isInside = db.inTransaction;
    guard(db.name, () => {
      db.exec(sql.stagingTables);
      if (!this.#isInside) db.exec('BEGIN');
    });
    this.lookForKnown();
    this.#stage = db.prepare<unknown[]>(sql.stage);
    this.#stagePlain = db.prepare<unknown[]>(sql.stagePlain);
    this.#tickOff = db.prepare<unknown[]>(sql.tickOff);
    this.#noteCorrected = db.prepare<unknown[]>(sql.noteCorrected);
    this.#noteHeading = db.prepare<[number]>(sql.noteHeading);
  }

  /** True for the first rows of a run where they are many. */
  get isFirstOfMany(): boolean {
    return !this.isAnyKnown && this.count >= manyRows;
  }

  lookForKnown(): void {
    this.isAnyKnown = guard(
      this.#db.name,
      () => this.#db.prepare('SELECT 1 FROM items LIMIT 1').get() !== undefined,
    );
  }

  /** Stages the rows that were the same as these items. */
  compareAgain(items: readonly number[]): void {
    const stage = this.#db.prepare<[number]>(sql.stageUnchanged);
    const forget = this.#db.prepare<[number]>(sql.forgetUnchanged);
    for (const item of items) {
      stage.run(item);
      forget.run(item);
    }
  }

  /** Stages rows in file order. */
  add(rows: readonly IncomingRow[]): void {
    guard(this.#db.name, () => {
      for (const row of rows) this.#add(row);
    });
  }

  #add({
    row,
    line,
    id,
    content: sent,
    written,
    otherwise = null,
    quality,
    failure,
    input: read,
    corrected,
    keyed,
    isHeading = false,
  }: IncomingRow): void {
    const input = JSON.stringify(read);
    const inputDigest = digest(input);
    const content = digest(sent);
    const identity = id === null ? content : ownIdentity(id);
    // In a table that came back a line without a key must not take the item of one with a key.
    const mayBeUnchanged = this.isAnyKnown && failure === null && keyed === undefined;
    if (mayBeUnchanged && this.#tickOff.run(line, quality, row, identity, content, inputDigest).changes > 0)
      return;
    const folder = folderName(id ?? `${madeUp.row}${row}`, hexDigest);
    this.isAnyHeading ||= isHeading;
    if (isHeading) this.#noteHeading.run(row);
    else this.#count(identity, folder);
    const byNames = written === null ? null : digest(written);
    const byOthers = otherwise === null ? null : digest(otherwise);
    this.isAnyWritten ||= written !== null || otherwise !== null;
    this.isAnyKeyed ||= keyed != null;
    const item = keyed ?? null;
    if ((failure ?? byNames ?? byOthers ?? item) === null)
      this.#stagePlain.run(row, line, id, folder, identity, content, inputDigest, quality, input);
    else {
      const said = [row, line, id, folder, identity, content, inputDigest, quality, input];
      this.#stage.run(...said, failure, byNames, byOthers, item);
    }
    for (const item of corrected ?? []) {
      const own = JSON.stringify(item.input);
      this.#noteCorrected.run(row, item.key, own, digest(own));
    }
  }

  #count(identity: Buffer, folder: string): void {
    this.count += 1;
    if (this.isAnyKnown) return;
    this.#identities.add(markOfDigest(identity));
    this.#folders.add(markOfText(folder.toLowerCase()));
  }

  /** Finds the item of each staged row; call it once, after the last row. */
  match(coming: JoinOptions): readonly Problem[] {
    const areApart = (marks: Marks): boolean =>
      !this.isAnyKnown && marks.count === this.count && marks.areApart();
    const areAlone = areApart(this.#identities);
    this.areFoldersApart = areApart(this.#folders);
    this.#compare(areAlone);
    const { isAnyKnown, isAnyKeyed } = this;
    const { problems, isAnyFound } = matchRows(this.staging, coming, { isAnyKnown, isAnyKeyed, areAlone });
    this.isAnyFound = isAnyFound;
    if (!this.#isInside) guard(this.#db.name, () => this.#db.exec('COMMIT'));
    return problems;
  }

  #compare(areAlone: boolean): void {
    guard(this.#db.name, () => {
      if (this.isAnyKnown && this.isAnyWritten)
        this.#db.exec(`${readAsSaved}; ${readOtherwise}; ${readAsNamed}`);
      if (this.isAnyHeading) this.#db.exec(leaveOutHeadings);
      if (!areAlone) this.#db.exec('CREATE INDEX temp.incoming_by_identity ON incoming (identity, row)');
      if (this.isAnyKnown) this.#db.exec(sql.stageUnchangedTwins);
    });
  }

  /** Staged rows that cannot be sent, in file order. */
  unsendable(): IterableIterator<{ readonly line: number; readonly failure: string }> {
    return this.#db
      .prepare<[], { line: number; failure: string }>(
        'SELECT line, failure FROM temp.incoming WHERE failure IS NOT NULL ORDER BY row',
      )
      .iterate();
  }

  /** Drops the staged rows. */
  [Symbol.dispose](): void {
    if (!this.#db.open) return;
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.exec(sql.dropStagingTables);
  }
}

/** The identity of a row with an id. */
function ownIdentity(id: string): Buffer {
  return digest(`id\0${id}`);
}
