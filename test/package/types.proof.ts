/** The types of the package, as the program of a user sees them: strictly, and its declarations are checked too. */

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const compiler = join(process.cwd(), 'node_modules/.bin/tsc');

/** What the compiler says; '' when it is content. */
async function compile(cwd: string, ...args: readonly string[]): Promise<string> {
  return promisify(execFile)(compiler, args, { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

/** A user's project with the package in it. */
async function openProject(options: object): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const installed = join(folder.path, 'node_modules/batch-video');
  await mkdir(installed, { recursive: true });
  await cp('package.json', join(installed, 'package.json'));
  expect(await compile('.', '-p', 'src/library', '--outDir', join(installed, 'dist'))).toBe('');
  await symlink(join(process.cwd(), 'node_modules/@types'), join(folder.path, 'node_modules/@types'));
  await symlink(
    join(process.cwd(), 'node_modules/undici-types'),
    join(folder.path, 'node_modules/undici-types'),
  );
  const strict = { strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', types: [] };
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
  const config = { compilerOptions: { ...strict, ...options }, include: ['*'] };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

let use = '';
beforeAll(async () => {
  use = await readFile(new URL('./use-of-types.ts', import.meta.url), 'utf8');
});

it('the example and every type are good for a program of Node', async () => {
  await using project = await openProject({
    module: 'nodenext',
    types: ['node'],
    exactOptionalPropertyTypes: true,
  });
  await cp('docs/library-example.mts', join(project.path, 'library-example.mts'));
  await writeFile(join(project.path, 'use.ts'), use);
  expect(await compile(project.path)).toBe('');
});

it('the types need neither those of Node nor a certain way to find modules', async () => {
  const bundled = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] };
  await using project = await openProject(bundled);
  await writeFile(join(project.path, 'use.ts'), use);
  expect(await compile(project.path)).toBe('');
});

it('the types refuse what the program would refuse', async () => {
  await using project = await openProject({ module: 'nodenext', types: ['node'] });
  const calls = [
    'runBatch({})',
    "runBatch({ input: 'q.csv', pollInterval: 30 })",
    "runBatch({ input: 'q.csv', pollInterval: '30 minutes' })",
    "runBatch({ input: 'q.csv', quality: 'high' })",
    "runBatch({ input: 'q.csv', fault: { lightning: 1 } })",
    "resumeBatch({ input: 'q.csv' })",
    'collectBatch({ limit: 5 })',
  ];
  const lines = ["import { collectBatch, resumeBatch, runBatch } from 'batch-video';", ...calls, ''];
  await writeFile(join(project.path, 'wrong.ts'), lines.join('\n'));
  const refused = [...(await compile(project.path)).matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) =>
    Number(line),
  );
  expect(refused).toEqual(calls.map((_, index) => index + 2));
});
