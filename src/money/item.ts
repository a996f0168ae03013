/**
 * The vocabulary: what a question, an item, an event and an effect are. Each word has one meaning here and everywhere
 * else: code, database, reports and documentation.
 */

/** Every status of an item, in the order of its life. */
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

/** The state of an item. `statusMeaning` in `summary.ts` describes each in words. */
export type Status = (typeof statuses)[number];

/** Video quality as the service spells it: high, medium, low. */
export const qualities = ['h', 'm', 'l'] as const;
export type Quality = (typeof qualities)[number];

/** The service's default for a question without a quality (service interface, create request body). */
export const serviceDefaultQuality: Quality = 'm';

/** Which progress frames are kept. */
export const frameChoices = ['all', 'last', 'none'] as const;
export type FrameChoice = (typeof frameChoices)[number];

/** One image of a question or answer, as the row gives it. */
export type ImageSource =
  /** http(s) address, sent unchanged. */
  | { readonly kind: 'url'; readonly url: string }
  /** Data URI or bare base64, sent unchanged. */
  | { readonly kind: 'inline'; readonly data: string }
  /** A picture of a workbook, kept with the run under the digest of its bytes, which are sent as base64. */
  | { readonly kind: 'kept'; readonly sha256: string }
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

/** What a link points to. */
export type FileKind = 'video' | 'frame';

/** What a file of an earlier attempt is. */
export type EarlierKind = 'earlier' | 'earlier-video';

/** A downloaded file, or one still wanted. */
export interface Artifact {
  /**
   * `earlier-video`: the video of an earlier attempt. `earlier`: any other file of one, known until the current attempt
   * has its video.
   */
  readonly kind: FileKind | EarlierKind;
  /**
   * Frames count from 1 in order of appearance; the video is 0. Frames of an earlier attempt are numbered separately; its
   * video has the number of the attempt.
   */
  readonly ordinal: number;
  /** The service's frame id; null for the video. */
  readonly remoteId: string | null;
  /** `wanted`: not on disk yet. `saved`: whole, checked, synced. `missing`: given up. */
  readonly state: 'wanted' | 'saved' | 'missing';
  /**
   * Relative to the output folder, with `/`; null until saved. A saved file that is wanted again keeps path, length and
   * digest, because it may reappear.
   */
  readonly path: string | null;
  readonly sizeBytes: number | null;
  /** Lower-case hex. */
  readonly sha256: string | null;
  /** Failed tries at a frame; it is given up when they reach the policy's number. */
  readonly tries: number;
}

/**
 * When a pending item is sent, where others wait too. `first`: in the order of the file. `last`: after the others, because the
 * service refused it for what may concern all rows. `again`: it was refused with others alike, and waits, rejected, to be
 * sent once more after the others. `spent`: it had that second chance.
 */
export type Turn = 'first' | 'last' | 'again' | 'spent';

/** The saved life of one question: its status and what that status knows. */
export interface Item {
  /** The checkpoint's own number of this item; constant, and meaningless elsewhere. */
  readonly key: number;
  /** Data row in the input, from 1; follows the row when the file is edited. */
  readonly row: number;
  /** The row's own id, or `row-N` from the row number when it was first seen. */
  readonly id: string;
  /** Folder in the output tree: one safe path segment, unique regardless of case. */
  readonly folder: string;
  readonly status: Status;
  /** The quality requested: the row's, else the run's; null leaves it to the service. */
  readonly quality: Quality | null;
  /** Creation requests so far, including the current one; 0 before the first. */
  readonly attempt: number;
  /** Increases with every change; the store refuses a change based on another version. */
  readonly version: number;
  /** Identifies the current attempt; a change with another token is stale. Null before the first attempt. */
  readonly token: string | null;
  /** sha256 (hex) of the request body of the current attempt; null where the user found the task. */
  readonly requestHash: string | null;
  /**
   * Until when the service asked for a pause when it refused this item (epoch ms); the next run applies it to all
   * items.
   */
  readonly notBefore: number;
  readonly turn: Turn;
  /** When the current attempt's creation was claimed (epoch ms). */
  readonly submittedAt: number | null;
  /** When this program learned that the current attempt's task had ended (epoch ms). */
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
  /** Failed tries at the video since this run loaded the item, each after an answer of the service. */
  readonly renewals: number;
  readonly artifacts: readonly Artifact[];
}

/** The task fields of an item without a task. */
export const forgottenTask = {
  taskId: null,
  points: null,
  failure: null,
  title: null,
  createdAt: null,
  finishAt: null,
  detail: null,
  misses: 0,
  renewals: 0,
} as const;

/** The life of a row that was never sent. What both stores keep of an item is made from its fields. */
export const unsentLife: Omit<Item, 'key' | 'row' | 'id' | 'folder' | 'artifacts'> = {
  status: 'pending',
  quality: null,
  attempt: 0,
  version: 0,
  token: null,
  requestHash: null,
  notBefore: 0,
  turn: 'first',
  submittedAt: null,
  endedAt: null,
  ...forgottenTask,
};

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

/** A saved file as the disk knows it. */
export interface SavedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

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
      readonly retryAfterMs: number | null;
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
      /** What the service returned in place of a video. */
      readonly text?: string;
      readonly frames: readonly RemoteFrame[];
      readonly unknownState?: string;
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
  /** The user orders a new, paid attempt. */
  | { readonly type: 'retry-ordered'; readonly at: number }
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
