/** The built parts of the pages, made by `src/page/build.ts`; each read once, for the first page. */

import { readFileSync } from 'node:fs';
import type { PageAssets } from '../ports.ts';

/** The folder of the built parts; the path is the same from the source and from the built program. */
const folder = new URL('../../dist/page/', import.meta.url);

const known = new Map<string, PageAssets>();

/** The parts of `report.html`. Throws where the program was not built. */
export function pageAssets(): PageAssets {
  return assetsOf('page');
}

/** The parts of the page for pupils. Throws where the program was not built. */
export function pupilAssets(): PageAssets {
  return assetsOf('pupils');
}

function assetsOf(name: string): PageAssets {
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
  const assets = known.get(name) ?? {
    script: read(`${name}.js`),
    style: read(`${name}.css`),
    mathScript: read('math.js'),
    mathStyle: read('math.css'),
  };
  known.set(name, assets);
  return assets;
}
