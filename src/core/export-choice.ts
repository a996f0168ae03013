/** Which rows an export takes. */

import { shownFiles } from './artifacts.ts';
import type { Artifact, Item } from './item.ts';

/** What the user wants exported. */
export type ExportChoice =
  | { readonly kind: 'completed' }
  /** These ids; a number is the attempt that was looked at, null is any. */
  | { readonly kind: 'named'; readonly rows: ReadonlyMap<string, number | null> };

/** A video with all that a copy of it needs. */
export interface SavedVideo {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** The attempt that made it. */
  readonly attempt: number;
}

/** What becomes of a row. */
export type RowChoice =
  | { readonly is: 'chosen'; readonly video: SavedVideo }
  | { readonly is: 'not-chosen' | 'without-video' | 'other-attempt' };

/** Rows that have left the input are exported only by name. */
export function chooseRow(item: Item, gone: boolean, choice: ExportChoice): RowChoice {
  const marked = choice.kind === 'named' ? choice.rows.get(item.id) : undefined;
  if (choice.kind === 'named' ? marked === undefined : gone || item.status !== 'completed')
    return { is: 'not-chosen' };
  const video = savedVideo(item);
  if (video === null) return { is: 'without-video' };
  // The reviewer has not seen this one.
  if (typeof marked === 'number' && marked !== video.attempt) return { is: 'other-attempt' };
  return { is: 'chosen', video };
}

function savedVideo(item: Item): SavedVideo | null {
  const { video } = shownFiles(item);
  if (video === null) return null;
  const { path, sizeBytes, sha256 } = video;
  if (path === null || sizeBytes === null || sha256 === null) return null;
  return { path, sizeBytes, sha256, attempt: attemptOf(item, video, path) };
}

/** Files of earlier attempts have a folder of their own, but for those of a disk without one. */
function attemptOf({ attempt }: Item, { kind }: Artifact, path: string): number {
  const aside = /\/attempt-(\d+)\//.exec(path)?.[1];
  if (aside !== undefined) return Number(aside);
  return kind === 'earlier' ? attempt - 1 : attempt;
}
