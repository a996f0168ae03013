/** What people decided about money, a line each. */

import { both, counted, type Words } from './both.ts';
import { renderNumber, renderPoints, renderRows } from './numbers.ts';

interface OfRows {
  /** Ids, as `renderNames` lists them. */
  readonly named: Words;
}

interface Priced {
  readonly count: number;
  readonly price: string;
}

export const decisionMessages = {
  'decision.none': both(
    () => 'nobody decided anything about money since this is kept',
    () => '自有此记录以来，没有人对花费做过决定',
  ),
  'decision.adopted': both(
    ({ named }: OfRows) => `the tasks were found: ${named.en}`,
    ({ named }) => `已找到任务：${named.zh}`,
  ),
  'decision.not-created': both(
    ({ named }: OfRows) => `no task was made: ${named.en}`,
    ({ named }) => `没有生成任务：${named.zh}`,
  ),
  'decision.retry': both(
    ({ count, named, price }: Priced & OfRows) => `${renderRows(count)} once more, ${price}: ${named.en}`,
    ({ count, named, price }) => `再次提交 ${renderNumber(count)} 行，${price}：${named.zh}`,
  ),
  'decision.goes-on': both(
    ({ count, round }: { readonly count: number; readonly round: number }) =>
      `${counted(count, 'row')} that the retry of round ${round} left`,
    ({ count, round }) => `第 ${round} 轮重试剩下的 ${renderNumber(count)} 行`,
  ),
  'decision.correction': both(
    ({ named }: OfRows) => `corrected texts: ${named.en}`,
    ({ named }) => `改正文字：${named.zh}`,
  ),
  'decision.changed': both(
    ({ changes }: { readonly changes: Words }) => changes.en,
    ({ changes }) => changes.zh,
  ),
  'decision.odd': both(
    ({ count }: { readonly count: number | null }) =>
      count === null ? 'rows that look odd are sent' : `rows that look odd are sent: ${renderNumber(count)}`,
    ({ count }) => (count === null ? '发送看起来不对的行' : `发送看起来不对的行：${renderNumber(count)} 行`),
  ),
  'decision.key': both(
    () => 'another API key of the same account',
    () => '改用同一账号的另一个 API 密钥',
  ),
  'decision.rerun': both(
    ({ count }: { readonly count: number }) => `${renderRows(count)} with another text paid for again`,
    ({ count }) => `内容改动的 ${renderNumber(count)} 行重新付费`,
  ),
  'decision.yes': both(
    ({ count, price }: Priced) => `${renderRows(count)}, ${price}; nobody was asked (--yes)`,
    ({ count, price }) => `${renderNumber(count)} 行，${price}；没有询问（--yes）`,
  ),
  'decision.agreed': both(
    ({ count, price }: Priced) => `${renderRows(count)}, ${price}; agreed to at the terminal`,
    ({ count, price }) => `${renderNumber(count)} 行，${price}；已在终端同意`,
  ),
  'decision.unasked': both(
    ({ count, price }: Priced) => `${renderRows(count)}, ${price}; sent without a question`,
    ({ count, price }) => `${renderNumber(count)} 行，${price}；未经询问即提交`,
  ),
  'decision.points': both(
    ({ points }: { readonly points: number }) => `about ${renderPoints(points)}`,
    ({ points }) => `约 ${renderNumber(points)} 积分`,
  ),
  'decision.no-price': both(
    () => 'price unknown',
    () => '价格未知',
  ),
};
