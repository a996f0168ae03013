/** Builds the browser's side of `report.html` and of the page for pupils into `dist/page/`: for each a script and a style, and a pair for formulas. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '../../dist/page');
/** The oldest browsers that show the page: the last Chrome of Windows 7 and 8.1, and their time. docs/reviewing.md names them. */
export const oldest = ['chrome109', 'firefox115', 'safari15.6'];

const katex = dirname(createRequire(import.meta.url).resolve('katex'));

/** Text in a script or style element must not contain its end tag. */
function checked(name: string, text: string): string {
  if (/<\/(script|style)|<!--/i.test(text))
    throw new Error(`${name} contains a tag that would end its element`);
  return text;
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: oldest,
    charset: 'ascii',
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

async function bundleStyle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    target: oldest,
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

/**
 * The fonts are embedded in the style, so that the page is one file. Browsers without WOFF2 cannot show this page
 * anyway.
 */
async function mathStyle(): Promise<string> {
  const own = readFileSync(join(here, 'styles/formulas.css'), 'utf8');
  const { code } = await transform(own, { loader: 'css', minify: true, target: oldest });
  const style = readFileSync(join(katex, 'katex.min.css'), 'utf8') + code;
  return style.replace(/src:url\(([^)]+\.woff2)\)[^;}]*/g, (_, path: string) => {
    const font = readFileSync(join(katex, path)).toString('base64');
    return `src:url(data:font/woff2;base64,${font}) format("woff2")`;
  });
}

/** The licences of the parts require a copy next to each copy of them. */
function licences(): string {
  const of = (path: string): string => readFileSync(path, 'utf8').trim();
  return [
    'This folder contains parts of KaTeX (https://katex.org): its script, its style and its fonts.',
    `katex (MIT)\n\n${of(join(katex, '../LICENSE'))}`,
    [
      'The fonts of KaTeX',
      'Copyright (c) 2009-2010, Design Science, Inc. (<www.mathjax.org>)',
      'Copyright (c) 2014-2018 Khan Academy (<www.khanacademy.org>)',
      'with Reserved Font Names KaTeX_*.',
      of(join(here, 'OFL-1.1.txt')),
    ].join('\n\n'),
    '',
  ].join(`\n\n${'-'.repeat(72)}\n\n`);
}

export async function buildPage(): Promise<void> {
  const parts = {
    'page.js': await bundle('main.ts'),
    'page.css': await bundleStyle('styles/page.css'),
    'pupils.js': await bundle('pupils/main.ts'),
    'pupils.css': await bundleStyle('pupils/styles/pupils.css'),
    'math.js': await bundle('shared/math.ts'),
    'math.css': await mathStyle(),
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'LICENSES.txt'), licences());
  for (const [name, text] of Object.entries(parts)) writeFileSync(join(out, name), checked(name, text));
}

/** For the test runner: before the first test. */
export const setup = buildPage;

if (import.meta.main) await buildPage();
