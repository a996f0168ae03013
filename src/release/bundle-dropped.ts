/** The program behind the `.cmd` files that tables are dropped on, as one file. */

import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundleDropped(project: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [join(project, 'src/release/dropped.ts')],
    absWorkingDir: project,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    legalComments: 'none',
    alias: { 'string-width': join(project, 'src/terminal/string-width.ts') },
    write: false,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('dropped.ts made no file');
  return Buffer.from(file.contents);
}
