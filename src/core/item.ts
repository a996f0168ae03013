/**
 * The whole vocabulary: what a question, an item, an event and an effect are.
 * One word has one meaning here and everywhere else: code, database, reports and documentation.
 */

/** Every status of an item, in the order of a life. */
export const statuses = [
  'pending',
  'submitting',
  'open',
  'downloading',
  'completed',
  'failed',
  'rejected',
  'uncertain',
  'undelivered',
  'lost',
  'invalid',
] as const;

/** Where an item stands. `statusMeaning` in `summary.ts` says each in words. */
export type Status = (typeof statuses)[number];

/** Video quality as the service spells it: high, medium, low. */
export const qualities = ['h', 'm', 'l'] as const;
export type Quality = (typeof qualities)[number];

/** What the service uses for a question that names no quality (service interface, create request body). */
export const serviceDefaultQuality: Quality = 'm';

/** Which progress frames are kept. */
export const frameChoices = ['all', 'last', 'none'] as const;
export type FrameChoice = (typeof frameChoices)[number];

/** One image of a question or of an answer, as the row gave it. */
export type ImageSource =
  /** http(s) address, sent as it stands. */
  | { readonly kind: 'url'; readonly url: string }
  /** Data URI or bare base64, sent as it stands. */
  | { readonly kind: 'inline'; readonly data: string }
  /** Absolute path of a local file whose bytes are sent as base64. */
  | { readonly kind: 'file'; readonly path: string };

/** One input row, never changed after reading. */
export interface Question {
  /** The row's own id, trimmed; null where it has none. */
  readonly id: string | null;
  /** Question text, exactly as written; '' where there are only images. */
  readonly question: string;
  readonly questionImages: readonly ImageSource[];
  /** Reference answer; '' where there is none. */
  readonly answer: string;
  readonly answerImages: readonly ImageSource[];
  /** The row's own quality; null leaves the choice to the run. */
  readonly quality: Quality | null;
  /** The row's own callback address; null where there is none. */
  readonly notifyUrl: string | null;
}

/** What a link leads to. */
export type FileKind = 'video' | 'frame';

/** A downloaded file, or one that is still wanted. */
export interface Artifact {
  /** `earlier`: made by an attempt before the current one, and kept until that one has its video. */
  readonly kind: FileKind | 'earlier';
  /** Frames count from 1 in order of appearance; the video is 0. Files of an earlier attempt count for themselves. */
  readonly ordinal: number;
  /** The service's frame id; null for the video. */
  readonly remoteId: string | null;
  /** `wanted`: not on disk yet. `saved`: whole, checked, synced. `missing`: given up. */
  readonly state: 'wanted' | 'saved' | 'missing';
  /**
   * Relative to the output folder, with `/`; null until saved. A file that was saved and is wanted again keeps path, length and
   * digest: it may come back.
   */
  readonly path: string | null;
  readonly sizeBytes: number | null;
  /** Lower-case hex. */
  readonly sha256: string | null;
  /** Times a frame could not be had; it is given up when they reach the policy's number. */
  readonly tries: number;
}

/** The saved life of one question: its status and what that status knows. */
export interface Item {
  /** The checkpoint's own number of this item; never changes and means nothing outside. */
  readonly key: number;
  /** Data row in the input, from 1; follows the row when the file is edited. */
  readonly row: number;
  /** The row's own id, or `row-N` from the row number when it was first seen. */
  readonly id: string;
  /** Folder in the output tree: one safe path segment, unique without regard to case. */
  readonly folder: string;
  readonly status: Status;
  /** What will be or was asked for: the row's quality, else the run's; null leaves it to the service. */
  readonly quality: Quality | null;
  /** Creation requests so far, the current one included; 0 before the first. */
  readonly attempt: number;
  /** Grows with every change; a change that was decided on another version is refused by the store. */
  readonly version: number;
  /** Names the current attempt; every later change must still hold it. Null before the first attempt. */
  readonly token: string | null;
  /** sha256 (hex) of the body of the current attempt's request; null where its task is no answer to it, but was found. */
  readonly requestHash: string | null;
  /** Until when the service asked for a pause when it refused this item (epoch ms); the next run keeps it for all. */
  readonly notBefore: number;
  /** When the current attempt's creation was claimed (epoch ms). */
  readonly submittedAt: number | null;
  /** When the current attempt reached an end at the service, as seen from here (epoch ms). */
  readonly endedAt: number | null;
  readonly taskId: string | null;
  /** Points of the current attempt; null where unknown. */
  readonly points: number | null;
  /** Why it ended badly: the service's own text where there is one. */
  readonly failure: string | null;
  readonly title: string | null;
  /** The service's own times, as it wrote them. */
  readonly createdAt: string | null;
  readonly finishAt: string | null;
  /** The service's text about the points. */
  readonly detail: string | null;
  /** Ticks in a row at which the service did not know the task. */
  readonly misses: number;
  /** Times the video could not be had, each on an answer of the service, since this run took the item up. */
  readonly renewals: number;
  readonly artifacts: readonly Artifact[];
}

/** A progress frame as a status answer names it; the address expires and is never stored. */
export interface RemoteFrame {
  readonly id: string;
  readonly url: string;
}

/** What the service says of a task that ended. */
export interface TaskEnding {
  /** Sum of the `score` entries; null where the service named none. */
  readonly points: number | null;
  readonly detail: string | null;
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly finishAt: string | null;
}

/** A saved file as the disk knows it. */
export interface SavedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/**
 * Who an answer is from, as far as it tells: the service or a gateway before it; somebody without the service's envelope;
 * somebody who serves pages.
 */
export type AnswerOrigin = 'service' | 'bare' | 'page';

/** Why no other row will fare better, so that the run ends: the key (401, 402, 403), or an address that is not the service's. */
export type RunBar = 'key-refused' | 'no-points' | 'key-forbidden' | 'misconfigured';

/** A fact that happened to an item. `at` is epoch ms. */
export type ItemEvent =
  /** A process took up the folder and met this item. */
  | { readonly type: 'run-started'; readonly at: number }
  /** The item got a slot; its intent must be durable before the creation leaves. */
  | {
      readonly type: 'claimed';
      readonly at: number;
      readonly token: string;
      readonly requestHash: string;
      readonly quality: Quality | null;
      /** Folder, inside the item's own, where the files of the attempt before lie now; null where there were none. */
      readonly aside: string | null;
    }
  /** The row turned out to be unsendable when its request was built. */
  | { readonly type: 'question-unsendable'; readonly at: number; readonly failure: string }
  | { readonly type: 'creation-accepted'; readonly at: number; readonly taskId: string }
  /** The creation surely made no task; `passing` is a cause that goes away by itself. */
  | {
      readonly type: 'creation-refused';
      readonly at: number;
      readonly failure: string;
      readonly passing: boolean;
      readonly retryAfterMs: number | null;
      readonly origin: AnswerOrigin;
    }
  /** Nothing was carried out, and that is no word about this row: it never left, or whoever asks now is refused. */
  | {
      readonly type: 'creation-not-sent';
      readonly at: number;
      readonly failure: string;
      readonly endsRun?: RunBar;
    }
  /** The creation was sent and its outcome is not known. */
  | {
      readonly type: 'creation-uncertain';
      readonly at: number;
      readonly failure: string;
      readonly origin: AnswerOrigin;
      readonly endsRun?: RunBar;
    }
  /** `unknownState`: the service says so by a state that is not documented. */
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
      /** Other links to the video, for where the first one cannot be had. */
      readonly spareUrls?: readonly string[];
      /** What the service says in the place of a video. */
      readonly text?: string;
      readonly frames: readonly RemoteFrame[];
    }
  | {
      readonly type: 'task-failed';
      readonly at: number;
      readonly ending: TaskEnding;
      readonly failure: string;
    }
  /** `unknownMs`: how long the service has been saying so, as far as this run has heard. */
  | {
      readonly type: 'task-not-found';
      readonly at: number;
      readonly failure: string;
      readonly unknownMs: number;
    }
  /** `--task-timeout` passed since the submission. */
  | { readonly type: 'task-overdue'; readonly at: number; readonly failure: string }
  | { readonly type: 'frame-saved'; readonly at: number; readonly ordinal: number; readonly file: SavedFile }
  /** A frame could not be had with this link; the next poll brings a new one. `isFinal`: no link would help. */
  | {
      readonly type: 'frame-not-had';
      readonly at: number;
      readonly ordinal: number;
      readonly failure: string;
      readonly isFinal?: boolean;
    }
  /** The row has waited for its frames once more; `isMoving`: some frames came meanwhile, of whichever row. */
  | { readonly type: 'frames-overdue'; readonly at: number; readonly isMoving: boolean }
  | { readonly type: 'video-saved'; readonly at: number; readonly file: SavedFile }
  /** `newLink`: a later try may have it, with the link that the status names then. */
  | {
      readonly type: 'video-not-had';
      readonly at: number;
      readonly failure: string;
      readonly newLink: boolean;
    }
  /** The user orders a new, paid attempt. */
  | { readonly type: 'retry-ordered'; readonly at: number }
  /** The user found the task of a row whose own answer is not known. */
  | { readonly type: 'task-adopted'; readonly at: number; readonly taskId: string }
  /** The user knows that a creation made no task. */
  | { readonly type: 'not-created'; readonly at: number }
  /** The file was edited: the row's text is another one. `failure` is null when the row can be sent. */
  | { readonly type: 'question-changed'; readonly at: number; readonly failure: string | null }
  /** A file on disk was found damaged or missing. */
  | {
      readonly type: 'file-damaged';
      readonly at: number;
      readonly kind: FileKind;
      readonly ordinal: number;
    };

/** The ways in which a creation ends. */
export type CreationEvent = Extract<
  ItemEvent,
  { type: 'creation-accepted' | 'creation-refused' | 'creation-not-sent' | 'creation-uncertain' }
>;

/** What the service says of a task. */
export type TaskEvent = Extract<
  ItemEvent,
  { type: 'task-progressed' | 'task-completed' | 'task-failed' | 'task-not-found' }
>;

/** True for the end of a creation. */
export function isCreationEvent(event: ItemEvent): event is CreationEvent {
  return event.type.startsWith('creation-');
}

/** An order to the outside, started only after the change that gave it is on disk. */
export type Effect =
  | { readonly type: 'create' }
  /** Ask the status now, outside the tick. */
  | { readonly type: 'poll' }
  /** ...after this pause. */
  | { readonly type: 'poll-later'; readonly afterMs: number }
  | { readonly type: 'fetch-frame'; readonly ordinal: number; readonly url: string }
  | { readonly type: 'fetch-video'; readonly url: string; readonly spareUrls?: readonly string[] }
  /** Say so when the row has waited long enough for its frames. */
  | { readonly type: 'limit-frames' }
  | { readonly type: 'write-task-file' };

/** What a transition gives back: the item as it is now, and what to do about it. */
export interface Transition {
  readonly item: Item;
  readonly effects: readonly Effect[];
}
