/** What people decided about the rows of the run. */

import type { WireMark } from '../../money/review/review-wire.ts';
import { isEmptyMark } from '../../money/review.ts';
import type { RowsOfItems } from '../item-rows.ts';
import type { Decision } from '../port/decisions.ts';
import type { Reviews } from '../port/reviews.ts';
import { allMarks, correctionsOf, finalsOf, preferencesOf, standingOf } from '../reviews.ts';
import { groupByItem, tablesSince } from '../tables.ts';
import { columnsOf, json } from './commit-call.ts';
import type { Connections } from './connection/connections.ts';
import { withDecisions } from './decisions.ts';
import { readOf } from './item-rows.ts';

/** `sound` rejects when the run is damaged; `schema` is the version of its schema. */
export function postgresReviews(
  connections: Connections,
  sound: () => Promise<void>,
  schema: number,
): Reviews {
  const save = async (
    name: string,
    entries: readonly object[],
    decisions: readonly Decision[] = [],
  ): Promise<void> => {
    await sound();
    if (entries.length === 0) return;
    const { text, values } = withDecisions(
      { text: `SELECT ${name}($1)`, values: [json(entries)] },
      decisions,
    );
    await connections.rows(text, values);
  };
  const finals = async (): Promise<RowsOfItems['finals']> =>
    schema >= tablesSince.finals ? await readOf(connections, 'finals', null) : [];
  return {
    marks: () => connections.rows<WireMark & Record<string, unknown>>(allMarks),
    saveMarks: (marks) =>
      save(
        'save_marks',
        marks.map(({ key, ...mark }) =>
          isEmptyMark(mark) ? { item: key, reviewer: mark.reviewer } : { item: key, ...mark },
        ),
      ),
    preferences: async () => preferencesOf(await readOf(connections, 'preferences', null)),
    standing: async () =>
      standingOf({
        preferences: await readOf(connections, 'preferences', null),
        finals: await finals(),
      }),
    finals: async () => finalsOf(await finals()),
    prefer: (choices) =>
      save(
        'save_preferences',
        [...choices].map(([item, attempt]) => ({ item, attempt })),
      ),
    corrections: async (keys) => correctionsOf(await readOf(connections, 'corrections', keys)),
    earlierCorrections: async () => groupByItem(await readOf(connections, 'earlierCorrections', null)),
    correct: (corrections, decisions) =>
      save(
        'save_corrections',
        [...corrections].map(([item, correction]) => ({ item, ...columnsOf(correction ?? {}) })),
        decisions,
      ),
  };
}
