/**
 * Pure. The rows that reviewers watch to learn how good the others are: drawn at random, once, the same for all of them.
 *
 * Rows count in the order in which they were drawn, and only as far as each has a verdict: who passes over what is hard to
 * judge would make the rest look better than it is. Marks on other rows say nothing here, because somebody chose them.
 *
 * A row that was made again since it was drawn leaves the watched ones, and its new video is to be watched. What was said of
 * its video before still speaks for the others: otherwise the bad ones, once they were mended, would be forgotten, and the
 * others with them. Nothing is said of a new video: it was not among those that were drawn from.
 */

import { chance } from '../chance.ts';
import { leftToWatch, mostBad, type Watched } from './sample-bound.ts';

/** As it is saved with the run. */
export interface WatchSample {
  /** Decides with the keys which rows are drawn, and in which order. */
  readonly seed: number;
  /** When it was drawn (epoch ms). */
  readonly at: number;
  /** Rows that it was drawn from: those that were completed then, without those that are looked at all. */
  readonly population: number;
  /** How many rows are to be watched. */
  readonly size: number;
  /** Their keys in the order drawn, and more of them, so that the sample can grow. */
  readonly keys: readonly number[];
}

/** As many rows as are kept in the order drawn. Watching more would say little more. */
export const mostKeys = 5000;

/** The share of the rows (0..1) that a sample is made to say something about. */
export const wantedShare = 0.02;

export const usualConfidence = 0.95;

/** Draws from rows with these keys as many as it takes, if all of them are good. */
export function drawSample(
  keys: readonly number[],
  { seed, at, confidence }: Pick<WatchSample, 'seed' | 'at'> & { readonly confidence: number },
): WatchSample {
  const ranked = keys.map((key) => ({ key, rank: chance(seed, String(key)) }));
  const drawn = ranked.sort((a, b) => a.rank - b.rank || a.key - b.key).slice(0, mostKeys);
  const none = { population: keys.length, watched: 0, bad: 0 };
  const size = Math.min(drawn.length, leftToWatch(none, confidence, wantedShare));
  return { seed, at, population: keys.length, size, keys: drawn.map(({ key }) => key) };
}

/** The sample with so many more rows, as far as there are any. */
export function grown(sample: WatchSample, by: number): WatchSample {
  return { ...sample, size: Math.min(sample.keys.length, sample.size + Math.max(0, by)) };
}

/** The rows to watch, in the order drawn. */
export function drawnKeys({ keys, size }: WatchSample): readonly number[] {
  return keys.slice(0, size);
}

type Verdict = 'good' | 'bad';

/** A drawn row as it stands now. */
export interface DrawnRow {
  /** What reviewers say of the video that stands for it; null for nothing. */
  readonly verdict: Verdict | null;
  /** Where that video was made after the row was drawn, in place of another one: what they said of the other. Else null. */
  readonly before: Verdict | null;
}

/** What is known of a row that was drawn. */
export interface DrawnFacts {
  /** The attempt whose video stands for it. */
  readonly standing: number;
  /** When that was submitted (epoch ms); null where that is not known. */
  readonly submittedAt: number | null;
  /** The attempts that made a video. */
  readonly attempts: readonly number[];
  /** Marks of all reviewers. */
  readonly marks: readonly { readonly attempt: number | null; readonly mark: Verdict | '' }[];
  /** The attempt that a reviewer called good and after which a final was ordered; null for none. */
  readonly draft: number | null;
}

export function drawnRow(
  { standing, submittedAt, attempts, marks, draft }: DrawnFacts,
  { at }: Pick<WatchSample, 'at'>,
): DrawnRow {
  // A reviewer has one mark for each row: one on the final took the place of the one that the final was ordered by.
  const ordered = draft === standing ? 'good' : null;
  const verdict = together(marks.filter(({ attempt }) => attempt === standing)) ?? ordered;
  if (!isMadeAgain({ standing, submittedAt, attempts }, at)) return { verdict, before: null };
  const known = together(marks.filter(({ attempt }) => attempt !== null && attempt < standing));
  // Where nobody knows any more, a guess must not make the others look better.
  return { verdict, before: known ?? (draft === null ? 'bad' : 'good') };
}

/** True where the video that stands took the place of another one after `at` (epoch ms). */
export function isMadeAgain(
  { standing, submittedAt, attempts }: Omit<DrawnFacts, 'marks' | 'draft'>,
  at: number,
): boolean {
  return (submittedAt ?? 0) > at && attempts.some((attempt) => attempt < standing);
}

/** Where reviewers contradict each other, the video counts as bad. */
function together(marks: DrawnFacts['marks']): Verdict | null {
  if (marks.some(({ mark }) => mark === 'bad')) return 'bad';
  return marks.some(({ mark }) => mark === 'good') ? 'good' : null;
}

/** What a sample says. */
export interface SampleStanding {
  readonly population: number;
  readonly size: number;
  readonly confidence: number;
  /** Rows whose standing video was watched, in the order drawn. */
  readonly watched: number;
  /** Of these. */
  readonly bad: number;
  /** Rows that were made again since they were drawn. */
  readonly madeAgain: number;
  /** Of these, rows whose new video nobody has judged yet. */
  readonly toWatchAgain: number;
  /** Of the rows it was drawn from, those not watched and not made again since: nothing is said of others. */
  readonly others: number;
  /** Rows besides those drawn that were made again since. */
  readonly othersAgain: number;
  /** The most of the others that are bad, with this confidence; null while nobody has watched any. */
  readonly mostBad: number | null;
  /** How many more rows to watch for `wantedShare`, if all of them are good. */
  readonly left: number;
}

/** `mostBad` as a share of the population (0..1), to a tenth of a percent: rounded up, so that it stays true; null for none. */
export function shareAtMost({
  mostBad,
  population,
}: Pick<SampleStanding, 'mostBad' | 'population'>): number | null {
  return mostBad === null ? null : Math.ceil((mostBad * 1000) / population) / 1000;
}

/** `rows` are those of the sample, in the order drawn; `othersAgain` other rows, made again since. */
export function standingOfSample(
  { population, size }: Pick<WatchSample, 'population' | 'size'>,
  rows: readonly DrawnRow[],
  confidence: number,
  othersAgain = 0,
): SampleStanding {
  const firstOpen = rows.findIndex(({ verdict, before }) => (before ?? verdict) === null);
  const known = firstOpen < 0 ? rows : rows.slice(0, firstOpen);
  const count = (isMeant: (row: DrawnRow) => boolean): number => known.filter(isMeant).length;
  const evidence: Watched = {
    population,
    watched: known.length,
    bad: count(({ verdict, before }) => (before ?? verdict) === 'bad'),
  };
  const toWatchAgain = count(({ verdict, before }) => before !== null && verdict === null);
  // Of the rows drawn, too, some may come after the first that has no verdict.
  const again = othersAgain + rows.slice(known.length).filter(({ before }) => before !== null).length;
  const others = Math.max(0, population - known.length - again);
  const most = Math.min(others, mostBad(evidence, confidence) - evidence.bad);
  return {
    population,
    size,
    confidence,
    watched: count(({ verdict }) => verdict !== null),
    bad: count(({ verdict }) => verdict === 'bad'),
    madeAgain: count(({ before }) => before !== null),
    toWatchAgain,
    others,
    othersAgain,
    mostBad: known.length === 0 ? null : most,
    left: leftToWatch(evidence, confidence, wantedShare),
  };
}
