/** What can happen to an item, and what is to be done about it: events and effects. */

import type { AskedPause } from './answers/retry-after.ts';
import type { FileKind, Item, Quality, SavedFile } from './item.ts';

/** A progress frame as a status answer names it; the address expires and is never stored. */
export interface RemoteFrame {
  readonly id: string;
  readonly url: string;
}

/** What the service says of a task that ended. */
export interface TaskEnding {
  /** Sum of the `score` entries; null where there are none. */
  readonly points: number | null;
  readonly detail: string | null;
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly finishAt: string | null;
}

/** How an attempt ended. */
export type LastAttempt = Pick<
  Item,
  | 'quality'
  | 'submittedAt'
  | 'endedAt'
  | 'status'
  | 'taskId'
  | 'points'
  | 'failure'
  | 'title'
  | 'createdAt'
  | 'finishAt'
>;

/**
 * Who sent an answer, as far as it shows: the service or a gateway in front of it; a server without the service's
 * envelope; a web page.
 */
export type AnswerOrigin = 'service' | 'bare' | 'page';

/** What 401, 402 and 403 say of the key; each may be said of one request only. */
export type KeyBar = 'key-refused' | 'no-points' | 'key-forbidden';

/** Why no other row would fare better, so that the run ends: the key, or an address that is not the service's. */
export type RunBar = KeyBar | 'misconfigured';

/** A fact that happened to an item. `at` is epoch ms. */
export type ItemEvent =
  /** A process opened the folder and loaded this item. */
  | { readonly type: 'run-started'; readonly at: number }
  /** The item got a slot; its intent must be durable before the creation leaves. */
  | {
      readonly type: 'claimed';
      readonly at: number;
      readonly token: string;
      readonly requestHash: string;
      readonly quality: Quality | null;
      /** Folder inside the item's own that now holds the files of the previous attempt; null where there were none. */
      readonly aside: string | null;
    }
  /** The row could not be sent: building its request failed. */
  | { readonly type: 'question-unsendable'; readonly at: number; readonly failure: string }
  | { readonly type: 'creation-accepted'; readonly at: number; readonly taskId: string }
  /** The creation certainly made no task; `passing`: the cause will go away. */
  | {
      readonly type: 'creation-refused';
      readonly at: number;
      readonly failure: string;
      readonly passing: boolean;
      readonly retryAfterMs: AskedPause;
    }
  /**
   * The creation certainly made no task, and its answer does not show whether it concerns this row or all: a status about the
   * key, or a refusal that is not the service's own (`gateway`). What else is answered shows it.
   */
  | {
      readonly type: 'creation-barred';
      readonly at: number;
      readonly failure: string;
      readonly bar: KeyBar | 'gateway';
    }
  /** It concerned this row alone: others were accepted, or the service answers everything else. */
  | {
      readonly type: 'refusal-confirmed';
      readonly at: number;
      readonly failure: string;
      /** Of the attempt that was refused. */
      readonly token: string;
    }
  /** The row is one of several in a row that were refused alike: the cause may have been the service. */
  | { readonly type: 'refused-alike'; readonly at: number }
  /** The service accepts creations again after that: the row is sent once more. */
  | { readonly type: 'second-chance-given'; readonly at: number }
  /** Nothing was done, for a reason unrelated to this row: the request never left, or the service refuses everyone. */
  | {
      readonly type: 'creation-not-sent';
      readonly at: number;
      readonly failure: string;
      readonly endsRun?: RunBar;
      /** The cause is this process, which was too slow to send it: it says nothing of the service. */
      readonly isOwnFault?: boolean;
    }
  /** The creation was sent and its outcome is not known. */
  | {
      readonly type: 'creation-uncertain';
      readonly at: number;
      readonly failure: string;
      readonly origin: AnswerOrigin;
      /** What came as its answer, for the log. */
      readonly answer?: string;
      readonly endsRun?: RunBar;
    }
  /** `unknownState`, here and below: the word of the service is not documented; what came with it was judged. */
  | {
      readonly type: 'task-progressed';
      readonly at: number;
      readonly frames: readonly RemoteFrame[];
      readonly unknownState?: string;
    }
  | {
      readonly type: 'task-completed';
      readonly at: number;
      readonly ending: TaskEnding;
      readonly videoUrl: string | null;
      /** Other links to the video, for when the first one fails. */
      readonly spareUrls?: readonly string[];
      /** What the service returned in place of a video, or why its state is another one. */
      readonly text?: string;
      readonly frames: readonly RemoteFrame[];
      readonly unknownState?: string;
      /** `unknownState` is documented, and not for a task that has its video. */
      readonly isContrary?: true;
    }
  /** The service says long enough that the completed task costs this. */
  | { readonly type: 'price-settled'; readonly at: number; readonly points: number }
  | {
      readonly type: 'task-failed';
      readonly at: number;
      readonly ending: TaskEnding;
      readonly failure: string;
      readonly unknownState?: string;
    }
  /** `unknownMs`: how long the service has been saying so, as far as this run knows. */
  | {
      readonly type: 'task-not-found';
      readonly at: number;
      readonly failure: string;
      readonly unknownMs: number;
    }
  /** `--task-timeout` passed since the submission. */
  | { readonly type: 'task-overdue'; readonly at: number; readonly failure: string }
  | { readonly type: 'frame-saved'; readonly at: number; readonly ordinal: number; readonly file: SavedFile }
  /** A frame could not be fetched with this link; the next poll brings a new one. `isFinal`: no link would help. */
  | {
      readonly type: 'frame-not-had';
      readonly at: number;
      readonly ordinal: number;
      readonly failure: string;
      readonly isFinal?: boolean;
    }
  /** The row has waited for its frames again; `isMoving`: some frames arrived meanwhile, for any row. */
  | { readonly type: 'frames-overdue'; readonly at: number; readonly isMoving: boolean }
  | { readonly type: 'video-saved'; readonly at: number; readonly file: SavedFile }
  /** `newLink`: a later try may succeed with the link that the status names then. */
  | {
      readonly type: 'video-not-had';
      readonly at: number;
      readonly failure: string;
      readonly newLink: boolean;
    }
  /** The order of an attempt that was never sent falls away: the row is again what its last attempt made it. */
  | { readonly type: 'order-ended'; readonly at: number; readonly last: LastAttempt }
  /** The user orders a new, paid attempt; `quality` is that of a final, null or absent for that of the last attempt. */
  | { readonly type: 'retry-ordered'; readonly at: number; readonly quality?: Quality | null }
  /** The user found the task of a row whose creation was not answered. */
  | { readonly type: 'task-adopted'; readonly at: number; readonly taskId: string }
  /** The user confirms that a creation made no task. */
  | { readonly type: 'not-created'; readonly at: number }
  /** The file was edited: the row has a new text. `failure` is null when the row can be sent. */
  | { readonly type: 'question-changed'; readonly at: number; readonly failure: string | null }
  /** A file on disk is damaged or missing. */
  | {
      readonly type: 'file-damaged';
      readonly at: number;
      readonly kind: FileKind;
      readonly ordinal: number;
    };

/** The ways a creation can end. */
export type CreationEvent = Extract<
  ItemEvent,
  {
    type:
      | 'creation-accepted'
      | 'creation-refused'
      | 'creation-barred'
      | 'creation-not-sent'
      | 'creation-uncertain';
  }
>;

/** The events a status answer can give. */
export type TaskEvent = Extract<
  ItemEvent,
  { type: 'task-progressed' | 'task-completed' | 'task-failed' | 'task-not-found' }
>;

export function isCreationEvent(event: ItemEvent): event is CreationEvent {
  return event.type.startsWith('creation-');
}

/** An order to the outside, started only after the change that gave it is on disk. */
export type Effect =
  | { readonly type: 'create' }
  /** Request the status now, outside the tick. */
  | { readonly type: 'poll' }
  /** ...after this pause. */
  | { readonly type: 'poll-later'; readonly afterMs: number }
  | { readonly type: 'fetch-frame'; readonly ordinal: number; readonly url: string }
  | { readonly type: 'fetch-video'; readonly url: string; readonly spareUrls?: readonly string[] }
  /** Report when the row has waited long enough for its frames. */
  | { readonly type: 'limit-frames' }
  | { readonly type: 'write-task-file' };

/** The result of a transition: the new item, and what to do about it. */
export interface Transition {
  readonly item: Item;
  readonly effects: readonly Effect[];
}
