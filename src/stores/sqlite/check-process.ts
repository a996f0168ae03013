/** The process that checks a checkpoint: `PATH CREATIONS`. It only reads, and reports the result at its end. */

import { CheckpointError, saidOf } from '../../errors.ts';
import type { CheckReply } from './background-check.ts';
import { checkUntouched, guard } from './database.ts';

const [path = '', creations = '0'] = process.argv.slice(2);
let reply: CheckReply = { failure: null };
try {
  guard(path, () => checkUntouched(path, Number(creations)));
} catch (error) {
  reply = { failure: saidOf(error), isDamage: error instanceof CheckpointError };
}
// The parent may have exited.
if (process.connected) process.send?.(reply, () => process.disconnect?.());
