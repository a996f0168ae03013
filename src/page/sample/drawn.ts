/** The rows that are drawn to be watched, and what their marks say of the others. */

import {
  type DrawnRow,
  drawnKeys,
  drawnRow,
  isMadeAgain,
  type SampleStanding,
  standingOfSample,
  type WatchSample,
} from '../../money/review/watch-sample.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { firstAttempt, type Mark } from '../marks/mark.ts';

/** A sample as the page shows it. */
export interface ShownSample {
  /** Another one where other rows are shown. */
  readonly name: string;
  readonly sample: WatchSample;
  /** Those of its rows that the page has, in the order drawn. */
  readonly rows: readonly PageRow[];
  /** Those that it does not have. */
  readonly absent: number;
  readonly standing: SampleStanding;
  /** The next row to watch; null where all are watched. */
  readonly next: PageRow | null;
  /** The row without a verdict that keeps those after it from counting; null where there is none. */
  readonly gap: PageRow | null;
}

/** What is known of the marks of a row. */
export interface RowMarks {
  /** The reader's own; null for none. */
  readonly own: Mark | null;
  /** Those of all reviewers, the reader's own among them. */
  readonly all: readonly Mark[];
}

/** Keys of the rows to draw from: whoever has a reason to look at a video looks at it anyway. */
export function keysToDraw(rows: readonly PageRow[]): number[] {
  return rows.flatMap(({ key, row, status, video, findings }) =>
    status === 'completed' && video !== null && row !== null && findings.length === 0 ? [key] : [],
  );
}

/** How the row stands, a row of `sample`. */
export function standRow(row: PageRow, { own, all }: RowMarks, sample: Pick<WatchSample, 'at'>): DrawnRow {
  return drawnRow(
    {
      ...standingFacts(row, own),
      marks: all.map(({ attempt, verdict }) => ({ attempt, mark: verdict ?? '' })),
      draft: row.draft,
    },
    sample,
  );
}

function standingFacts(row: PageRow, own: Mark | null) {
  const standing = firstAttempt(row, own);
  return {
    standing,
    // The page knows when the attempt was sent that stands for the row in the run, and of no other one.
    submittedAt: standing === firstAttempt(row, null) ? row.submittedAt : null,
    attempts: row.videos.length === 0 ? [row.attempts] : row.videos.map(([attempt]) => attempt),
  };
}

/** Rows that are not drawn, and were made again since. */
function countOthersAgain(rows: readonly PageRow[], sample: WatchSample): number {
  const drawn = new Set(drawnKeys(sample));
  return rows.filter(
    (row) => row.attempts > 1 && !drawn.has(row.key) && isMadeAgain(standingFacts(row, null), sample.at),
  ).length;
}

const unknown: DrawnRow = { verdict: null, before: null };

/** Follows a sample. Its bounds are computed anew only where a verdict changed. */
export function createSampleView(find: (key: number) => PageRow | null, all: () => readonly PageRow[]) {
  let known = { name: '', standing: null as SampleStanding | null };
  return (sample: WatchSample, confidence: number, marksOf: (id: string) => RowMarks): ShownSample => {
    const places = drawnKeys(sample).map((key) => {
      const row = find(key);
      return { row, drawn: row === null ? unknown : standRow(row, marksOf(row.id), sample) };
    });
    const othersAgain = countOthersAgain(all(), sample);
    const name = JSON.stringify([
      ...[sample.population, sample.size, confidence, othersAgain],
      ...places.map(({ drawn: { verdict, before } }) => `${verdict} ${before}`),
    ]);
    const standing =
      (known.name === name ? known.standing : null) ??
      standingOfSample(
        sample,
        places.map(({ drawn }) => drawn),
        confidence,
        othersAgain,
      );
    known = { name, standing };
    const rows = places.flatMap(({ row }) => row ?? []);
    const { seed, at, size } = sample;
    const next = places.find(({ row, drawn }) => row !== null && drawn.verdict === null);
    return {
      ...{ sample, rows, standing, name: `${seed} ${at} ${size}` },
      absent: places.length - rows.length,
      next: next?.row ?? null,
      gap: gapIn(places),
    };
  };
}

/** The first row that nobody has judged, where one after it was. */
function gapIn(
  places: readonly { readonly row: PageRow | null; readonly drawn: DrawnRow }[],
): PageRow | null {
  const isOpen = ({ verdict, before }: DrawnRow): boolean => (before ?? verdict) === null;
  const first = places.findIndex(({ drawn }) => isOpen(drawn));
  const isPassedOver = first >= 0 && places.slice(first).some(({ drawn }) => !isOpen(drawn));
  return isPassedOver ? (places[first]?.row ?? null) : null;
}
