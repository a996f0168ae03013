/** What was seen in the videos of a run, for the terminal. */

import { type FindingCode, findingCodes } from '../core/inspection.ts';
import { reasonNames } from '../core/text/finding-text.ts';
import { renderNumber } from './numbers.ts';
import { toTerminalText } from './terminal-text.ts';

/** What the lines are about. */
export interface SeenVideos {
  readonly videos: number;
  readonly suspects: number;
  /** Looked into now. */
  readonly looked: number;
  readonly reasons: readonly {
    readonly code: FindingCode;
    readonly count: number;
    readonly ids: readonly string[];
  }[];
  readonly lacking: readonly string[];
}

const lackingLines: Readonly<Record<string, string>> = {
  mediabunny:
    'not looked for: tracks, durations, cuts, gaps and resolutions (the package mediabunny is not installed)',
  ffmpeg: 'not looked for: black pictures and silence (ffmpeg is not on the PATH)',
};

export function suspectLines(seen: SeenVideos): readonly string[] {
  const { videos, suspects, looked, reasons, lacking } = seen;
  const sorted = reasons.toSorted(
    (a, b) => b.count - a.count || findingCodes.indexOf(a.code) - findingCodes.indexOf(b.code),
  );
  const width = Math.max(0, ...sorted.map(({ count }) => renderNumber(count).length));
  return [
    `${renderNumber(videos)} videos seen, ${renderNumber(looked)} of them now; ${renderNumber(suspects)} worth a look${suspects === 0 ? '' : ':'}`,
    ...sorted.map(({ code, count, ids }) => {
      const more = count > ids.length ? ', …' : '';
      const named = toTerminalText(ids.join(', '));
      return `  ${renderNumber(count).padStart(width)}  ${reasonNames[code]}: ${named}${more}`;
    }),
    ...(suspects === 0
      ? []
      : ['report.html lists these rows first; report.csv has the reasons in the column suspect']),
    ...lacking.flatMap((name) => lackingLines[name] ?? []),
  ];
}
