/** What was seen of videos, saved in the database. */

import type { InspectedVideo } from '../../money/inspection/inspection.ts';
import type { Inspections } from '../port/reviews.ts';
import { inspectedOf, inspectionsWhere } from '../reviews.ts';
import type { Asker, Connections } from './connection/connections.ts';

/** `sound` rejects when the run is damaged. */
export function postgresInspections(connections: Connections, sound: () => Promise<void>): Inspections {
  const call = async (name: string, list: readonly object[]): Promise<void> => {
    await sound();
    await connections.rows(`SELECT ${name}($1)`, [JSON.stringify(list)]);
  };
  return {
    find: (digests) => readInspections(connections, digests),
    save: (seen) =>
      call(
        'save_inspections',
        seen.map(({ sha256, inspection }) => ({ sha256, facts: JSON.stringify(inspection) })),
      ),
    saveFindings: (found) =>
      call(
        'save_findings',
        found.map(({ sha256, findings }) => ({ sha256, findings: JSON.stringify(findings) })),
      ),
  };
}

/** What was seen of the videos with these digests. */
export async function readInspections(
  asker: Asker,
  digests: readonly string[],
): Promise<ReadonlyMap<string, InspectedVideo>> {
  if (digests.length === 0) return new Map();
  return inspectedOf(await asker.rows(inspectionsWhere('sha256 = ANY ($1)'), [digests]));
}
