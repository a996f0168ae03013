/** What the service says of a task, from its progress to its end and its price. */

import { message } from '../../messages/message.ts';
import { hasVideo, noteFinalFrames, noteFrames } from '../artifacts.ts';
import type { Effect, ItemEvent, TaskEnding, Transition } from '../event.ts';
import type { Item } from '../item.ts';
import { pointsAfter } from '../late-price.ts';
import { fixed } from '../policy.ts';
import { type GiveUp, lookForFrames, retryVideo } from './file-moves.ts';
import { become, ignoreLate, type Move, stay } from './move.ts';

export const progress: Move<'task-progressed'> = (item, event, policy) => {
  const noted = noteFrames(item, event.frames, policy.frames);
  if (noted.item.misses === 0) return noted;
  return become(noted.item, { misses: 0 }, noted.effects);
};

/** Merges what the service says of the ending; a field it now leaves out keeps its value. */
const mergeEnding = (item: Item, ending: TaskEnding): TaskEnding => ({
  points: ending.points ?? item.points,
  detail: ending.detail ?? item.detail,
  title: ending.title ?? item.title,
  createdAt: ending.createdAt ?? item.createdAt,
  finishAt: ending.finishAt ?? item.finishAt,
});

export const complete: Move<'task-completed'> = (item, event, policy) => {
  const points = pointsAfter(item, event.ending.points, policy);
  const ending = { ...mergeEnding(item, event.ending), points };
  const charged: Item = { ...item, ...ending, endedAt: item.endedAt ?? event.at, misses: 0 };
  const { videoUrl, spareUrls, text } = event;
  if (hasVideo(item)) return lookForFrames(charged, event.frames, policy);
  if (videoUrl === null) {
    const { item: noted, effects } = noteFrames(charged, event.frames, policy.frames);
    return retryVideo(noted, withoutVideo(text), effects);
  }
  const noted = noteFinalFrames(charged, event.frames, policy.frames);
  const fetchVideo: Effect = { type: 'fetch-video', url: videoUrl, ...(spareUrls && { spareUrls }) };
  const notes = [
    ...(event.isContrary ? [calledOtherwise(event)] : []),
    ...(spareUrls === undefined ? [] : [manyVideos(1 + spareUrls.length)]),
  ];
  const failure = notes.join('; ') || null;
  return become(noted.item, { status: 'downloading', failure }, [fetchVideo, ...noted.effects]);
};

type Completed = Extract<ItemEvent, { type: 'task-completed' }>;

const calledOtherwise = ({ unknownState, text }: Completed): string =>
  message('task.called', { state: [unknownState, text].filter((said) => said !== undefined).join(': ') })
    .text;

/** A task that was completed and names no video; `text` is what the service said instead. */
export const withoutVideo = (text: string | undefined): string =>
  ['the service completed the task without a video', ...(text === undefined ? [] : [text])].join(': ');

/** Only one is kept, so the report says that there are others. */
const manyVideos = (count: number): string =>
  `the service named ${count} videos for this task, and the first that could be fetched is kept; "batch links" shows all of them`;

/** The service calls the task unfinished again. */
export const revokeCompletion: Move<'task-progressed'> = (item, event, policy) => {
  const known = { ...item, misses: 0 };
  if (hasVideo(item)) return lookForFrames(known, event.frames, policy);
  return retryVideo(known, 'the service no longer reports the task as completed');
};

const setPoints = (item: Item, points: number | null): Transition =>
  points === item.points ? ignoreLate(item) : become(item, { points });

/** The row has its files; the service's latest points are what it charges, once they are its price. */
export const correctPoints: Move<'task-completed'> = (item, { ending }, policy) =>
  setPoints(item, pointsAfter(item, ending.points, policy));

export const settlePrice: Move<'price-settled'> = (item, { points }) => setPoints(item, points);

export const fail: Move<'task-failed'> = (item, event) =>
  become(
    item,
    {
      ...mergeEnding(item, event.ending),
      status: 'failed',
      failure: event.failure,
      endedAt: item.endedAt ?? event.at,
      misses: 0,
    },
    [{ type: 'write-task-file' }],
  );

export const loseTask: GiveUp = (item, failure) => become(item, { status: 'lost', failure });

export const miss =
  (giveUp: GiveUp): Move<'task-not-found'> =>
  (item, event) => {
    const missed: Item = { ...item, misses: item.misses + 1 };
    const isGone = missed.misses >= fixed.notFoundTicks && event.unknownMs >= fixed.notFoundMs;
    return isGone ? giveUp(missed, event.failure) : stay(missed);
  };

export const timeOut: Move<'task-overdue'> = (item, event) => loseTask(item, event.failure);
