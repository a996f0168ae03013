/** Writes the changes of items, inside a transaction of the caller. */

import type { RunResult } from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import type { Artifact } from '../../money/item.ts';
import { changedFiles } from '../item-rows.ts';
import type { Change } from '../port/checkpoint.ts';
import { changesAttempt } from '../tables.ts';
import { prepareChanges } from './checkpoint-statements.ts';
import type { Database } from './database.ts';

export class ItemChanges {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = prepareChanges(db);
  }

  /** False when the item has changed since the decision; the caller then rolls everything back. */
  write({ before, after }: Change): boolean {
    const { artifacts, ...columns } = after;
    const old = { oldStatus: before.status, oldToken: before.token, oldVersion: before.version };
    if (this.#statements.updateItem.run({ ...columns, ...old }).changes !== 1) return false;
    if (after.attempt > 1 && after.taskId !== null && after.taskId !== before.taskId)
      this.#statements.passTaskOn.run(columns);
    const writesAttempt = after.token !== null && changesAttempt(before, after);
    if (writesAttempt && unlessTaken(() => this.#statements.writeAttempt.run(columns)) === null) return false;
    if (artifacts !== before.artifacts) this.#writeArtifacts(after.key, before.artifacts, artifacts);
    if (after.status === 'pending' && before.status !== 'pending') this.#applyEdit(after.key);
    return true;
  }

  /** A pending row has the text of the file, whatever was sent before. */
  #applyEdit(key: number): void {
    if (this.#statements.applyEdit.run(key).changes === 0) return;
    this.#statements.applyEditedInput.run(key);
    this.#statements.dropEdit.run(key);
  }

  #writeArtifacts(item: number, before: readonly Artifact[], after: readonly Artifact[]): void {
    const { written, removed } = changedFiles(before, after);
    for (const artifact of written) this.#statements.writeArtifact.run({ item, ...artifact });
    for (const { kind, ordinal } of removed) this.#statements.deleteArtifact.run({ item, kind, ordinal });
  }
}

/** Null when the statement names a task that belongs to another attempt. */
export function unlessTaken(write: () => RunResult): RunResult | null {
  try {
    return write();
  } catch (error) {
    if (codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE') return null;
    throw error;
  }
}
