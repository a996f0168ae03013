/** Preload: the program does what it must not do, where `PLANTED_BUG` says: in a run, or before there is one. */

import { SqliteIngest } from '../../../src/stores/sqlite/import/ingest.ts';
import { SqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';

const key = process.env.BATCH_API_KEY ?? '';

function plantedBug(): never {
  throw new TypeError(`nothing can be read of ${key}`, { cause: new RangeError('there was no such thing') });
}

if (process.env.PLANTED_BUG === 'run') SqliteCheckpoint.prototype.pendingItems = async () => plantedBug();
else SqliteIngest.prototype.match = async () => plantedBug();
