import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { inSource } from '../../src/app/source-lines.ts';

it('a stack of the built program names the lines of the source', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'batch-lines-'));
  const source = join(folder, 'fault.ts');
  await writeFile(source, '// A comment goes.\n\nexport const fault: Error = new Error("a fault");\n');
  const outfile = join(folder, 'chunk.js');
  await build({ entryPoints: [source], outfile, format: 'esm', sourcemap: true, sourcesContent: false });
  await appendFile(outfile, '\nconsole.log(fault.stack);\n');
  const { stdout: stack } = await promisify(execFile)(process.execPath, [outfile]);
  expect(stack).not.toContain('fault.ts');
  expect(inSource(stack)).toContain(`${pathToFileURL(source).href}:3:29`);
});

it('a place without a map stays as it is', () => {
  const stack = 'Error: a fault\n    at run (file:///nowhere/chunk.js:3:29)\n    at node:internal/main:1:1';
  expect(inSource(stack)).toBe(stack);
});
