/** `report.jsonl`: the exact values of a row, its other input columns, every attempt, and its key. */

import { isUnknownVideo } from '../files/file-kind.ts';
import { type AttemptVideo, attemptVideos } from '../money/artifacts.ts';
import { readSent, type SentQuestion } from '../money/sent-question.ts';
import { asStanding, isCounted } from '../money/standing-attempt.ts';
import { effectiveQuality } from '../money/summary.ts';
import type { Decision } from '../stores/port/decisions.ts';
import type { Attempt, ReportRow } from '../stores/port/reading.ts';
import { keyName, renderRowKey } from '../text/ids/row-key.ts';
import { isoTime, type ReportLine, reportLine } from './columns.ts';
import { unknownMark } from './task-file.ts';

/** Rows as lines, the exact values first. `lines` are the `reportLine`s of the same rows, `run` is the id of the run. */
export function renderJsonLines(
  rows: readonly ReportRow[],
  lines: readonly ReportLine[],
  run: string,
): string {
  let text = '';
  for (const [at, row] of rows.entries()) text += entryOf(row, lines[at] ?? reportLine(row), run);
  return text;
}

/** Two objects written as one: a copy with the keys of both would take as long as writing it. */
function entryOf(row: ReportRow, line: ReportLine, run: string): string {
  const start = JSON.stringify(line).slice(0, -1);
  return `${start},${row.gone ? '"gone":true,' : ''}${JSON.stringify(restOf(row, line, run)).slice(1)}\n`;
}

/** What follows the values of the line. */
function restOf(row: ReportRow, line: ReportLine, run: string) {
  const mark = isUnknownVideo(line.video ?? '') ? unknownMark : {};
  const videos = attemptVideos(row.item);
  const corrected = correctedTexts(row);
  const { inspection } = row;
  return {
    ...mark,
    ...(inspection === null ? {} : { findings: inspection.findings }),
    ...(row.preferred === null ? {} : { preferred: row.preferred }),
    ...(corrected === null ? {} : { corrected }),
    ...(row.decisions.length === 0 ? {} : { decisions: row.decisions.map(decisionEntry) }),
    input: otherColumns(row),
    history: row.attempts.map((attempt) => historyEntry(attempt, videos)),
    [keyName]: renderRowKey(run, row.item, line.question),
  };
}

function correctedTexts(row: ReportRow): SentQuestion['corrected'] {
  if (row.correction === null && row.earlierCorrections.length === 0) return null;
  const standing = asStanding(row);
  return standing.correction === null ? null : readSent(standing).corrected;
}

/** The row's columns that are not fields of the service. */
function otherColumns({ input, source }: ReportRow): Record<string, unknown> {
  const mapped = Object.values(source.fields);
  return Object.fromEntries(Object.entries(input).filter(([column]) => !mapped.includes(column)));
}

function historyEntry(attempt: Attempt, videos: readonly AttemptVideo[]) {
  return {
    attempt: attempt.attempt,
    quality: effectiveQuality(attempt.quality),
    submitted_at: isoTime(attempt.submittedAt),
    ended_at: isoTime(attempt.endedAt),
    status: attempt.status,
    task_id: attempt.taskId,
    points: attempt.points,
    failure: attempt.failure,
    ...(isCounted(attempt) ? {} : { sent_again: true }),
    video: videos.find((video) => video.attempt === attempt.attempt)?.file.path ?? null,
  };
}

/** A decision about money for programs: who, when, by which command, and what. */
export function decisionEntry({ at, userName, machine, command, kind, detail }: Decision) {
  return { at: isoTime(at), user: userName, machine, command, kind, detail: detailIn(detail) };
}

/** A report without what was decided is better than no report. */
function detailIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
