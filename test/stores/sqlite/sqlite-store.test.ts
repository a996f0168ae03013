import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkpointName, openDatabase } from '../../../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { storeOver } from '../../../src/stores/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('an abandoned folder is freed once its database is gone: the next process makes its own', async () => {
  await using folder = await temporaryFolder();
  const db = openDatabase(folder.path);
  const left: boolean[] = [];
  const lock = {
    [Symbol.dispose]: () => void left.push(existsSync(join(folder.path, checkpointName))),
  };
  const checkpoint = createSqliteCheckpoint(db);
  await storeOver(db, { checkpoint, folder: folder.path, close: () => void db.close(), lock }).abandon();
  expect(left).toEqual([false]);
});
