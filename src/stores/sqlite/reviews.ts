/** What people decided about the rows of the run. Every write is one small transaction that touches no item. */

import type { WireMark } from '../../features/review/review-wire.ts';
import { type Correction, isEmptyMark, type SavedMark } from '../../money/review.ts';
import type { Reviews } from '../port/reviews.ts';
import { type EarlierCorrectionRow, earlierCorrectionColumns, groupByItem } from '../tables.ts';
import { type Database, guard } from './database.ts';
import { changeHere } from './move-mark.ts';

/** The setting that grows with everything saved here. */
export const reviewVersionName = 'review-version';

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
    marks: async () => guarded(() => readMarks(db)),
    saveMarks: (marks) => save(() => writeMarks(db, marks)),
    preferences: async () => guarded(() => readPreferences(db, null)),
    prefer: (choices) => save(() => writePreferences(db, choices)),
    corrections: async (keys) => guarded(() => readCorrections(db, keys)),
    earlierCorrections: async () => guarded(() => readEarlierCorrections(db)),
    correct: (corrections) => save(() => writeCorrections(db, corrections)),
  };
}

const among = 'item IN (SELECT value FROM json_each(?))';

/** All marks. */
function readMarks(db: Database): readonly WireMark[] {
  return db
    .prepare<[], WireMark>(
      `SELECT item AS key, id, reviewer, mark, note, marks.attempt, question, answer, at
       FROM marks JOIN items ON items.key = marks.item ORDER BY item, reviewer`,
    )
    .all();
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

/** Preferred attempts of these items; null for all. */
export function readPreferences(db: Database, keys: readonly number[] | null): ReadonlyMap<number, number> {
  type Row = { item: number; attempt: number };
  const rows =
    keys === null
      ? db.prepare<[], Row>('SELECT item, attempt FROM preferences').all()
      : db
          .prepare<[string], Row>(`SELECT item, attempt FROM preferences WHERE ${among}`)
          .all(JSON.stringify(keys));
  return new Map(rows.map(({ item, attempt }) => [item, attempt]));
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
  type Row = Correction & { item: number };
  const text = (where: string): string =>
    `SELECT item, question, answer, of_question AS ofQuestion, of_answer AS ofAnswer, since FROM corrections ${where}`;
  const rows =
    keys === null
      ? db.prepare<[], Row>(text('')).all()
      : db.prepare<[string], Row>(text(`WHERE ${among}`)).all(JSON.stringify(keys));
  return new Map(rows.map(({ item, ...correction }) => [item, correction]));
}

function readEarlierCorrections(db: Database): ReadonlyMap<number, readonly EarlierCorrectionRow[]> {
  const text = `SELECT ${earlierCorrectionColumns} FROM earlier_corrections ORDER BY item, attempt`;
  return groupByItem(db.prepare<[], EarlierCorrectionRow>(text).all());
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
