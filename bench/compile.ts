/** Compiles what is measured: types that are stripped while a program runs would cost it 25 MB and a tenth of a second. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../', import.meta.url));
let compiled: string | null = null;

/** The folder of the compiled programs of this folder, which run on the source as it is now; gone with this process. */
export function compiledFolder(): string {
  compiled ??= compile();
  return join(compiled, 'bench');
}

/** Below `node_modules`, where the programs find their packages. */
function compile(): string {
  const cache = join(project, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'batch-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const compiler = join(project, 'node_modules/.bin/tsc');
  execFileSync(compiler, ['-p', join(project, 'bench'), '--outDir', folder], { stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const migrations = ['sqlite', 'postgres'].map((store) => `src/stores/${store}/migrations`);
  for (const needed of [...migrations, 'dist/page'])
    cpSync(join(project, needed), join(folder, needed), { recursive: true });
  return folder;
}
