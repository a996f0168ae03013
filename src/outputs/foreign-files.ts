/** Finds files that occupy a row's names before the run has made any: they belong to something else. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { guarded, lstatIfThere, segmentsOf } from './guarded-disk.ts';

/** Names that a run uses in the folder of a row. */
export const isNameOfRun = (name: string): boolean => /^(video\..*|frames|task\.json)$/s.test(name);

/** The file or folder in the way of a row's first files, relative to the output folder; null for none. */
export function foreignFile(root: string, item: string): string | null {
  const folder = join(root, ...segmentsOf(item));
  const found = lstatIfThere(folder);
  if (found === null) return null;
  if (!found.isDirectory()) return item;
  const name = readdirSync(folder).find(isNameOfRun);
  return name === undefined ? null : `${item}/${name}`;
}

/** The same for a row about to be sent; fails with the errors of the output tree. */
export function findForeignFile(root: string, item: string): Promise<string | null> {
  return guarded(root, item, async () => foreignFile(root, item));
}
