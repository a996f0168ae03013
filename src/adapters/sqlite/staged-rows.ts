/**
 * The rows of a file before they are taken up: in temporary tables, so that a file can be read once, from a pipe too, and
 * judged as a whole. A row that stands in the checkpoint as it stands in the file is only ticked off there: a large file
 * that was hardly edited is read again in half the time.
 */

import { hash } from 'node:crypto';
import { folderName } from '../../core/output-paths.ts';
import type { IncomingRow } from '../../core/question.ts';
import type { Problem } from '../../errors.ts';
import { type Database, guard } from './database.ts';
import { digest } from './digest.ts';
import * as sql from './ingest-statements.ts';

export class StagedRows {
  readonly #db: Database;
  readonly #stage;
  readonly #tickOff;
  /** False for a new checkpoint: there is nothing that a row could be unchanged from. */
  readonly #isAnyKnown: boolean;

  /** Staging is one transaction, from here to `match`: with one for each page it takes a fifth longer. */
  constructor(db: Database) {
    this.#db = db;
    this.#isAnyKnown = guard(db.name, () => {
      db.exec(sql.stagingTables);
      db.exec('BEGIN');
      return db.prepare('SELECT 1 FROM items LIMIT 1').get() !== undefined;
    });
    this.#stage = db.prepare<unknown[]>(sql.stage);
    this.#tickOff = db.prepare<unknown[]>(sql.tickOff);
  }

  /** Stages rows as they come from the file. */
  add(rows: readonly IncomingRow[]): void {
    guard(this.#db.name, () => {
      for (const row of rows) this.#add(row);
    });
  }

  #add({ row, line, id, content: sent, quality, failure, input: read }: IncomingRow): void {
    const input = JSON.stringify(read);
    const inputDigest = digest(input);
    const content = digest(sent);
    const identity = id === null ? content : ownIdentity(id);
    const mayBeUnchanged = this.#isAnyKnown && failure === null;
    if (mayBeUnchanged && this.#tickOff.run(line, quality, row, identity, content, inputDigest).changes > 0)
      return;
    const folder = folderName(id ?? `row-${row}`, hexDigest);
    this.#stage.run(row, line, id, folder, identity, content, inputDigest, quality, failure, input);
  }

  /** Finds each staged row's item; to be called once, after the last row. Ids that stand twice come back as problems. */
  match(): Problem[] {
    return guard(this.#db.name, () => {
      this.#db.exec('CREATE INDEX temp.incoming_by_identity ON incoming (identity, row)');
      if (this.#isAnyKnown) this.#db.exec(sql.stageUnchangedTwins);
      this.#db.exec(sql.findTwins);
      const doubled = this.#db
        .prepare<[], { id: string; first: number; line: number }>(sql.doubledIds)
        .all()
        .map(({ id, first, line }) => ({ line, message: `the id "${id}" stands on line ${first} already` }));
      this.#db.exec(sql.numberTwins);
      this.#db.exec(sql.findItems);
      this.#db.exec('COMMIT');
      return doubled;
    });
  }

  /** Staged rows that cannot be sent, in the order of the file. */
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

/** What a row with an id of its own is known by. */
export function ownIdentity(id: string): Buffer {
  return digest(`id\0${id}`);
}

/** For names made out of ids. */
export function hexDigest(text: string): string {
  return hash('sha256', text, 'hex');
}
