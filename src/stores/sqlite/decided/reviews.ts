/** What people decided about the rows of the run. Every write is one small transaction that touches no item. */

import type { WireMark } from '../../../money/review/review-wire.ts';
import { type Correction, isEmptyMark, type SavedMark } from '../../../money/review.ts';
import { type OfItems, type RowsOfItems, statementsOfItems } from '../../item-rows.ts';
import type { Reviews } from '../../port/reviews.ts';
import {
  allMarks,
  correctionsOf,
  finalsOf,
  preferencesOf,
  reviewVersionName,
  standingOf,
} from '../../reviews.ts';
import { groupByItem } from '../../tables.ts';
import { prepareOf } from '../checkpoint-statements.ts';
import { type Database, guard } from '../database.ts';
import { changeHere } from '../move-mark.ts';
import { writeDecisions } from './decisions.ts';

/** `checkpoint` is over the same `db`; nothing is saved before it is known to be `sound`. */
export function sqliteReviews(db: Database, checkpoint: { readonly sound: Promise<void> }): Reviews {
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  const save = async (write: () => void): Promise<void> => {
    await checkpoint.sound;
    changeHere(db, () => {
      write();
      db.prepare(
        `INSERT INTO settings (name, value) VALUES ('${reviewVersionName}', '1')
         ON CONFLICT (name) DO UPDATE SET value = value + 1`,
      ).run();
    });
  };
  return {
    marks: async () => guarded(() => db.prepare<[], WireMark>(allMarks).all()),
    saveMarks: (marks) => save(() => writeMarks(db, marks)),
    preferences: async () => guarded(() => preferencesOf(readAll(db, 'preferences'))),
    standing: async () =>
      guarded(() => standingOf({ preferences: readAll(db, 'preferences'), finals: readAll(db, 'finals') })),
    finals: async () => guarded(() => finalsOf(readAll(db, 'finals'))),
    prefer: (choices) => save(() => writePreferences(db, choices)),
    corrections: async (keys) => guarded(() => readCorrections(db, keys)),
    earlierCorrections: async () => guarded(() => groupByItem(readAll(db, 'earlierCorrections'))),
    correct: (corrections, decisions = []) =>
      save(() => {
        writeCorrections(db, corrections);
        writeDecisions(db, decisions);
      }),
  };
}

const ofAll = statementsOfItems('true');

function readAll<T extends OfItems>(db: Database, table: T): RowsOfItems[T][number][] {
  return db.prepare<[], RowsOfItems[T][number]>(ofAll[table]).all();
}

/** Replaces what is known of these rows, in the transaction of the caller. */
function writeMarks(db: Database, marks: readonly SavedMark[]): void {
  const remove = db.prepare('DELETE FROM marks WHERE item = ? AND reviewer = ?');
  const write = db.prepare<object>(
    `INSERT INTO marks (item, reviewer, mark, note, attempt, question, answer, at)
     VALUES (@key, @reviewer, @mark, @note, @attempt, @question, @answer, @at)
     ON CONFLICT (item, reviewer) DO UPDATE SET mark = excluded.mark, note = excluded.note, attempt = excluded.attempt,
       question = excluded.question, answer = excluded.answer, at = excluded.at`,
  );
  for (const mark of marks)
    if (isEmptyMark(mark)) remove.run(mark.key, mark.reviewer);
    else write.run(mark);
}

/** Replaces what is known of these rows, in the transaction of the caller. */
function writePreferences(db: Database, choices: ReadonlyMap<number, number | null>): void {
  const remove = db.prepare('DELETE FROM preferences WHERE item = ?');
  const write = db.prepare(
    `INSERT INTO preferences (item, attempt) VALUES (?, ?)
     ON CONFLICT (item) DO UPDATE SET attempt = excluded.attempt`,
  );
  for (const [item, attempt] of choices)
    if (attempt === null) remove.run(item);
    else write.run(item, attempt);
}

/** Corrections of these items; null for all. */
export function readCorrections(
  db: Database,
  keys: readonly number[] | null,
): ReadonlyMap<number, Correction> {
  return correctionsOf(
    keys === null ? readAll(db, 'corrections') : prepareOf(db, 'corrections').all(JSON.stringify(keys)),
  );
}

/** Replaces what is known of these rows, in the transaction of the caller. */
function writeCorrections(db: Database, corrections: ReadonlyMap<number, Correction | null>): void {
  const remove = db.prepare('DELETE FROM corrections WHERE item = ?');
  const write = db.prepare<object>(
    `INSERT INTO corrections (item, question, answer, of_question, of_answer, since)
     VALUES (@item, @question, @answer, @ofQuestion, @ofAnswer, @since)
     ON CONFLICT (item) DO UPDATE SET question = excluded.question, answer = excluded.answer,
       of_question = excluded.of_question, of_answer = excluded.of_answer, since = excluded.since`,
  );
  for (const [item, correction] of corrections)
    if (correction === null) remove.run(item);
    else write.run({ item, ...correction });
}
