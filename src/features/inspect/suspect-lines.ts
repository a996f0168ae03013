/** What was seen in the videos of a run, for the terminal. */

import { renderNumber } from '../../messages/numbers.ts';
import { type FindingCode, findingCodes } from '../../money/inspection/inspection.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';

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

export function suspectLines(seen: SeenVideos, { ending: say }: Phrases): readonly string[] {
  const { videos, suspects, looked, reasons, lacking } = seen;
  const sorted = reasons.toSorted(
    (a, b) => b.count - a.count || findingCodes.indexOf(a.code) - findingCodes.indexOf(b.code),
  );
  const width = Math.max(0, ...sorted.map(({ count }) => renderNumber(count).length));
  return [
    say.seenVideos(videos, looked, suspects),
    ...sorted.map(({ code, count, ids }) => {
      const more = count > ids.length ? ', …' : '';
      const named = toTerminalText(ids.join(', '));
      return `  ${renderNumber(count).padStart(width)}  ${say.because(say.suspects[code], named)}${more}`;
    }),
    ...(suspects === 0 ? [] : [say.suspectsListed]),
    ...lacking.flatMap((name) => say.notLookedFor[name] ?? []),
  ];
}
