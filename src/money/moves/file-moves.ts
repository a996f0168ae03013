/** The files of a task that was completed and charged: fetched, waited for, given up, and found damaged. */

import {
  allSettled,
  giveUpFrames,
  hasVideo,
  linkPauseMs,
  noteFinalFrames,
  recordFrameNotHad,
  recordSaved,
  reopenArtifact,
} from '../artifacts.ts';
import type { Effect, RemoteFrame, Transition } from '../event.ts';
import type { Item } from '../item.ts';
import { fixed, type Policy } from '../policy.ts';
import { become, type Move, stay } from './move.ts';

/** The video is saved; gives up frames that the service no longer lists, because frames are not worth a wait. */
export const lookForFrames = (item: Item, frames: readonly RemoteFrame[], policy: Policy): Transition => {
  const noted = noteFinalFrames(item, frames, policy.frames);
  const effects: readonly Effect[] = [...noted.effects, { type: 'limit-frames' }];
  return completeWhenWhole(
    { ...noted.item, status: 'downloading', failure: deliveredFailure(item) },
    effects,
  );
};

export type GiveUp = (item: Item, failure: string) => Transition;

/** No more files can be fetched. A missing frame does not matter if the video is saved. */
export const giveUpFiles: GiveUp = (item, failure) =>
  hasVideo(item)
    ? become(giveUpFrames(item), { status: 'completed' })
    : become(item, { status: 'undelivered', failure });

/**
 * The task is completed and charged, but its video cannot be fetched. Polls again at growing intervals, because the link
 * or the file may only be late.
 */
export const retryVideo = (item: Item, failure: string, effects: readonly Effect[] = []): Transition => {
  const renewals = item.renewals + 1;
  const afterMs = linkPauseMs(renewals);
  if (afterMs === null) return giveUpFiles({ ...item, renewals }, failure);
  const ask: Effect = afterMs === 0 ? { type: 'poll' } : { type: 'poll-later', afterMs };
  return become(item, { status: 'downloading', renewals, failure: null }, [...effects, ask]);
};

export const failVideo: Move<'video-not-had'> = (item, event) =>
  event.newLink ? retryVideo(item, event.failure) : giveUpFiles(item, event.failure);

/** Frames that failed earlier no longer wait for the video's polls: a poll of their own brings new links. */
export const saveVideo: Move<'video-saved'> = (item, event) =>
  completeWhenWhole(
    { ...recordSaved(item, 'video', 0, event.file), status: 'downloading', failure: deliveredFailure(item) },
    [askForFrames, { type: 'limit-frames' }],
  );

/** A row that has its video no longer reports why it had none before. */
const deliveredFailure = ({ status, failure }: Item): string | null =>
  status === 'downloading' ? failure : null;

const askForFrames: Effect = { type: 'poll-later', afterMs: fixed.framePauseMs };

export const saveFrame: Move<'frame-saved'> = (item, event) => {
  const saved = recordSaved(item, 'frame', event.ordinal, event.file);
  return completeWhenWhole(saved, saved.status === 'downloading' && hasVideo(saved) ? [askForFrames] : []);
};

/** Until the video is saved, the polls for it also bring links for the frames. */
export const missFrame: Move<'frame-not-had'> = (item, event) => {
  const noted = recordFrameNotHad(item, event.ordinal, event.isFinal === true);
  return completeWhenWhole(noted, noted.status === 'downloading' && hasVideo(noted) ? [askForFrames] : []);
};

/** Polls for new links; if the video is saved, limits the wait for frames, even if the service does not answer. */
export const lookAgain = (item: Item): readonly Effect[] =>
  hasVideo(item) ? [{ type: 'poll' }, { type: 'limit-frames' }] : [{ type: 'poll' }];

export const reopen: Move<'file-damaged'> = (item, event) => {
  const reopened = reopenArtifact(item, event.kind, event.ordinal);
  return become(reopened, { status: 'downloading', misses: 0, renewals: 0 }, lookAgain(reopened));
};

export const limitFrames: Move<'frames-overdue'> = (item, event) => {
  if (!hasVideo(item)) return stay(item);
  const untried = event.isMoving
    ? item.artifacts.filter(({ kind, tries }) => kind === 'frame' && tries === 0)
    : [];
  return completeWhenWhole(giveUpFrames(item, new Set(untried.map(({ ordinal }) => ordinal))), [
    { type: 'limit-frames' },
  ]);
};

/** Completes a downloading item when each of its files is saved or given up. */
function completeWhenWhole(item: Item, effects: readonly Effect[]): Transition {
  if (item.status !== 'downloading' || !allSettled(item)) return stay(item, effects);
  return stay({ ...item, status: 'completed' });
}
