/**
 * `report.html`: one offline file. It is written in order: a head with the script that shows the rows, one data island
 * per batch of rows, and a tail with the totals and the formula renderer.
 */

import type { LimitStep } from '../money/breakers/limit-steps.ts';
import { type Status, statuses } from '../money/item.ts';
import type { WireMark } from '../money/review/review-wire.ts';
import type { WatchSample } from '../money/review/watch-sample.ts';
import type { Pause } from '../money/steering.ts';
import { roundPoints } from '../money/summary.ts';
import type { PageAssets } from '../ports.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import type { Language } from '../text/languages.ts';
import type { ReportLine } from './columns.ts';
import { pagePolicy, renderEnd, renderHead, renderIsland } from './page-shell.ts';
import { type PageRow, packRow } from './page-wire.ts';

/** Facts the page shows about itself. */
export interface PageFacts {
  /** The output folder, as the user named it. */
  readonly out: string;
  /** What people call the run: its name, or that of its first file; absent for the name of the output folder. */
  readonly title?: string | undefined;
  /** The output folder, absolute. */
  readonly folder: string;
  /** Identifies the run: a reviewer's notes in the browser belong to this run wherever its page is. */
  readonly run: string;
  /** Epoch ms. */
  readonly writtenAt: number;
  /** True while the run continues and the page will be written again. */
  readonly running: boolean;
  /** Processes that work on a shared run now; absent elsewhere. */
  readonly workers?: number | undefined;
  /** How many tasks could be open at once, over time; absent where nothing searched for the number. */
  readonly concurrency?: readonly LimitStep[] | undefined;
  /** The user's pause of submitting; absent while there is none. */
  readonly pause?: Pause | undefined;
  /** The cap on points; absent where there is none. */
  readonly cap?: number | undefined;
  /** The waiting rows that somebody has ordered to send, of a shared run that goes; absent for all. */
  readonly ordered?: number | undefined;
  /** Present for a rehearsal: the embedded service takes no real points. */
  readonly rehearsal?: true | undefined;
  /** The name of a run that machines share; absent for one in a folder. */
  readonly shared?: string | undefined;
  /** The file that was read, with the options that it needs, in shell words; absent where nobody knows it. */
  readonly input?: string | undefined;
  /** The program as its user types it; absent for `batch`. */
  readonly program?: string | undefined;
  /** True where the server of the page saves marks. */
  readonly review?: boolean | undefined;
  /** The name that the page's marks are saved under; absent where they are not saved. */
  readonly reviewer?: string | undefined;
  /** The sample saved with the run; absent where none was drawn. */
  readonly sample?: WatchSample | undefined;
  /** What is said of a sample is as sure as this (0..1); absent for `usualConfidence`. */
  readonly confidence?: number | undefined;
}

/** The totals of the rows on the page. */
export interface PageTotals {
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly points: number;
  /** Rows whose points are not known. */
  readonly unpriced: number;
  /** Attempts that made a video at known points, and those points: the cost of a video, without failures. */
  readonly pricedVideos: number;
  readonly videoPoints: number;
}

/** The island of facts, as the page's script reads it. */
export interface PageHeading extends PageTotals, Omit<PageFacts, 'folder'> {
  /**
   * True where a server sends changes: server-sent events at `events`, `rows` (a list of rows) and `heading` (this).
   */
  readonly live: boolean;
  /** Rows counted but not on the page: a browser could not open it with them. */
  readonly leftOut: number;
  /** The user's own columns, whose cells the rows have; absent where nobody looked for them. */
  readonly columns?: readonly string[];
  /** On a live page: changes when all its rows must be read again. */
  readonly inputVersion?: number;
  /** On a live page: changes when marks were saved, which `marks` gives. */
  readonly reviewVersion?: number;
}

export const noTotals: PageTotals = { counts: {}, points: 0, unpriced: 0, pricedVideos: 0, videoPoints: 0 };

/** Adds the rows of one more batch. `lines` are the `reportLine`s of the same rows. */
export function addTotals(
  totals: PageTotals,
  lines: readonly ReportLine[],
  batch: readonly ReportRow[],
): PageTotals {
  const counts = { ...totals.counts };
  for (const { status } of lines) counts[status] = (counts[status] ?? 0) + 1;
  const points = lines.reduce((sum, line) => sum + (line.points ?? 0), totals.points);
  const unpriced = lines.filter((line) => line.points === null).length;
  const priced = batch.flatMap(({ attempts }) =>
    attempts.flatMap(({ status, points }) => (status === 'completed' && points !== null ? [points] : [])),
  );
  return {
    counts,
    points: roundPoints(points),
    unpriced: totals.unpriced + unpriced,
    pricedVideos: totals.pricedVideos + priced.length,
    videoPoints: roundPoints(priced.reduce((sum, each) => sum + each, totals.videoPoints)),
  };
}

/** What is read unless the script runs, which hides it, or where the script fails: then no words can be chosen. */
const failureLine: Readonly<Record<Language, string>> = {
  en: 'This page shows its rows with a script, which did not run or has failed: rows may be missing here. All of them are in report.csv. The page needs JavaScript, and Chrome 109, Firefox 115, Safari 15.6 or newer.',
  zh: '本页用脚本显示各行，而脚本没有运行或出了错：这里可能缺少一些行，全部行都在 report.csv 中。本页需要启用 JavaScript，并使用 Chrome 109、Firefox 115、Safari 15.6 或更新的浏览器。',
};

/** Everything before the rows, including the script: it shows the first rows while the browser still reads the rest. */
export function renderPageHead(assets: PageAssets, live = false, fileOrigin: string | null = null): string {
  const policy = pagePolicy(assets, live, fileOrigin);
  return renderHead(assets, { policy, title: 'Report', lang: 'en', failureLine });
}

export function renderPageRows(rows: readonly PageRow[]): string {
  return rows.length === 0 ? '' : renderIsland('class="rows"', rows.map(packRow));
}

/** Everything after the rows. `marks` are those saved with the run. */
export function renderPageTail(
  assets: PageAssets,
  heading: PageHeading,
  withMath: boolean,
  marks: readonly WireMark[] = [],
): string {
  const saved = marks.length === 0 ? '' : renderIsland('id="marks"', marks);
  const island = saved + renderIsland('id="heading"', heading);
  return island + renderEnd(assets, withMath);
}

/** Without what only the writer of the page needs to know. */
export function pageHeading(facts: PageFacts, totals: PageTotals, live = false, leftOut = 0): PageHeading {
  const { out, title, run, writtenAt, running, workers, concurrency, pause, cap } = facts;
  const { rehearsal, shared, program, review, reviewer, sample, confidence } = facts;
  const counts = Object.fromEntries(
    statuses
      .filter((status) => totals.counts[status] !== undefined)
      .map((status) => [status, totals.counts[status]]),
  );
  return {
    ...totals,
    counts,
    out,
    title,
    run,
    writtenAt,
    running,
    workers,
    concurrency,
    pause,
    cap,
    rehearsal,
    program,
    shared,
    review,
    reviewer,
    sample,
    confidence,
    live,
    leftOut,
  };
}
