/** What people decide about rows, and what was seen of their videos. */

import type { Finding, InspectedVideo, Inspection } from '../../money/inspection/inspection.ts';
import type { Final } from '../../money/review/final.ts';
import type { WireMark } from '../../money/review/review-wire.ts';
import type { Correction, SavedMark } from '../../money/review.ts';
import type { EarlierCorrection } from '../../money/standing-attempt.ts';
import type { Decision } from './decisions.ts';

/**
 * What people decided about the rows. Changes no item. Each save is durable; it throws `UsageError` where the run is
 * elsewhere or on its way there.
 */
export interface Reviews {
  /** The marks of all rows with their ids, by row and reviewer. */
  marks(): Promise<readonly WireMark[]>;
  /** Each replaces the mark of the same reviewer on the same row; an empty one removes it. */
  saveMarks(marks: readonly SavedMark[]): Promise<void>;
  /** Preferred attempts by the key of the item. */
  preferences(): Promise<ReadonlyMap<number, number>>;
  /** Attempts whose video stands for their row where it is not the latest one, by the key of the item. */
  standing(): Promise<ReadonlyMap<number, number>>;
  /** Finals that were ordered, by the key of the item. */
  finals(): Promise<ReadonlyMap<number, Final>>;
  /** Null for the latest attempt that has a video. */
  prefer(choices: ReadonlyMap<number, number | null>): Promise<void>;
  /** The saved corrections of these items; null for all. */
  corrections(keys: readonly number[] | null): Promise<ReadonlyMap<number, Correction>>;
  /** Corrections that attempts have sent and that another one, or none, has taken the place of, by the key of the item. */
  earlierCorrections(): Promise<ReadonlyMap<number, readonly EarlierCorrection[]>>;
  /** Null removes the correction of the item. `decisions` are saved with them. */
  correct(
    corrections: ReadonlyMap<number, Correction | null>,
    decisions?: readonly Decision[],
  ): Promise<void>;
}

/**
 * What was seen of videos, by the digests of their bytes (lower-case hex). Nothing of it decides anything about a row. A
 * save throws `UsageError` where the run is elsewhere or on its way there.
 */
export interface Inspections {
  /** Of the videos with these digests; unknown ones are left out. */
  find(digests: readonly string[]): Promise<ReadonlyMap<string, InspectedVideo>>;
  /** Keeps what was found about them before. */
  save(seen: readonly { readonly sha256: string; readonly inspection: Inspection }[]): Promise<void>;
  /** Replaces what was found about these videos; unknown ones are left out. */
  saveFindings(
    found: readonly { readonly sha256: string; readonly findings: readonly Finding[] }[],
  ): Promise<void>;
}
