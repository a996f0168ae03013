/** What a sample says, in words. */

import { type SampleStanding, shareAtMost, wantedShare } from '../../money/review/watch-sample.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from '../words.ts';

/** How many were watched, and how many of the others can be bad. */
export function sampleSentence(standing: SampleStanding): string {
  const { population, size, watched, bad, confidence, others, mostBad } = standing;
  const w = words().sample;
  const of = { population: formatNumber(population), confidence: percent(confidence) };
  if (mostBad === null) return w.none({ ...of, size: formatNumber(size), share: percent(wantedShare) });
  return w.said({
    ...of,
    watched: formatNumber(watched),
    bad: formatNumber(bad),
    others: formatNumber(others),
    mostBad: formatNumber(mostBad),
    share: percent(shareAtMost(standing) ?? 0),
  });
}

/** How far it is to the share that the sample was drawn for; '' before the first was watched. */
export function wayToGo({ population, mostBad, left }: SampleStanding): string {
  const w = words().sample;
  const share = percent(wantedShare);
  if (mostBad === null) return '';
  if (left > 0) return w.more({ left: formatNumber(left), share });
  return mostBad <= population * wantedShare ? w.enough({ share }) : '';
}

/** Rows to draw besides those that are drawn, to get there. */
export function rowsToDraw({ size, watched, toWatchAgain, left }: SampleStanding): number {
  return Math.max(0, watched + toWatchAgain + left - size);
}

function percent(share: number): string {
  return formatNumber(share * 100);
}
