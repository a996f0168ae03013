/**
 * The rows of a file before their import, in temporary tables, so that a file, or a pipe, is read once and judged as a
 * whole. A row that equals the one in the checkpoint is only ticked off, which halves the time to reread a large file
 * with few edits.
 */

import { hash } from 'node:crypto';
import { folderName } from '../../core/output-paths.ts';
import type { CorrectedItem, IncomingRow } from '../../core/question.ts';
import { renderDoubledId, renderGivenId } from '../../core/row-identity.ts';
import type { Problem } from '../../errors.ts';
import type { JoinOptions } from '../../store.ts';
import { type Database, guard } from './database.ts';
import { digest } from './digest.ts';
import * as sql from './ingest-statements.ts';
import * as matching from './match-statements.ts';

export class StagedRows {
  readonly #db: Database;
  readonly #stage;
  readonly #tickOff;
  /** False for a new checkpoint, where no row can be unchanged. */
  readonly isAnyKnown: boolean;
  /** True once a row with local pictures was staged. */
  isAnyWritten = false;
  /** Rows that may be items which were sent with a corrected text. */
  readonly #corrected: (CorrectedItem & { readonly row: number })[] = [];
  /** True once a staged row was found in the checkpoint. */
  isAnyFound = false;

  /** Begins the one transaction of staging, which `match` ends; a transaction for each page would take a fifth longer. */
  constructor(db: Database) {
    this.#db = db;
    this.isAnyKnown = guard(db.name, () => {
      db.exec(sql.stagingTables);
      db.exec('BEGIN');
      return db.prepare('SELECT 1 FROM items LIMIT 1').get() !== undefined;
    });
    this.#stage = db.prepare<unknown[]>(sql.stage);
    this.#tickOff = db.prepare<unknown[]>(sql.tickOff);
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
    quality,
    failure,
    input: read,
    corrected,
  }: IncomingRow): void {
    const input = JSON.stringify(read);
    const inputDigest = digest(input);
    const content = digest(sent);
    const identity = id === null ? content : ownIdentity(id);
    const mayBeUnchanged = this.isAnyKnown && failure === null;
    if (mayBeUnchanged && this.#tickOff.run(line, quality, row, identity, content, inputDigest).changes > 0)
      return;
    const folder = folderName(id ?? `${matching.madeUp.row}${row}`, hexDigest);
    const byNames = written === null ? null : digest(written);
    this.isAnyWritten ||= written !== null;
    const said = [line, id, folder, identity, content, inputDigest, quality, failure, byNames, input];
    this.#stage.run(row, ...said);
    for (const item of corrected ?? []) this.#corrected.push({ row, ...item });
  }

  /**
   * Finds the item of each staged row; call it once, after the last row. Returns duplicate ids, and ids that the tool
   * gave to other rows, as problems.
   */
  match(coming: JoinOptions): Problem[] {
    return guard(this.#db.name, () => {
      const isAnyWritten = this.isAnyKnown && this.isAnyWritten;
      if (isAnyWritten) this.#db.exec(matching.readAsSaved);
      if (isAnyWritten) this.#db.exec(matching.readAsNamed);
      this.#db.exec('CREATE INDEX temp.incoming_by_identity ON incoming (identity, row)');
      if (this.isAnyKnown) this.#db.exec(sql.stageUnchangedTwins);
      this.#db.exec(sql.findTwins);
      const { placeOf } = coming;
      const problems = this.#problems(sql.doubledIds, (id, first) =>
        renderDoubledId(id, first ?? 0, placeOf),
      );
      this.#db.exec(sql.numberTwins);
      if (this.isAnyKnown) this.#findItems(coming);
      this.isAnyFound = this.isAnyKnown && !this.#is(matching.areAllNew);
      if (this.isAnyKnown)
        problems.push(
          ...this.#problems(matching.idsGivenAway, (id, first) => renderGivenId(id, first, placeOf)),
        );
      this.#db.exec('COMMIT');
      return problems;
    });
  }

  /** The rule of docs/edited-files.md, step by step; for most files the first step is enough. */
  #findItems({ add, isMended }: JoinOptions): void {
    const which = isMended ? 'mended' : add ? 'added' : 'all';
    const steps = add
      ? [
          matching.findSameEdit,
          matching.findName,
          ...[matching.findSentText, matching.findEditedText].map((find) => find(which)),
          ...(isMended ? [matching.findEndedText] : []),
        ]
      : [
          matching.findSentText('all'),
          matching.findSameEdit,
          matching.findEditedText('all'),
          matching.findName,
        ];
    this.#db.exec(matching.findSame(which));
    this.#takeCorrected(which);
    for (const step of steps) if (this.#is(matching.anyWithoutItem)) this.#db.exec(step);
  }

  /** A known text comes before a known id, as in every file; of several rows the first one is the item. */
  #takeCorrected(which: matching.Candidates): void {
    const take = this.#db.prepare<object>(matching.takeCorrected(which));
    const leave = this.#db.prepare<object>(matching.leaveToCorrected(which));
    const takeNow = ({ row, key, input }: CorrectedItem & { readonly row: number }): void => {
      const text = JSON.stringify(input);
      take.run({ row, key, input: text, inputDigest: digest(text) });
    };
    for (const pair of this.#corrected) takeNow(pair);
    const isWithoutItem = this.#db.prepare<[number]>(matching.isWithoutItem);
    for (const pair of this.#corrected)
      if (isWithoutItem.get(pair.row) !== undefined && leave.run({ key: pair.key }).changes > 0)
        takeNow(pair);
  }

  #is(question: string): boolean {
    return this.#db.prepare<[], { n: number }>(question).get()?.n === 1;
  }

  #problems(query: string, say: (id: string, first: number | null) => string): Problem[] {
    type Found = { id: string; first: number | null; line: number };
    const found = this.#db.prepare<[], Found>(query).all();
    return found.map(({ id, first, line }) => ({ line, message: say(id, first) }));
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

/** For names derived from ids. */
export function hexDigest(text: string): string {
  return hash('sha256', text, 'hex');
}
