/** The built parts of the pages, made by `src/page/build.ts`. */

import { readFileSync } from 'node:fs';
import type { PageAssets } from '../ports.ts';

/** The folder of the built parts; the path is the same from the source and from the built program. */
const folder = new URL('../../dist/page/', import.meta.url);

let assets: PageAssets | null = null;

/** The parts of the page of a run. Throws where the program was not built. */
export function pageAssets(): PageAssets {
  assets ??= readAssets('page');
  return assets;
}

/** The parts of the page of an export. Throws where the program was not built. */
export function pupilAssets(): PageAssets {
  return readAssets('pupils');
}

function readAssets(name: 'page' | 'pupils'): PageAssets {
  const read = (part: string): string => readFileSync(new URL(part, folder), 'utf8');
  return {
    script: read(`${name}.js`),
    style: read(`${name}.css`),
    mathScript: read('math.js'),
    mathStyle: read('math.css'),
  };
}
