/**
 * A row that took the video of the same question from another row: it is completed without an attempt of its own. Where the
 * video is from stands where a task has the service's text about its points.
 */

import { twinStart } from '../messages/reasons/rows.ts';
import type { Artifact, Item, Quality } from './item.ts';

/** Where a video was taken from. */
interface Origin {
  /** The row's own quality, else the run's. */
  readonly quality: Quality | null;
  readonly title: string | null;
  /** The folder of the run; null for this run. */
  readonly folder: string | null;
  readonly id: string;
  readonly artifacts: readonly Artifact[];
}

const start = 'the video was taken from ';

/** The row with the files that it took, which cost nothing. */
export function withReused(item: Item, { quality, title, folder, id, artifacts }: Origin): Item {
  const from = folder === null ? id : `${folder} ${id}`;
  return {
    ...item,
    status: 'completed',
    version: item.version + 1,
    quality,
    title,
    points: 0,
    failure: null,
    detail: `${start}${from}`,
    artifacts,
  };
}

/** The folder of the run and the id of the row that the video was taken from; null for one of the row's own. */
export function reusedFrom({ status, attempt, taskId, detail }: Item): string | null {
  const isReused = status === 'completed' && attempt === 0 && taskId === null;
  return isReused && detail?.startsWith(start) ? detail.slice(start.length) : null;
}

/** True for a row that nobody sent and that has no files: it may take the video of another row. */
export function mayReuse({ status, attempt, artifacts, failure }: Item): boolean {
  const isWaiting = status === 'pending' || (status === 'invalid' && isTwinHeld(failure));
  return isWaiting && attempt === 0 && artifacts.length === 0;
}

/** True for a saved reason of a row that waits for the video of another one. */
export function isTwinHeld(failure: string | null): boolean {
  return failure?.startsWith(twinStart) ?? false;
}
