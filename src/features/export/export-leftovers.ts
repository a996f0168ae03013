/** The files of earlier exports that an export does not have: listed still, or removed. */

import type { ExportFolder } from '../../outputs/export-folder.ts';
import type { Checksum } from '../../reports/manifest.ts';
import { type ListedFiles, printOf } from './export-listed.ts';
import type { ExportNews } from './export-news.ts';
import type { ExportPlacing } from './export-placing.ts';
import type { ExportPlan } from './export-plan.ts';
import { isPagePart, pagePath } from './page/page-parts.ts';

/** The files of earlier exports. */
export interface RestSums {
  readonly removed: number;
  readonly left: number;
  /** Present where the page of an earlier export stayed as it was. */
  readonly pageLeft?: true;
}

/** What has been placed, and what is known of the rest. */
export interface LeftoverOptions {
  readonly folder: ExportFolder;
  readonly listed: ListedFiles;
  readonly plan: Pick<ExportPlan, 'isKept'>;
  readonly placing: ExportPlacing;
  readonly deletes: boolean;
  report(news: ExportNews): void;
}

/** Removes them where that is asked for; `list` receives those that stay listed. */
export async function keepOrRemove(
  { folder, listed, plan, placing, deletes, report }: LeftoverOptions,
  list: (file: Checksum) => Promise<void>,
): Promise<RestSums> {
  const rest: { removed: number; left: number; pageLeft?: true } = { removed: 0, left: 0 };
  const removes = deletes && !placing.isLacking;
  /** Paths without extension of videos that stay; their captions stay with them. */
  const last = new Set<string>();
  // The run may be a copy, or restored from a backup, that never knew what another one of its id put there.
  const isLastCopy = ({ path, sha256 }: Checksum): boolean => {
    const stem = path.replace(/\.[^./]*$/, '');
    if (isPagePart(path)) return false;
    if (path.endsWith('.vtt')) return last.has(stem);
    if (plan.isKept(sha256)) return false;
    last.add(stem);
    return true;
  };
  for await (const { file, isThere } of listed.leftovers(placing.paths)) {
    if (!isThere) {
      // An export that was killed may have removed the file and not yet its folder.
      if (removes) folder.prune(file.path);
      continue;
    }
    const isStaying = placing.staying.has(printOf(folder.keyOf(file.path)));
    if (removes && !isStaying) {
      const isLast = isLastCopy(file);
      if (!isLast && (await folder.remove(file.path, file.sha256))) {
        rest.removed += 1;
        continue;
      }
      report({ why: isLast ? 'last-copy' : 'changed', path: file.path });
      placing.problems += 1;
      if (!isLast) continue;
    }
    if (!isStaying) rest.left += 1;
    if (!isStaying && file.path === pagePath) rest.pageLeft = true;
    await list(file);
  }
  return rest;
}
