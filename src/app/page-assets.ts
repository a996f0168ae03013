/** The built parts of `report.html`, made by `src/page/build.ts`; read once, for the first page. */

import { readFileSync } from 'node:fs';
import type { PageAssets } from '../ports.ts';

/** The folder of the built parts; the path is the same from the source and from the built program. */
const folder = new URL('../../dist/page/', import.meta.url);

let assets: PageAssets | null = null;

/** The parts of the page. Throws where the program was not built. */
export function pageAssets(): PageAssets {
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  assets ??= {
    script: read('page.js'),
    style: read('page.css'),
    mathScript: read('math.js'),
    mathStyle: read('math.css'),
  };
  return assets;
}
