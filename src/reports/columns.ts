/** One line of the reports: the promised columns and their values, then the answer. */

import { suspectText } from '../messages/findings/finding-text.ts';
import { shownFiles } from '../money/artifacts.ts';
import { secondsOfVideo } from '../money/inspection/inspection.ts';
import type { Item } from '../money/item.ts';
import { reusedFrom } from '../money/reused.ts';
import { readSentTexts } from '../money/sent-question.ts';
import { asStanding, isCounted } from '../money/standing-attempt.ts';
import { hasMark } from '../money/statuses.ts';
import { effectiveQuality, roundPoints } from '../money/summary.ts';
import type { ReportLine } from '../schemas/report.ts';
import type { Attempt, ReportRow } from '../stores/port/reading.ts';

export type { ReportLine } from '../schemas/report.ts';

/** The columns of `report.csv` that every version has, in the promised order: by all of them a table is known as a report. */
export const promisedColumns = [
  'row',
  'id',
  'status',
  'points',
  'question',
  'quality',
  'title',
  'video',
  'frames',
  'failure',
  'task_id',
  'created_at',
  'finish_at',
  'submitted_at',
  'seconds',
  'attempts',
] as const satisfies readonly (keyof ReportLine)[];

/** The columns of `report.csv` and the first keys of `report.jsonl`. */
export const reportColumns = [
  ...promisedColumns,
  'seconds_video',
  'suspect',
  'answer',
  'reviewed_by',
  'reused_from',
] as const satisfies readonly (keyof ReportLine)[];

/** In place of the name that nobody gave: an empty cell would say that nobody looked. */
const someReviewer = 'a reviewer';

export function reportLine(row: ReportRow): ReportLine {
  const { gone, attempts, preferred, inspection, marks } = row;
  const standing = asStanding(row);
  const { item } = standing;
  const question = readSentTexts(standing);
  const { video, frames } = shownFiles(row.item, preferred);
  return {
    row: gone ? null : item.row,
    id: item.id,
    status: item.status,
    points: pointsOf(row.item, attempts),
    question: question.question,
    quality: effectiveQuality(item.quality ?? question.quality),
    title: item.title,
    video: video?.path ?? null,
    frames: frames.length,
    failure: item.failure,
    task_id: item.taskId,
    created_at: item.createdAt,
    finish_at: item.finishAt,
    submitted_at: isoTime(item.submittedAt),
    seconds: secondsOf(item),
    attempts: attempts.filter(isCounted).length,
    seconds_video: inspection === null ? null : secondsOfVideo(inspection),
    suspect: inspection === null ? null : suspectText(inspection.findings, item.id),
    answer: question.answer === '' ? null : question.answer,
    reviewed_by: marks.length === 0 ? null : marks.map(({ reviewer }) => reviewer || someReviewer).join(';'),
    reused_from: reusedFrom(row.item),
  };
}

const dayMs = 86_400_000;
/** The last day that was written (its number since 1970), up to the `T`. */
let day = { number: Number.NaN, text: '' };

/** `toISOString`, which takes four times as long, for times of one day after the other. */
export function isoTime(at: number | null): string | null {
  if (at === null) return null;
  const number = Math.floor(at / dayMs);
  if (number !== day.number) day = { number, text: new Date(at).toISOString().slice(0, -13) };
  const ms = at - number * dayMs;
  const two = (of: number, per: number): string => String(100 + (Math.floor(ms / of) % per)).slice(1);
  return `${day.text}${two(3_600_000, 24)}:${two(60_000, 60)}:${two(1_000, 60)}.${String(1_000 + (ms % 1_000)).slice(1)}Z`;
}

/** An empty sum is 0 only where nothing can have been charged: an unknown price must not look free. */
function pointsOf(item: Item, attempts: readonly Attempt[]): number | null {
  const sum = roundPoints(attempts.reduce((points, attempt) => points + (attempt.points ?? 0), 0));
  if (sum !== 0) return sum;
  if (item.status === 'uncertain') return null;
  const isLost = attempts.some((attempt) => attempt.status === 'lost' && attempt.points === null);
  const isKnown = item.points !== null || hasMark(item.status, 'free');
  return isKnown && !isLost ? 0 : null;
}

/** From the service's own times where it gave both, else the time from submission to end as measured here. */
function secondsOf(item: Item): number | null {
  if (item.finishAt !== null && item.createdAt !== null) {
    const remoteMs = Date.parse(item.finishAt) - Date.parse(item.createdAt);
    if (remoteMs >= 0) return roundSeconds(remoteMs);
  }
  if (item.endedAt === null || item.submittedAt === null) return null;
  return roundSeconds(item.endedAt - item.submittedAt);
}

function roundSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
