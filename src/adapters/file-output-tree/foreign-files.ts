/** Files that stand where a row's own are going to stand, before the run has made any: they are somebody else's. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { guarded, lstatIfThere, segmentsOf } from './guarded-disk.ts';

/** Names that a run gives in the folder of a row. */
export const isNameOfRun = (name: string): boolean => /^(video\..*|frames|task\.json)$/s.test(name);

/** What stands in the way of a row's first files, relative to the output folder; null for nothing. */
export function foreignFile(root: string, item: string): string | null {
  const folder = join(root, ...segmentsOf(item));
  const found = lstatIfThere(folder);
  if (found === null) return null;
  if (!found.isDirectory()) return item;
  const name = readdirSync(folder).find(isNameOfRun);
  return name === undefined ? null : `${item}/${name}`;
}

/** The same for a row that is about to be sent; fails as the output tree does. */
export function findForeignFile(root: string, item: string): Promise<string | null> {
  return guarded(root, item, async () => foreignFile(root, item));
}
