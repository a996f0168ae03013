/** The thread that checks a checkpoint. It only reads, and says what it found when it has ended. */

import { parentPort, workerData } from 'node:worker_threads';
import { CheckpointError, messageOf } from '../../errors.ts';
import type { CheckOrder, CheckReply } from './checked-aside.ts';
import { checkUntouched, guard } from './database.ts';

if (parentPort === null) throw new Error('check-thread is not started by hand, checked-aside.ts does it');
const { path, creations } = workerData as CheckOrder;
let reply: CheckReply = null;
try {
  guard(path, () => checkUntouched(path, creations));
} catch (error) {
  reply = { message: messageOf(error), isDamage: error instanceof CheckpointError };
}
parentPort.postMessage(reply);
