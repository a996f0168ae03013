/** The program's own way from a file to the checkpoint, without a run after it: `FILE FOLDER`. */

import { mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readInvocation } from '../src/app/options/settings.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { stageFile } from '../src/features/import/stage-file.ts';
import { openDatabase } from '../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint } from '../src/stores/sqlite/sqlite-checkpoint.ts';
import { storeOver } from '../src/stores/sqlite/sqlite-store.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [file = '', out = ''] = process.argv.slice(2);
const given = readInvocation({ out: resolve(out) }, {});
mkdirSync(given.out, { recursive: true });
const db = openDatabase(given.out);
const checkpoint = createSqliteCheckpoint(db);
await using store = storeOver(db, { checkpoint, folder: given.out, close: () => void db.close() });
const startedAt = performance.now();
const written = (): number => db.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
const staged = await stageFile(store, file, given, given.options);
await using ingest = staged.ingest;
const stagedChanges = written();
report('planMs', performance.now() - startedAt);
await ingest.apply({
  source: staged.source,
  at: 0,
  add: staged.add,
  isMended: staged.isMended,
  rerunChanged: false,
});
report('rows', staged.plan.rows);
report('ms', performance.now() - startedAt);
report('changes', written() - stagedChanges);
report('fileBytes', statSync(db.name).size);
