/** What workers keep on their disks until it is in the store. */

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { journalName, readIdJournal } from '../../src/stores/id-journal.ts';

/** Tasks in the journals below this scratch folder. */
export function journalOf(scratch: string): readonly string[] {
  if (!existsSync(scratch)) return [];
  const journals = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(journalName),
  );
  return journals.flatMap((path) => readIdJournal(dirname(join(scratch, path))).map(({ taskId }) => taskId));
}
