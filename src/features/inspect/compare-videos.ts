/** Compares the videos of a run with each other, and saves which of them are worth a look. */

import { shownFiles } from '../../money/artifacts.ts';
import { type Finding, type FindingCode, findingCodes } from '../../money/inspection/inspection.ts';
import type { Artifact } from '../../money/item.ts';
import { readSentTexts } from '../../money/sent-question.ts';
import { asStanding } from '../../money/standing-attempt.ts';
import { effectiveQuality } from '../../money/summary.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import type { Inspections } from '../../stores/port/reviews.ts';
import { Comparison, type InspectedRow } from './suspects.ts';

/** Videos whose findings are saved together. */
const savedTogether = 500;

/** Ids named for each reason. */
const mostNamed = 3;

/** How many videos have a reason, and the first of them. */
interface ReasonCount {
  readonly code: FindingCode;
  readonly count: number;
  readonly ids: readonly string[];
}

export interface Suspects {
  /** Rows whose video somebody has looked into. */
  readonly videos: number;
  /** Of these, rows with a reason to look. */
  readonly suspects: number;
  /** Those that occur, the worst first. */
  readonly reasons: readonly ReasonCount[];
}

/** Reads all rows twice: what is usual, then what is not. */
export async function compareVideos(
  checkpoint: Pick<Checkpoint, 'reportRows' | 'itemWithKey'>,
  inspections: Inspections,
): Promise<Suspects> {
  const comparison = new Comparison();
  for await (const report of checkpoint.reportRows()) {
    const row = inspectedRow(report);
    if (row !== null) comparison.add(row);
  }
  const norms = comparison.norms();
  const names = new Map<number, string>();
  for (const key of norms.named) names.set(key, (await checkpoint.itemWithKey(key))?.id ?? '?');
  const nameOf = (key: number): string => names.get(key) ?? '?';

  const counts = new Map<FindingCode, { count: number; ids: string[] }>();
  const sums = { videos: 0, suspects: 0 };
  const waiting = new Map<string, readonly Finding[]>();
  const flush = async (): Promise<void> => {
    await inspections.saveFindings([...waiting].map(([sha256, findings]) => ({ sha256, findings })));
    waiting.clear();
  };
  for await (const report of checkpoint.reportRows()) {
    const row = inspectedRow(report);
    if (row === null) continue;
    const findings = norms.findingsOf(row, nameOf);
    sums.videos += 1;
    if (findings.length > 0) sums.suspects += 1;
    for (const { code } of findings) {
      const counted = counts.get(code) ?? { count: 0, ids: [] };
      counts.set(code, counted);
      counted.count += 1;
      if (counted.ids.length < mostNamed) counted.ids.push(report.item.id);
    }
    waiting.set(row.sha256, findings);
    if (waiting.size >= savedTogether) await flush();
  }
  if (waiting.size > 0) await flush();
  const reasons = findingCodes.flatMap((code) => {
    const counted = counts.get(code);
    return counted === undefined ? [] : [{ code, ...counted }];
  });
  return { ...sums, reasons };
}

/** Null where nobody has looked into the video of the row. */
function inspectedRow(row: ReportRow): InspectedRow | null {
  const { inspection, preferred } = row;
  const { video } = shownFiles(row.item, preferred);
  if (inspection === null || video === null || video.sha256 === null) return null;
  const standing = asStanding(row);
  const { item } = standing;
  const question = readSentTexts(standing);
  return {
    key: item.key,
    quality: effectiveQuality(item.quality ?? question.quality),
    question: question.question,
    title: item.title,
    sha256: video.sha256,
    sizeBytes: video.sizeBytes ?? 0,
    framesMissing: item.artifacts.filter(isGivenUp).length,
    container: inspection.container,
    playback: inspection.playback,
  };
}

function isGivenUp({ kind, state }: Artifact): boolean {
  return kind === 'frame' && state === 'missing';
}
