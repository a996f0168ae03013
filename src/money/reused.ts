/**
 * A row that took the video of the same question from another row: it is completed without a task of its own. Where the
 * video is from stands where a task has the service's text about its points.
 */

import { twinStart } from '../messages/reasons/rows.ts';
import { attemptVideos } from './artifacts.ts';
import { type Artifact, forgottenTask, type Item, type Quality } from './item.ts';

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
    ...forgottenTask,
    status: 'completed',
    version: item.version + 1,
    // An attempt that came to nothing stays as it was.
    token: null,
    requestHash: null,
    submittedAt: null,
    endedAt: null,
    quality,
    title,
    points: 0,
    detail: `${start}${from}`,
    artifacts,
  };
}

/** The folder of the run and the id of the row that the video was taken from; null for one of the row's own. */
export function reusedFrom({ status, taskId, detail }: Item): string | null {
  const isReused = status === 'completed' && taskId === null;
  return isReused && detail?.startsWith(start) ? detail.slice(start.length) : null;
}

/** True for a row that waits and has no video of its own: it may take the video of another row. */
export function mayReuse(item: Item): boolean {
  return (item.status === 'pending' || isHeld(item)) && attemptVideos(item).length === 0;
}

/** True for a row that waits for the video of another one. */
export function isHeld({ status, failure }: Pick<Item, 'status' | 'failure'>): boolean {
  return status === 'invalid' && isTwinHeld(failure);
}

/** True for a saved reason of a row that waits for the video of another one. */
export function isTwinHeld(failure: string | null): boolean {
  return failure?.startsWith(twinStart) ?? false;
}
