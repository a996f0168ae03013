/** The setting that says where else the run is. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { type Database, guard } from './database.ts';

export const markName = 'moved';

/** Throws `UsageError` for a run that moves, or has moved: what is saved here would stay behind. */
function refuseMoved(db: Database): void {
  if (db.prepare('SELECT 1 FROM settings WHERE name = ?').get(markName) !== undefined)
    throw new UsageError(message('store.file-moves', { path: db.name }));
}

/** Runs the work in one transaction. Throws `UsageError` as `refuseMoved` does, or for what SQLite refuses. */
export function changeHere<T>(db: Database, work: () => T): T {
  return guard(db.name, () =>
    db
      .transaction(() => {
        refuseMoved(db);
        return work();
      })
      .immediate(),
  );
}
