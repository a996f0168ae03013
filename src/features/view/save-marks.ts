/** Saves what reviewers mark on the page of `batch view --review`, and the sample that they watch. */

import { timeOf } from '../../app/system-clock.ts';
import { saveWatchSample } from '../../app/watch-sample.ts';
import { UsageError } from '../../errors.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import { parseMarkBody } from '../../money/review/review-wire.ts';
import { parseSampleBody } from '../../money/review/sample-wire.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Reviews } from '../../stores/port/reviews.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { Store } from '../../stores/port/store.ts';
import type { MarkEnd } from './view-server/answer-marks.ts';

/** Where what reviewers do is saved. */
export interface MarkDesk {
  readonly store: Pick<Store, 'sharing'> & { readonly checkpoint: Pick<Checkpoint, 'itemsWithIds'> };
  readonly reviews: Pick<Reviews, 'saveMarks' | 'prefer'>;
  readonly settings: Pick<Settings, 'get' | 'replace'>;
  /** The name of a reviewer who gives none. */
  readonly reviewer: string;
}

/** Saves the mark of the row with this id; `body` is a `MarkBody` as JSON. */
export async function saveMark(desk: MarkDesk, id: string, body: string): Promise<MarkEnd> {
  const parsed = parseMarkBody(body);
  if (parsed === null) return 'invalid';
  const [item] = await desk.store.checkpoint.itemsWithIds([id]);
  if (item === undefined) return 'unknown';
  const { prefer, reviewer = desk.reviewer, question = null, answer = null, ...mark } = parsed;
  const hasVideo = (attempt: number): boolean =>
    attemptVideos(item).some((video) => video.attempt === attempt);
  if (prefer != null && !hasVideo(prefer)) return 'invalid';
  const { key } = item;
  return savedHere(async () => {
    const at = await timeOf(desk.store);
    await desk.reviews.saveMarks([{ key, ...mark, reviewer, question, answer, at }]);
    if (prefer !== undefined) await desk.reviews.prefer(new Map([[key, prefer]]));
    return true;
  });
}

/** Saves a sample; `body` is a `SampleBody` as JSON. */
export async function saveSample(
  { store, settings }: Pick<MarkDesk, 'store' | 'settings'>,
  body: string,
): Promise<MarkEnd> {
  const parsed = parseSampleBody(body);
  if (parsed === null) return 'invalid';
  return savedHere(async () => saveWatchSample(settings, parsed, await timeOf(store)));
}

async function savedHere(save: () => Promise<boolean>): Promise<MarkEnd> {
  try {
    return (await save()) ? 'saved' : 'other';
  } catch (error) {
    // The run moves, or has moved.
    if (error instanceof UsageError) return 'elsewhere';
    throw error;
  }
}
