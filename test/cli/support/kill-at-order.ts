/** Preload: the program is killed just before or after the commit that orders new attempts (`KILL_ORDER`). */

import { SqliteCheckpoint } from '../../../src/adapters/sqlite/sqlite-checkpoint.ts';

const { commitNow } = SqliteCheckpoint.prototype;

SqliteCheckpoint.prototype.commitNow = function (changes, steering) {
  const isOrder = changes.some(
    ({ before, after }) => before.status === 'completed' && after.status === 'pending',
  );
  if (isOrder && process.env.KILL_ORDER === 'before') process.kill(process.pid, 'SIGKILL');
  commitNow.call(this, changes, steering);
  if (isOrder) process.kill(process.pid, 'SIGKILL');
};
