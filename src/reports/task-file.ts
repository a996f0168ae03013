/** `task.json`: what the service said of one item's task, next to its files. */

import type { Item, Status } from '../money/item.ts';

/** The state the service reported, in its own words, as far as the item's status shows it. */
const remoteStatus: Readonly<Partial<Record<Status, string>>> = {
  open: 'IN_PROGRESS',
  downloading: 'COMPLETED',
  completed: 'COMPLETED',
  undelivered: 'COMPLETED',
  failed: 'FAILED',
};

/** Marks a video in an unknown format, in `task.json` and `report.jsonl`: it was kept, but may not be a video. */
export const unknownMark = { video_format: 'unknown' } as const;

/** The text of an item's `task.json`; null means the service did not say. */
export function renderTaskFile(item: Item, isUnknownVideo = false): string {
  const task = {
    id: item.id,
    task_id: item.taskId,
    status: remoteStatus[item.status] ?? null,
    title: item.title,
    created_at: item.createdAt,
    finish_at: item.finishAt,
    points: item.points,
    detail: item.detail,
    failure: item.failure,
    ...(isUnknownVideo && unknownMark),
  };
  return `${JSON.stringify(task, null, 2)}\n`;
}
