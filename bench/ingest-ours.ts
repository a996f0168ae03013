/** The program's own way from a file to the checkpoint, without a run after it: `FILE FOLDER`. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { stageFile } from '../src/app/import-file.ts';
import { openFolder } from '../src/app/output-folder.ts';
import { maxImageBytesOf, readInvocation } from '../src/app/settings.ts';
import { report } from './reporting.ts';

const [file = '', out = ''] = process.argv.slice(2);
const given = readInvocation({ out: resolve(out) }, {});
using folder = openFolder(given.out);
const startedAt = performance.now();
const written = (): number =>
  folder.db.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
const staged = await stageFile(folder.db, file, given, maxImageBytesOf(given.options));
using ingest = staged.ingest;
const stagedChanges = written();
report('planMs', performance.now() - startedAt);
ingest.apply(folder.checkpoint, {
  source: staged.source,
  at: 0,
  add: staged.add,
  isMended: staged.isMended,
  rerunChanged: false,
});
report('rows', staged.plan.rows);
report('ms', performance.now() - startedAt);
report('changes', written() - stagedChanges);
report('fileBytes', statSync(folder.db.name).size);
