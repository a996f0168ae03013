/** A run for those that only read it: reports, plans, totals, and the page that follows it. */

import type { FailureGroups } from '../../money/failure-groups.ts';
import type { QualityCounts } from '../../money/forecast/estimate.ts';
import type { PaidSums } from '../../money/forecast/price-range.ts';
import type { InspectedVideo } from '../../money/inspection/inspection.ts';
import type { Item, Quality } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import type { Source } from '../../money/question.ts';
import type { Final } from '../../money/review/final.ts';
import type { Correction, ReviewMark } from '../../money/review.ts';
import type { AttemptFacts, EarlierCorrection, EarlierInput } from '../../money/standing-attempt.ts';
import type { StatusWith } from '../../money/statuses.ts';
import type { Decision } from './decisions.ts';
import type { Reviews } from './reviews.ts';

/** One line of the reports. */
export interface ReportRow {
  readonly item: Item;
  /** True for a submitted row that is no longer in the input. */
  readonly gone: boolean;
  /** The row as it was read: column -> value, in the input's own columns. */
  readonly input: Readonly<Record<string, unknown>>;
  /** How to read the row's file. */
  readonly source: Source;
  /** The current input of a row that was sent with another text; null where nothing differs. */
  readonly edit: Pick<ReportRow, 'input' | 'source'> | null;
  /** Every creation request, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Texts of attempts that the row has no more, by attempt. */
  readonly earlierInputs: readonly EarlierInput[];
  readonly earlierCorrections: readonly EarlierCorrection[];
  /** The attempt whose video stands for the row: a preferred one, or a draft without a good final; null for the latest that has one. */
  readonly preferred: number | null;
  /** Null where none was ordered. */
  readonly final: Final | null;
  /** The saved correction, in force or not; null for none. */
  readonly correction: Correction | null;
  /** What reviewers think of it, by their names. */
  readonly marks: readonly ReviewMark[];
  /** What people decided about its money, oldest first. */
  readonly decisions: readonly Decision[];
  /** Of the video that the row shows; null where nobody looked into it. */
  readonly inspection: InspectedVideo | null;
}

/**
 * One creation request of one item, as saved in the checkpoint. Its status is the item's when the attempt was superseded,
 * or its current one.
 */
export type Attempt = AttemptFacts;

/** The data of plans and totals. */
export interface RunTotals {
  prices(): Promise<Prices>;
  /** Why rows ended badly, the most frequent kind first. */
  failureGroups(): Promise<FailureGroups>;
  goneCounts(): Promise<GoneCounts>;
  /** Rows of the file that a retry would take, by status and their own quality now. */
  retryable(): Promise<RetryableRows>;
  /** Retries with rows that wait, by round, the last one first. */
  unsent(): Promise<readonly UnsentRetry[]>;
  /** Rows that wait to be submitted, by their own quality. */
  pendingQualities(paid: PaidRows): Promise<QualityCounts>;
  /** Completed rows of the file, by the quality that their last attempt asked for. */
  completedQualities(): Promise<QualityCounts>;
  /** What was paid for videos whose price is known, with the length of their texts; of a long run the last rows. */
  paidSums(): Promise<readonly PaidSums[]>;
  /** Lengths of the texts of waiting rows, by the key one of so many. */
  pendingLengths(paid: PaidRows, oneOf: number): Promise<readonly TextLengths[]>;
}

/** The cost of attempts. */
export interface Prices {
  /** Attempts that were charged. */
  readonly charged: number;
  /** Mean points of the attempts that made a video; null where none has known points. */
  readonly perVideo: number | null;
}

/** Rows that a retry would take, by status. */
export type RetryableRows = Readonly<Record<StatusWith<'retried'>, QualityCounts>>;

/** What is left of a retry. */
interface UnsentRetry {
  /** The round of the retry. */
  readonly round: number;
  readonly rows: QualityCounts;
}

/** Bad rows in the totals that are no longer in the file, by status. */
type GoneCounts = Readonly<Partial<Record<Item['status'], number>>>;

/** Lengths of the texts of some rows of one quality; null for rows without one of their own. */
export interface TextLengths {
  readonly quality: Quality | null;
  readonly rows: number;
  readonly characters: number;
}

/** Follows a run that another process writes. Only reads. */
export interface RunWatch {
  /**
   * A number that changes with every save; costs almost nothing. Throws `UsageError` once the checkpoint was removed or
   * replaced.
   */
  version(): Promise<number>;
  /** True while a process works in the folder. */
  isInUse(): Promise<boolean>;
  /** A number that changes when rows get another text or place, or leave the input. */
  inputVersion(): Promise<number>;
  /** In the order of `statuses`; only those that occur. */
  sums(): Promise<readonly StatusSum[]>;
  /** The cost of the run so far. */
  prices(): Promise<RunPrices>;
  /** Marks of all rows, in pages. */
  marks(): AsyncIterable<readonly RowMark[]>;
  marksOf(keys: readonly number[]): Promise<readonly RowMark[]>;
  /** Items in these statuses with their files. */
  items(statuses: readonly Item['status'][]): AsyncIterable<Item>;
  /** All rows for the page: input order, then the gone ones. */
  reportPages(): AsyncIterable<readonly ReportRow[]>;
  /** The rows with these keys that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<readonly ReportRow[]>;
  /** A number that changes when marks, preferences or corrections are saved. */
  reviewVersion(): Promise<number>;
  readonly reviews: Pick<Reviews, 'marks' | 'standing'>;
  /** The item whose files are in this folder of the output tree. */
  itemInFolder(folder: string): Promise<Item | null>;
}

/** The state of one row in numbers: enough to detect a change. */
export interface RowMark {
  readonly key: number;
  readonly row: number;
  /** 1 when the row is no longer in the input. */
  readonly gone: number;
  readonly status: Item['status'];
  readonly attempt: number;
}

/** All rows of one status, in numbers. */
export interface StatusSum {
  readonly status: Item['status'];
  readonly count: number;
  /** Of these, the rows shown in the reports. */
  readonly shown: number;
  /** Sums over `RowMark`, so that rows swapping places are noticed. */
  readonly rows: number;
  readonly gone: number;
  readonly attempts: number;
}

/** The cost of the run's attempts so far. */
export interface RunPrices {
  readonly points: number;
  /** Rows whose points are not known. */
  readonly unpriced: number;
  /** Attempts that made a video at known points, and those points. */
  readonly pricedVideos: number;
  readonly videoPoints: number;
}
