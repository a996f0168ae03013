/** Random events for random lives, with the particulars in which a service or a user may surprise. */

import fc from 'fast-check';
import type { ItemEvent, TaskEnding } from '../../src/money/event.ts';
import { qualities } from '../../src/money/item.ts';
import { type EventType, eventOf, eventTypes, fileAt, at as start } from './lives.ts';

const at = fc.integer({ min: start - 1_000, max: start + 30_000_000 });
const points = fc.option(fc.constantFrom(0, 5, 10, 12.5));
const words = fc.option(fc.constantFrom('one', 'two'));
const ordinal = fc.integer({ min: 1, max: 3 });
const frames = fc
  .uniqueArray(fc.constantFrom('f1', 'f2', 'f3', 'f4'), { maxLength: 4 })
  .map((ids) => ids.map((id) => ({ id, url: `https://x.example/${id}` })));
const ending: fc.Arbitrary<TaskEnding> = fc.record({
  points,
  detail: words,
  title: words,
  createdAt: words,
  finishAt: words,
});

/** What varies of each type; the rest is as in `events`. */
const particulars: { readonly [T in EventType]?: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  claimed: {
    token: fc.uuid(),
    quality: fc.option(fc.constantFrom(...qualities)),
  },
  'creation-accepted': { taskId: fc.uuid() },
  'creation-refused': {
    passing: fc.boolean(),
    retryAfterMs: fc.oneof(fc.nat(2_000_000), fc.constantFrom(null, 'unclear')),
  },
  'creation-barred': { bar: fc.constantFrom('key-refused', 'no-points', 'key-forbidden', 'gateway') },
  'task-progressed': { frames },
  'task-completed': { ending, frames, videoUrl: fc.option(fc.constant('https://x.example/v')) },
  'price-settled': { points: fc.constantFrom(0, 5, 12.5) },
  'task-failed': { ending },
  'frame-saved': { ordinal },
  'frame-not-had': { ordinal, isFinal: fc.boolean() },
  'frames-overdue': { isMoving: fc.boolean() },
  'video-saved': { file: fc.constantFrom('video.mp4', 'video.webm').map(fileAt) },
  'video-not-had': { newLink: fc.boolean() },
  'task-adopted': { taskId: fc.uuid() },
  'question-changed': { failure: fc.option(fc.constant('no question')) },
  'file-damaged': {
    kind: fc.constantFrom('video', 'frame'),
    ordinal: fc.nat(2),
  },
};

/** Any event, of any type, at any time. */
export const eventArbitrary: fc.Arbitrary<ItemEvent> = fc
  .constantFrom(...eventTypes)
  .chain((type) => fc.record({ at, ...particulars[type] }).map((part) => eventOf(type, part) as ItemEvent));
