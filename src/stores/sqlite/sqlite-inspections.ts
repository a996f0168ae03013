/** What was seen of videos, saved in the checkpoint. */

import type { Inspections } from '../port/reviews.ts';
import { type InspectionRow, inspectedOf } from '../reviews.ts';
import { prepareInspections } from './checkpoint-statements.ts';
import { type Database, guard } from './database.ts';
import { raiseInputVersion } from './import/apply-statements.ts';
import { changeHere } from './move-mark.ts';

/** `sound` rejects when the checkpoint is damaged. */
export function sqliteInspections(db: Database, { sound }: { readonly sound: Promise<void> }): Inspections {
  const select = prepareInspections(db);
  const change = async (work: () => void): Promise<void> => {
    await sound;
    changeHere(db, work);
  };
  return {
    find: async (digests) => guard(db.name, () => inspectedOf(select.all(JSON.stringify(digests)))),
    save: (seen) =>
      change(() => {
        const write = db.prepare<InspectionRow>(
          `INSERT INTO inspections (sha256, facts) VALUES (@sha256, @facts)
           ON CONFLICT (sha256) DO UPDATE SET facts = excluded.facts`,
        );
        for (const { sha256, inspection } of seen)
          write.run({ sha256, facts: JSON.stringify(inspection), findings: '' });
      }),
    saveFindings: (found) =>
      change(() => {
        const write = db.prepare<Omit<InspectionRow, 'facts'>>(
          'UPDATE inspections SET findings = @findings WHERE sha256 = @sha256 AND findings <> @findings',
        );
        let changes = 0;
        for (const { sha256, findings } of found)
          changes += write.run({ sha256, findings: JSON.stringify(findings) }).changes;
        if (changes > 0) db.exec(raiseInputVersion);
      }),
  };
}
