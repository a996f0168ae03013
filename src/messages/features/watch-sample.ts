/** What a sample of watched rows says of the others. The page says the same in its own words. */

import { both } from '../both.ts';
import { renderNumber } from '../numbers.ts';

interface Drawn {
  readonly population: number;
}

interface Watched extends Drawn {
  readonly watched: number;
  /** Of these. */
  readonly bad: number;
  /** 0..1. */
  readonly confidence: number;
  /** Rows that it speaks for. */
  readonly rest: number;
  /** Of these. */
  readonly mostBad: number;
  /** `mostBad` as a share of all, 0..1. */
  readonly share: number;
}

const percent = (share: number): string => renderNumber(share * 100);

export const watchSampleMessages = {
  'watched.said': both(
    ({ watched, population, bad, confidence, rest, mostBad, share }: Watched) =>
      `${renderNumber(watched)} of ${renderNumber(population)} watched, drawn at random: ${renderNumber(bad)} bad; with ${percent(confidence)} % confidence at most ${renderNumber(mostBad)} of the other ${renderNumber(rest)} are (${percent(share)} % of all)`,
    ({ watched, population, bad, confidence, rest, mostBad, share }) =>
      `从 ${renderNumber(population)} 个中随机抽看了 ${renderNumber(watched)} 个：${renderNumber(bad)} 个差；有 ${percent(confidence)}% 的把握，其余 ${renderNumber(rest)} 个中最多还有 ${renderNumber(mostBad)} 个差（占全部的 ${percent(share)}%）`,
  ),
  'watched.none': both(
    ({ drawn, population }: Drawn & { readonly drawn: number }) =>
      `${renderNumber(drawn)} of ${renderNumber(population)} are drawn at random to be watched, and count in the order drawn; none does yet`,
    ({ drawn, population }) =>
      `从 ${renderNumber(population)} 个中随机抽出 ${renderNumber(drawn)} 个待看，按抽出的顺序计算；目前还没有一个算在内`,
  ),
  'watched.more': both(
    ({ left, share }: { readonly left: number; readonly share: number }) =>
      `watch ${renderNumber(left)} more, all of them good, to be as sure that at most ${percent(share)} % of all are`,
    ({ left, share }) =>
      `再看 ${renderNumber(left)} 个，如果都好，就有同样的把握说：差的最多占全部的 ${percent(share)}%`,
  ),
  'watched.made-again': both(
    ({ count, again }: { readonly count: number; readonly again: number }) =>
      `${renderNumber(count)} of them ${count === 1 ? 'was' : 'were'} made again since: what was said before still speaks for the others${again > 0 ? `; watch ${renderNumber(again)} again` : ''}`,
    ({ count, again }) =>
      `其中 ${renderNumber(count)} 个在抽出之后重做过：以前的评价对其余视频仍然有效${again > 0 ? `；请把重做的 ${renderNumber(again)} 个再看一遍` : ''}`,
  ),
  'watched.others-again': both(
    ({ count }: { readonly count: number }) =>
      `nothing is said of ${renderNumber(count)} that ${count === 1 ? 'was' : 'were'} not drawn and ${count === 1 ? 'was' : 'were'} made again since`,
    ({ count }) => `另有 ${renderNumber(count)} 个未被抽中、之后重做过：这里的结论不包括它们`,
  ),
  'watched.caveat': both(
    () => 'it speaks of what reviewers see and call bad, not of what nobody noticed',
    () => '这里只说明审阅者看出来并标为“差”的；没人看出来的问题不在内',
  ),
};
