/** Builds the browser's side of `report.html` into `dist/page/`: one script, one style, and those for formulas. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '../../dist/page');
const katex = dirname(createRequire(import.meta.url).resolve('katex'));

/** Text in a script or style element must not hold what ends one. */
function checked(name: string, text: string): string {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} holds a tag that would end its element`);
  return text;
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

/** The fonts stand in the style itself: the page is one file. Browsers that know no WOFF2 know no page like this one. */
function mathStyle(): string {
  const style = readFileSync(join(katex, 'katex.min.css'), 'utf8');
  return style.replace(/src:url\(([^)]+\.woff2)\)[^;}]*/g, (_, path: string) => {
    const font = readFileSync(join(katex, path)).toString('base64');
    return `src:url(data:font/woff2;base64,${font}) format("woff2")`;
  });
}

/** Writes the built parts. */
export async function buildPage(): Promise<void> {
  const style = await build({ entryPoints: [join(here, 'page.css')], minify: true, write: false });
  const parts = {
    'page.js': await bundle('main.ts'),
    'page.css': style.outputFiles[0]?.text ?? '',
    'math.js': await bundle('math.ts'),
    'math.css': mathStyle(),
  };
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(parts)) writeFileSync(join(out, name), checked(name, text));
}

/** For the test runner: before the first test. */
export const setup = buildPage;

if (import.meta.main) await buildPage();
