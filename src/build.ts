/**
 * Builds the program into `dist/`: a few chunks instead of hundreds of modules, which halves the time of a start. Packages
 * stay what `npm` installs, except those that are much larger than what is used of them, or that only one command needs.
 */

import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { renderLicences } from './release/licences.ts';
import { readLicence } from './release/read-licence.ts';

const source = dirname(fileURLToPath(import.meta.url));
const project = dirname(source);
const out = join(project, 'dist');
const chunks = join(out, 'chunks');

const inlined = ['yargs', 'zod', 'qr'];

/** Sets formulas with a package that is not installed with the program. */
const formulas = 'service/simulator/clip-formulas.ts';
/** What starts by its own path: the program, the library, a process and two threads. */
const entries = [
  'cli.ts',
  'index.ts',
  'stores/sqlite/check-process.ts',
  'features/import/parquet-worker.ts',
  'service/simulator/clip-worker.ts',
  formulas,
];

const settings = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  absWorkingDir: project,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
} as const;

const packageOf = (path: string): string => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
/** The package that this file is of; undefined for a file of ours. */
const ownerOf = (path: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path.replaceAll('\\', '/'))?.[1];

const ownersIn = ({ inputs }: Metafile): string[] =>
  Object.keys(inputs).flatMap((path) => ownerOf(path) ?? []);

const packages: Plugin = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) =>
      kind === 'entry-point' || ownerOf(importer) !== undefined || inlined.includes(packageOf(path))
        ? undefined
        : { path, external: true },
    );
  },
};

/** Modules become parts of chunks, and what they find beside their source stays where it was. */
const ownFiles: Plugin = {
  name: 'own-files',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = join(out, relative(source, path)).replace(/\.ts$/, '.js');
      const url = JSON.stringify(relative(chunks, place).replaceAll('\\', '/'));
      const text = readFileSync(path, 'utf8');
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`),
        loader: 'ts',
      };
    });
  },
};

/** The licences of what became part of the program require a copy next to it. */
async function licencesOf(names: readonly string[]): Promise<string> {
  const parts = [...new Set(names)].map(async (name) => {
    const licence = await readLicence(join(project, 'node_modules', name));
    return { ...licence, version: '' };
  });
  return renderLicences('This program contains parts of these packages.', await Promise.all(parts));
}

rmSync(chunks, { recursive: true, force: true });
const program = await build({
  ...settings,
  entryPoints: entries.map((path) => join(source, path)),
  splitting: true,
  outdir: out,
  outbase: source,
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  // The parser lays out its own help at every start, although nobody sees it.
  alias: { 'string-width': join(source, 'terminal/string-width.ts') },
  plugins: [packages, ownFiles],
});
const setter = await build({
  ...settings,
  entryPoints: [join(source, formulas)],
  minify: true,
  outfile: join(out, formulas).replace(/\.ts$/, '.js'),
  alias: { '#default-font/svg/default.js': '@mathjax/mathjax-tex-font/mjs/svg/default.js' },
});
const licences = await licencesOf([program, setter].flatMap(({ metafile }) => ownersIn(metafile)));
writeFileSync(join(out, 'LICENSES.txt'), licences);
for (const store of ['sqlite', 'postgres']) {
  const folder = join('stores', store, 'migrations');
  cpSync(join(source, folder), join(out, folder), { recursive: true });
}
chmodSync(join(out, 'cli.js'), 0o755);
