/**
 * The vocabulary: what a question, an item and its files are; `event.ts` has its events and effects. Each word has one
 * meaning here and everywhere else: code, database, reports and documentation.
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
  /** `hashOfRequest` of the current attempt; null where the user found the task. */
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

/** A saved file as the disk knows it. */
export interface SavedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}
