/** Reads what was seen of videos. */

import type { Database } from './database.ts';

/** A row of `inspections`; facts and findings are JSON. */
export interface InspectionRow {
  readonly sha256: string;
  readonly facts: string;
  readonly findings: string;
}

/** What was seen of the videos with these digests, a JSON list. */
export function prepareInspections(db: Database) {
  return db.prepare<[string], InspectionRow>(
    'SELECT sha256, facts, findings FROM inspections WHERE sha256 IN (SELECT value FROM json_each(?))',
  );
}
