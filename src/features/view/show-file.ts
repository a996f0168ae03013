/** Which files of the output folder may be shown: only those of the run. */

import { captionsPath } from '../../files/captions.ts';
import { type OutputLayout, taskFilePath } from '../../files/output-paths.ts';
import type { Artifact } from '../../money/item.ts';
import type { RunWatch } from '../../stores/port/reading.ts';

/** The reports next to the page. The checkpoint, the log and the user's own files stay private. */
const reports: ReadonlySet<string> = new Set(['report.csv', 'report.jsonl', 'failed.csv']);

/** True for a report, a saved file of a row, its `task.json`, and captions. `path` is relative, with `/`. */
export async function mayShow(
  watch: Pick<RunWatch, 'itemInFolder'>,
  path: string,
  layout: OutputLayout = 'by-item',
): Promise<boolean> {
  if (reports.has(path)) return true;
  const [folder = '', ...rest] = path.split('/');
  if (rest.length === 0) return false;
  const item = await watch.itemInFolder(folder);
  if (item === null) return false;
  return (
    path === taskFilePath(item, layout) ||
    item.artifacts.some((file) => file.state === 'saved' && isOf(file, path))
  );
}

function isOf(file: Pick<Artifact, 'path' | 'kind'>, path: string): boolean {
  if (file.path === null) return false;
  return file.path === path || (file.kind !== 'frame' && captionsPath(file.path) === path);
}
