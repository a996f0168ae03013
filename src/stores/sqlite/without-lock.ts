/**
 * A connection that writes what no item depends on (settings, marks) into a checkpoint that another process works on.
 * SQLite lets one of them write at a time, so the holder waits for the few milliseconds of one small transaction, and a
 * process that dies in it leaves nothing. Nothing else may be written this way: a second process that claims rows would
 * pay for them twice.
 */

import { CheckpointError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { connect, connectToRead, type Database, guard } from './database.ts';

export interface WithoutLock extends Disposable {
  readonly db: Database;
}

/** Opens it. Throws `CheckpointError` unless the checkpoint is of this version. */
export function openWithoutLock(path: string): WithoutLock {
  return guard(path, () => {
    // Also closes last: the last connection to close merges the log, which is for the holder to do, after its checks.
    const reader = connectToRead(path);
    if (reader === null) throw new CheckpointError(message('store.held-by-other-version', { path }));
    try {
      const db = connect(path, (opened) => opened.pragma('wal_autocheckpoint = 0'));
      return {
        db,
        [Symbol.dispose]: () => {
          db.close();
          reader.close();
        },
      };
    } catch (error) {
      reader.close();
      throw error;
    }
  });
}
