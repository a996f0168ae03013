/** Pure. A row of `report.html` and of the live page, and how JSON carries it there. */

import type { Finding } from '../money/inspection/inspection.ts';
import type { Quality, Status } from '../money/item.ts';
import { packingOf } from './packed-fields.ts';

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
  /** The failure in Chinese where it is this program's own words; else null. */
  readonly failureZh: string | null;
  readonly taskId: string | null;
  /** Epoch ms. */
  readonly submittedAt: number | null;
  /** Epoch ms. */
  readonly endedAt: number | null;
  /** How long the task took. */
  readonly seconds: number | null;
  /** The number of the last attempt: marks name it. */
  readonly attempts: number;
  /** What tells that attempt from one of a copy of the run: `tokenMark`. */
  readonly token: string;
  /** Creations that may have made a task. */
  readonly counted: number;
  /** Relative link of the video: that of the preferred attempt, else of the latest that has one. */
  readonly video: string | null;
  /** Relative links of the saved frames, in order of appearance. */
  readonly frames: readonly string[];
  /** The videos of all attempts, oldest first; empty unless there are several, or one of an earlier attempt. */
  readonly videos: readonly PageVideo[];
  /** The attempt whose video was chosen for the row; null for the latest. */
  readonly preferred: number | null;
  /** The attempt that was called good and after which a final was ordered; null for none. */
  readonly draft: number | null;
  /** Texts of the file that a reviewer corrected; null where they were sent as they are. */
  readonly corrected: CorrectedFrom | null;
  /** Relative link of the captions (WebVTT) next to the video. */
  readonly captions: string | null;
  /** How long the video plays. */
  readonly secondsVideo: number | null;
  /** Reasons to look at the video. */
  readonly findings: readonly Finding[];
  /** Cells of the user's own columns, in the order of `PageHeading.columns`, to the last that is not empty; null for none. */
  readonly own: readonly string[] | null;
}

/** The video of one attempt: its relative link, its points, and what it was made of where that is not as in the row. */
export type PageVideo = readonly [attempt: number, video: string, points: number | null, apart: AttemptApart];

/** What is the same as in the row is absent. */
export interface AttemptApart {
  readonly question?: string;
  readonly answer?: string;
  readonly quality?: Quality;
}

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

/** In the order in which their values travel; the last seven fields are empty in most rows. */
const packing = packingOf<PageRow>()([
  ...(['key', 'row', 'id', 'status', 'points', 'question', 'answer', 'questionImages'] as const),
  ...(['answerImages', 'quality', 'title', 'failure', 'taskId', 'submittedAt', 'endedAt'] as const),
  ...(['seconds', 'attempts', 'token', 'counted', 'video', 'frames', 'secondsVideo', 'findings'] as const),
  ...(['videos', 'preferred', 'corrected', 'failureZh', 'draft', 'captions', 'own'] as const),
]);

/** A row as JSON carries it. */
export type PackedRow = ReturnType<typeof packing.pack>;

export function packRow(row: PageRow): PackedRow {
  return packing.pack(row);
}

/** The row from what `packRow` made of it. */
export function unpackRow(values: PackedRow): PageRow {
  return packing.unpack(values);
}
