/** The program's own way from a file to a new run in PostgreSQL: `FILE URL RUN`. */

import { readInvocation } from '../src/app/options/settings.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { stageFile } from '../src/features/import/stage-file.ts';
import { placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [file = '', url = '', run = ''] = process.argv.slice(2);
const given = readInvocation({}, {});
await using store = await placeAt(url, run).open();
const startedAt = performance.now();
const staged = await stageFile(store, file, given, given.options);
await using ingest = staged.ingest;
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
