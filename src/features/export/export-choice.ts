/** Pure. Which rows an export contains. */

import { standingVideo } from '../../money/artifacts.ts';
import type { Item } from '../../money/item.ts';
import type { ReviewMark } from '../../money/review.ts';

/** What the user wants exported. */
export type ExportChoice =
  | { readonly kind: 'completed' }
  /** Rows whose video a reviewer called good, and none bad: the marks of all reviewers, by id. */
  | { readonly kind: 'good'; readonly marks: ReadonlyMap<string, readonly Verdict[]> }
  /** These ids; a number is the attempt that was looked at, null is any. */
  | { readonly kind: 'named'; readonly rows: ReadonlyMap<string, number | null | 'contested'> };

/** What one reviewer said about the video of one attempt. */
type Verdict = Pick<ReviewMark, 'mark' | 'attempt'>;

/** What is known of a row. */
interface ChoosableRow {
  readonly item: Item;
  /** True for a row that has left the input. */
  readonly gone: boolean;
  /** The attempt whose video stands for the row; null for the latest. */
  readonly preferred: number | null;
}

/** A video with all that a copy of it needs. */
export interface SavedVideo {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** The attempt that made it. */
  readonly attempt: number;
}

/** Why a row that was asked for is not exported. `contested`: one reviewer calls it good and another one bad. */
export type Refusal = 'without-video' | 'other-attempt' | 'contested';

/** What becomes of a row. */
export type RowChoice =
  | { readonly is: 'chosen'; readonly video: SavedVideo }
  | { readonly is: 'not-chosen' | Refusal };

/** Rows that have left the input are exported only by name. */
export function chooseRow(row: ChoosableRow, choice: ExportChoice): RowChoice {
  const video = savedVideo(row);
  if (!isAskedFor(row, choice, video !== null)) return { is: 'not-chosen' };
  if (video === null) return { is: 'without-video' };
  const refusal = whyRefused(row.item.id, choice, video);
  return refusal === null ? { is: 'chosen', video } : { is: refusal };
}

/** A video stays that of its row while another attempt waits, or has failed. */
function isAskedFor({ item, gone }: ChoosableRow, choice: ExportChoice, hasVideo: boolean): boolean {
  if (choice.kind === 'named') return choice.rows.has(item.id);
  if (gone) return false;
  return choice.kind === 'completed' ? hasVideo : hasGood(marksOf(choice, item.id));
}

function marksOf({ marks }: Extract<ExportChoice, { kind: 'good' }>, id: string): readonly Verdict[] {
  return marks.get(id) ?? [];
}

function hasGood(marks: readonly Verdict[]): boolean {
  return marks.some(({ mark }) => mark === 'good');
}

/** A mark is about one video. */
function whyRefused(id: string, choice: ExportChoice, { attempt }: SavedVideo): Refusal | null {
  if (choice.kind === 'completed') return null;
  if (choice.kind === 'named') {
    const marked = choice.rows.get(id);
    if (marked === 'contested') return marked;
    return typeof marked === 'number' && marked !== attempt ? 'other-attempt' : null;
  }
  const own = marksOf(choice, id).filter((mark) => mark.attempt === attempt);
  if (own.some(({ mark }) => mark === 'bad')) return 'contested';
  return hasGood(own) ? null : 'other-attempt';
}

/** All videos of the row that are known, also those that are no longer there. */
export function knownVideos({ artifacts }: Pick<Item, 'artifacts'>): readonly Omit<SavedVideo, 'attempt'>[] {
  return artifacts.flatMap(({ kind, path, sizeBytes, sha256 }) =>
    kind === 'frame' || path === null || sizeBytes === null || sha256 === null
      ? []
      : [{ path, sizeBytes, sha256 }],
  );
}

function savedVideo({ item, preferred }: ChoosableRow): SavedVideo | null {
  const standing = standingVideo(item, preferred);
  if (standing === null) return null;
  const { path, sizeBytes, sha256 } = standing.file;
  if (path === null || sizeBytes === null || sha256 === null) return null;
  return { path, sizeBytes, sha256, attempt: standing.attempt };
}
