/** The rows of the reports, as both stores make them of what they read. */

import { shownFiles } from '../money/artifacts.ts';
import type { InspectedVideo } from '../money/inspection/inspection.ts';
import type { Source } from '../money/question.ts';
import { filesByItem, type RowsOfItems } from './item-rows.ts';
import type { ReportRow } from './port/reading.ts';
import { correctionsOf, finalsOf, standingOf } from './reviews.ts';
import { groupByItem, type ItemRow, itemColumns } from './tables.ts';

/** An item with the further columns of a report. */
export type ReportItemRow = ItemRow & {
  readonly gone: number;
  readonly input: string;
  readonly source: number;
};

/** Before its conditions. */
export const selectReportRows = `
  SELECT ${itemColumns}, gone, input, source FROM items JOIN questions ON questions.item = items.key`;

/** Keys of the sources of rows, and of their edits. */
export const usedSources = `
  SELECT key FROM sources WHERE EXISTS (SELECT 1 FROM items WHERE source = sources.key)
    OR EXISTS (SELECT 1 FROM edits WHERE source = sources.key) ORDER BY key`;

/** Completes the rows in place: five copies of each row would take a tenth of the report's time. */
export function completeRows(
  found: readonly ReportItemRow[],
  of: RowsOfItems,
  sourceOf: (key: number) => Source,
): ReportRow[] {
  const artifacts = filesByItem(of.artifacts);
  const attempts = groupByItem(of.attempts);
  const edits = new Map(of.edits.map((edit) => [edit.item, readSaved(edit)]));
  const inputs = groupByItem(of.earlierInputs);
  const earlierCorrections = groupByItem(of.earlierCorrections);
  const marks = groupByItem(of.marks);
  const decisions = groupByItem(of.decisions);
  const standing = standingOf(of);
  const finals = finalsOf(of.finals);
  const corrections = correctionsOf(of.corrections);
  function readSaved(saved: Pick<ReportItemRow, 'input' | 'source'>): Pick<ReportRow, 'input' | 'source'> {
    return { input: inputOrNothing(saved.input), source: sourceOf(saved.source) };
  }
  return found.map((row) => ({
    ...readSaved(row),
    // Drops the text once it is parsed: pictures can make it megabytes long.
    item: Object.assign(row, { input: '', artifacts: artifacts.get(row.key) ?? [] }),
    gone: row.gone === 1,
    edit: edits.get(row.key) ?? null,
    attempts: attempts.get(row.key) ?? [],
    earlierInputs: (inputs.get(row.key) ?? []).map((sent) => ({ attempt: sent.attempt, ...readSaved(sent) })),
    earlierCorrections: earlierCorrections.get(row.key) ?? [],
    preferred: standing.get(row.key) ?? null,
    final: finals.get(row.key) ?? null,
    correction: corrections.get(row.key) ?? null,
    marks: marks.get(row.key) ?? [],
    decisions: decisions.get(row.key) ?? [],
    inspection: null,
  }));
}

/** A report without the input of one row is better than no report, which must show what was paid. */
function inputOrNothing(text: string): ReportRow['input'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The digest of the video that each row shows; '' for none. */
export function shownVideos(rows: readonly ReportRow[]): readonly string[] {
  return rows.map(({ item, preferred }) => shownFiles(item, preferred).video?.sha256 ?? '');
}

/** With what was seen of the videos that they show. */
export function withInspections(
  rows: readonly ReportRow[],
  videos: readonly string[],
  seen: ReadonlyMap<string, InspectedVideo>,
): ReportRow[] {
  return rows.map((row, at) => ({ ...row, inspection: seen.get(videos[at] ?? '') ?? null }));
}
