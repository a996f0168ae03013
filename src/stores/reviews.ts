/** What people decided about rows, and what was seen of videos, as both stores read it. */

import { type InspectedVideo, readInspected } from '../money/inspection/inspection.ts';
import type { Final } from '../money/review/final.ts';
import type { Correction } from '../money/review.ts';
import type { RowsOfItems } from './item-rows.ts';

/** The setting that grows with everything that people decide. */
export const reviewVersionName = 'review-version';

/** All marks. */
export const allMarks = `
  SELECT item AS key, id, reviewer, mark, note, marks.attempt, question, answer, at
  FROM marks JOIN items ON items.key = marks.item ORDER BY item, reviewer`;

/** Preferred attempts by item. */
export function preferencesOf(rows: RowsOfItems['preferences']): ReadonlyMap<number, number> {
  return new Map(rows.map(({ item, attempt }) => [item, attempt]));
}

/** Finals by item. */
export function finalsOf(rows: RowsOfItems['finals']): ReadonlyMap<number, Final> {
  return new Map(
    rows.map(({ item, stands, ...final }) => [item, { ...final, isDraftStanding: stands === 1 }]),
  );
}

/** Attempts whose video stands for their row, where it is not the latest one: preferred ones, and drafts without a good final. */
export function standingOf({
  preferences,
  finals,
}: Pick<RowsOfItems, 'preferences' | 'finals'>): ReadonlyMap<number, number> {
  const drafts = finals.flatMap(({ item, stands, draft }) => (stands === 1 ? [[item, draft] as const] : []));
  return new Map([...drafts, ...preferencesOf(preferences)]);
}

/** Corrections by item. */
export function correctionsOf(rows: RowsOfItems['corrections']): ReadonlyMap<number, Correction> {
  return new Map(rows.map(({ item, ...correction }) => [item, correction]));
}

/** A row of `inspections`; facts and findings are JSON. */
export interface InspectionRow {
  readonly sha256: string;
  readonly facts: string;
  readonly findings: string;
}

/** What was seen of the videos whose digest meets this condition. */
export const inspectionsWhere = (condition: string): string =>
  `SELECT sha256, facts, findings FROM inspections WHERE ${condition}`;

export function inspectedOf(rows: readonly InspectionRow[]): ReadonlyMap<string, InspectedVideo> {
  return new Map(rows.map(({ sha256, facts, findings }) => [sha256, readInspected(facts, findings)]));
}
