/** Pure. A row of `report.html` and of the live page, and how JSON carries it there. */

import type { Finding } from '../features/verify/inspection.ts';
import type { Quality, Status } from '../money/item.ts';

/** A row as the page shows it. Texts are exact; null means unknown or none. */
export interface PageRow {
  /** Identifies the row on the page, even after it has left the input. */
  readonly key: number;
  /** Data row from 1; null for a row that is no longer in the input. */
  readonly row: number | null;
  readonly id: string;
  readonly status: Status;
  readonly points: number | null;
  readonly question: string;
  /** Reference answer. */
  readonly answer: string;
  readonly questionImages: readonly PageImage[];
  readonly answerImages: readonly PageImage[];
  readonly quality: Quality;
  readonly title: string | null;
  readonly failure: string | null;
  readonly taskId: string | null;
  /** Epoch ms. */
  readonly submittedAt: number | null;
  /** Epoch ms. */
  readonly endedAt: number | null;
  /** How long the task took. */
  readonly seconds: number | null;
  /** Creation requests so far. */
  readonly attempts: number;
  /** Relative link of the video: that of the preferred attempt, else of the latest that has one. */
  readonly video: string | null;
  /** Relative links of the saved frames, in order of appearance. */
  readonly frames: readonly string[];
  /** The videos of all attempts, oldest first; empty unless there are several, or one of an earlier attempt. */
  readonly videos: readonly PageVideo[];
  /** The attempt whose video was chosen for the row; null for the latest. */
  readonly preferred: number | null;
  /** Texts of the file that a reviewer corrected; null where they were sent as they are. */
  readonly corrected: CorrectedFrom | null;
  /** Relative link of the captions (WebVTT) beside the video. */
  readonly captions: string | null;
  /** How long the video plays. */
  readonly secondsVideo: number | null;
  /** Reasons to look at the video. */
  readonly findings: readonly Finding[];
}

/** The video of one attempt, by its relative link. */
export type PageVideo = readonly [attempt: number, video: string, sizeBytes: number | null];

/** The texts before their correction; a text that was right is absent. */
interface CorrectedFrom {
  readonly question?: string;
  readonly answer?: string;
}

/**
 * An image of a question: a relative link or data URI the page can show; an http(s) address it only links to (the page
 * sends no requests elsewhere), ending in `?…` where its query was removed; or null where it is in the input and too
 * large for the page.
 */
export type PageImage = string | null;

/** The values of a `PageRow` in a fixed order, because keys would be repeated in every row. */
export type PackedRow = ReturnType<typeof packRow>;

/** The row as JSON carries it. */
export function packRow(row: PageRow) {
  return [
    ...([row.key, row.row, row.id, row.status, row.points] as const),
    ...([row.question, row.answer, row.questionImages, row.answerImages, row.quality] as const),
    ...([row.title, row.failure, row.taskId, row.submittedAt, row.endedAt, row.seconds] as const),
    ...([row.attempts, row.video, row.frames, row.secondsVideo, row.findings] as const),
    // Few rows have any of these.
    ...([row.videos, row.preferred, row.corrected, row.captions] as const),
  ] as const;
}

/** The row from what `packRow` made of it. */
export function unpackRow(values: PackedRow): PageRow {
  const [key, row, id, status, points, question, answer, questionImages, answerImages, ...more] = values;
  const [quality, title, failure, taskId, submittedAt, endedAt, seconds, attempts, ...last] = more;
  const [video, frames, secondsVideo, findings, videos, preferred, corrected, captions] = last;
  return {
    key,
    row,
    id,
    status,
    points,
    question,
    answer,
    questionImages,
    answerImages,
    quality,
    title,
    failure,
    taskId,
    submittedAt,
    endedAt,
    seconds,
    attempts,
    video,
    frames,
    secondsVideo,
    findings,
    videos,
    preferred,
    corrected,
    captions,
  };
}
