/** Preload: the program is killed just before or after the transaction that orders new attempts (`KILL_ORDER`). */

import { SqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';

const { order } = SqliteCheckpoint.prototype;

SqliteCheckpoint.prototype.order = async function (round, changes, ...more) {
  const isOrder = changes.some(
    ({ before, after }) => before.status === 'completed' && after.status === 'pending',
  );
  if (isOrder && process.env.KILL_ORDER === 'before') process.kill(process.pid, 'SIGKILL');
  await order.call(this, round, changes, ...more);
  if (isOrder) process.kill(process.pid, 'SIGKILL');
};
