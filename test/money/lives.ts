/** Items, events and lives to try the core with: plain ones unless a test says otherwise. */

import type { Effect, ItemEvent, TaskEnding } from '../../src/money/event.ts';
import { type Artifact, type Item, type SavedFile, type Status, unsentLife } from '../../src/money/item.ts';
import { defaultPolicy, fixed, type Policy } from '../../src/money/policy.ts';
import { transition } from '../../src/money/transition.ts';

export type EventType = ItemEvent['type'];
export type EventOf<T extends EventType> = Extract<ItemEvent, { type: T }>;

/** When things happen here unless a test says otherwise (epoch ms). */
export const at = Date.UTC(2026, 2, 1, 8);

export const ending: TaskEnding = {
  points: 10,
  detail: 'a video of medium quality',
  title: 'A sum',
  createdAt: '2026-03-01T08:00:00Z',
  finishAt: '2026-03-01T08:05:00Z',
};

/** An ending of which the service says nothing but that it came. */
export const silentEnding: TaskEnding = {
  points: null,
  detail: null,
  title: null,
  createdAt: null,
  finishAt: null,
};

export function fileAt(path: string): SavedFile {
  return { path, sizeBytes: 10, sha256: 'aa' };
}

export const savedVideo: Artifact = {
  kind: 'video',
  ordinal: 0,
  remoteId: null,
  state: 'saved',
  tries: 0,
  ...fileAt('sum-1/video.mp4'),
};

export function frameOf(part: Partial<Artifact> = {}): Artifact {
  return {
    kind: 'frame',
    ordinal: 1,
    remoteId: 'f1',
    state: 'wanted',
    path: null,
    sizeBytes: null,
    sha256: null,
    tries: 0,
    ...part,
  };
}

export const savedFrame = frameOf({ state: 'saved', ...fileAt('sum-1/frames/001.png') });

const unsent: Item = { key: 1, row: 1, id: 'sum-1', folder: 'sum-1', ...unsentLife, artifacts: [] };
const sent: Partial<Item> = { attempt: 1, token: 't1', requestHash: 'h1', submittedAt: at };
const accepted: Partial<Item> = { ...sent, taskId: 'task-1' };
const charged: Partial<Item> = { ...accepted, ...ending, endedAt: at };

/** What an item of each status has behind it. */
const pasts: Readonly<Record<Status, Partial<Item>>> = {
  pending: {},
  submitting: sent,
  open: accepted,
  downloading: { ...charged, artifacts: [frameOf()] },
  completed: { ...charged, artifacts: [savedVideo, savedFrame] },
  failed: { ...accepted, points: 0, endedAt: at, failure: 'it was too hard' },
  rejected: { ...sent, points: 0, endedAt: at, failure: 'no such quality' },
  uncertain: { ...sent, failure: 'no answer came' },
  undelivered: { ...charged, failure: 'the link was refused' },
  lost: { ...accepted, misses: 3, failure: 'Task not found' },
  invalid: { failure: 'neither a question nor an image' },
};

/** An item as it stands in this status. */
export function itemIn(status: Status, part: Partial<Item> = {}): Item {
  return { ...unsent, ...pasts[status], status, ...part };
}

/** One event of each type. */
export const events: { readonly [T in EventType]: EventOf<T> } = {
  'run-started': { type: 'run-started', at },
  claimed: { type: 'claimed', at, token: 't2', requestHash: 'h2', quality: 'h', aside: null },
  'question-unsendable': { type: 'question-unsendable', at, failure: 'cat.png is not an image' },
  'creation-accepted': { type: 'creation-accepted', at, taskId: 'task-2' },
  'creation-refused': {
    type: 'creation-refused',
    at,
    failure: 'no points',
    passing: false,
    retryAfterMs: null,
  },
  'creation-barred': { type: 'creation-barred', at, failure: 'HTTP 403', bar: 'key-forbidden' },
  'refusal-confirmed': { type: 'refusal-confirmed', at, failure: 'HTTP 403', token: 't1' },
  'refused-alike': { type: 'refused-alike', at },
  'second-chance-given': { type: 'second-chance-given', at },
  'creation-not-sent': { type: 'creation-not-sent', at, failure: 'connection refused' },
  'creation-uncertain': { type: 'creation-uncertain', at, failure: 'connection lost', origin: 'service' },
  'task-progressed': { type: 'task-progressed', at, frames: [{ id: 'f1', url: 'https://x.example/f1' }] },
  'task-completed': {
    type: 'task-completed',
    at,
    ending,
    videoUrl: 'https://x.example/v',
    frames: [{ id: 'f1', url: 'https://x.example/f1' }],
  },
  'task-failed': {
    type: 'task-failed',
    at,
    ending: { ...silentEnding, points: 0 },
    failure: 'it cannot be drawn',
  },
  'task-not-found': { type: 'task-not-found', at, failure: 'Task not found', unknownMs: fixed.notFoundMs },
  'price-settled': { type: 'price-settled', at, points: 10 },
  'task-overdue': { type: 'task-overdue', at, failure: 'it took too long' },
  'frame-saved': { type: 'frame-saved', at, ordinal: 1, file: fileAt('sum-1/frames/001.png') },
  'frame-not-had': { type: 'frame-not-had', at, ordinal: 1, failure: 'not an image' },
  'frames-overdue': { type: 'frames-overdue', at, isMoving: false },
  'video-saved': { type: 'video-saved', at, file: fileAt('sum-1/video.mp4') },
  'video-not-had': { type: 'video-not-had', at, failure: '403', newLink: true },
  'retry-ordered': { type: 'retry-ordered', at },
  'order-ended': {
    type: 'order-ended',
    at,
    last: {
      status: 'completed',
      quality: null,
      submittedAt: at,
      endedAt: at,
      taskId: 'task-1',
      points: 10,
      failure: null,
      title: null,
      createdAt: null,
      finishAt: null,
    },
  },
  'task-adopted': { type: 'task-adopted', at, taskId: 'task-9' },
  'not-created': { type: 'not-created', at },
  'question-changed': { type: 'question-changed', at, failure: null },
  'file-damaged': { type: 'file-damaged', at, kind: 'video', ordinal: 0 },
};

/** All event types, in the order of the vocabulary. */
export const eventTypes = Object.keys(events) as EventType[];

/** An event of this type with other particulars. */
export function eventOf<T extends EventType>(type: T, part: Partial<EventOf<T>> = {}): EventOf<T> {
  return { ...events[type], ...part };
}

/** The same value, which throws when anybody changes it, however deep. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}

/** One move; neither the item nor the event may be changed by it. */
export function move(item: Item, event: ItemEvent, policy: Policy = defaultPolicy) {
  return transition(freeze(item), freeze(event), policy);
}

/** What comes of an item that meets these events, one after the other. */
export function live(item: Item, ...story: readonly ItemEvent[]): Item {
  return story.reduce((now, event) => move(now, event).item, item);
}

/** The kinds of these effects, in order. */
export function kindsOf(effects: readonly Effect[]): readonly Effect['type'][] {
  return effects.map((effect) => effect.type);
}
