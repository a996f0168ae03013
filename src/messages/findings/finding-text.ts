/** Pure. A reason to look at a video, in words. */

import type { Finding, FindingCode } from '../../money/inspection/inspection.ts';
import { clockTime } from '../../text/clock-time.ts';

/** One reason to look at the row with this id, as a phrase. */
export function findingText(finding: Finding, id: string): string {
  switch (finding.code) {
    case 'same-file':
      return `the same file as ${otherRow(finding.rows, id)}`;
    case 'same-title':
      return `the same title as ${otherRow(finding.rows, id)}`;
    case 'size':
      return `${finding.times} times the usual size`;
    case 'duration':
      return `${finding.times} times the usual duration`;
    case 'frames-missing':
      return finding.count === 1 ? '1 frame missing' : `${finding.count} frames missing`;
    case 'gap':
      return `nothing for ${finding.seconds} s at ${clockTime(finding.at)}`;
    case 'resolution':
      return `${finding.is} instead of the usual ${finding.usual}`;
    case 'black-start':
      return `black for the first ${finding.seconds} s`;
    default:
      return reasonNames[finding.code];
  }
}

/** All reasons to look at this row; null for none. */
export function suspectText(findings: readonly Finding[], id: string): string | null {
  return findings.length === 0 ? null : findings.map((finding) => findingText(finding, id)).join('; ');
}

/** Each reason as the name of its kind. */
export const reasonNames: Readonly<Record<FindingCode, string>> = {
  unreadable: 'cannot be read as a video',
  'cut-off': 'the file is cut off',
  'no-picture': 'no picture track',
  black: 'black throughout',
  'no-sound': 'no sound track',
  silent: 'silent throughout',
  'same-file': 'the same file as another question',
  gap: 'a gap',
  duration: 'an unusual duration',
  size: 'an unusual size',
  resolution: 'an unusual resolution',
  'black-start': 'a black start',
  'frames-missing': 'frames missing',
  'same-title': 'the same title as another question',
};

/** Of two rows, the other one; a third row names the first. */
export function otherRow(rows: readonly string[], id: string): string {
  return rows.find((row) => row !== id) ?? id;
}
