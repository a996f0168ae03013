/** What people decided about the rows of the run. */

import type { WireMark } from '../../features/review/review-wire.ts';
import { type Correction, isEmptyMark } from '../../money/review.ts';
import type { Reviews } from '../port/reviews.ts';
import { type EarlierCorrectionRow, earlierCorrectionColumns, groupByItem } from '../tables.ts';
import { json } from './commit-call.ts';
import type { Asker, Connections } from './connection/connections.ts';

/** `sound` rejects when the run is damaged. */
export function postgresReviews(connections: Connections, sound: () => Promise<void>): Reviews {
  const save = async (name: string, entries: readonly object[]): Promise<void> => {
    await sound();
    if (entries.length > 0) await connections.rows(`SELECT ${name}($1)`, [json(entries)]);
  };
  return {
    marks: () => readMarks(connections),
    saveMarks: (marks) =>
      save(
        'save_marks',
        marks.map(({ key, ...mark }) =>
          isEmptyMark(mark) ? { item: key, reviewer: mark.reviewer } : { item: key, ...mark },
        ),
      ),
    preferences: () => readPreferences(connections, null),
    prefer: (choices) =>
      save(
        'save_preferences',
        [...choices].map(([item, attempt]) => ({ item, attempt })),
      ),
    corrections: (keys) => readCorrections(connections, keys),
    earlierCorrections: () => readEarlierCorrections(connections),
    correct: (corrections) =>
      save(
        'save_corrections',
        [...corrections].map(([item, correction]) => ({ item, ...columnsOf(correction) })),
      ),
  };
}

function columnsOf(correction: Correction | null): object {
  if (correction === null) return {};
  const { question, answer, ofQuestion, ofAnswer, since } = correction;
  return { question, answer, of_question: ofQuestion, of_answer: ofAnswer, since };
}

/** All marks. */
async function readMarks(asker: Asker): Promise<readonly WireMark[]> {
  return asker.rows<WireMark & Record<string, unknown>>(
    `SELECT item AS key, id, reviewer, mark, note, marks.attempt, question, answer, at
     FROM marks JOIN items ON items.key = marks.item ORDER BY item, reviewer`,
  );
}

/** Preferred attempts of these items; null for all. */
export async function readPreferences(
  asker: Asker,
  keys: readonly number[] | null,
): Promise<ReadonlyMap<number, number>> {
  const rows = await asker.rows<{ item: number; attempt: number }>(
    'SELECT item, attempt FROM preferences WHERE $1::bigint[] IS NULL OR item = ANY ($1)',
    [keys],
  );
  return new Map(rows.map(({ item, attempt }) => [item, attempt]));
}

/** Corrections of these items; null for all. */
export async function readCorrections(
  asker: Asker,
  keys: readonly number[] | null,
): Promise<ReadonlyMap<number, Correction>> {
  const rows = await asker.rows<Correction & { item: number }>(
    `SELECT item, question, answer, of_question AS "ofQuestion", of_answer AS "ofAnswer", since FROM corrections
     WHERE $1::bigint[] IS NULL OR item = ANY ($1)`,
    [keys],
  );
  return new Map(rows.map(({ item, ...correction }) => [item, correction]));
}

async function readEarlierCorrections(
  asker: Asker,
): Promise<ReadonlyMap<number, readonly EarlierCorrectionRow[]>> {
  const text = `SELECT ${earlierCorrectionColumns} FROM earlier_corrections ORDER BY item, attempt`;
  return groupByItem(await asker.rows<EarlierCorrectionRow & Record<string, unknown>>(text));
}
