/** Counts, lists, statuses and times, in Chinese. */

import { renderNamesInChinese, renderNumber } from '../../messages/numbers.ts';
import { roughMs } from '../../text/rough-time.ts';
import { statusNames } from '../../text/status-names.ts';
import { renderMoment, renderSpan } from '../times.ts';
import type { english } from './measures.ts';

const units = { d: '天', h: '小时', min: '分', s: '秒' } as const;

/** `甲、乙和丙`. */
export function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join('、'), ...words.slice(-1)].filter((word) => word !== '').join('和');
}

export const chinese: typeof english = {
  status: statusNames.zh,
  rows: (count) => `${renderNumber(count)} 行`,
  points: (points) => `${renderNumber(points)} 积分`,
  tasks: (count) => `${renderNumber(count)} 个任务`,
  names: renderNamesInChinese,
  countOf: (count, word) => `${word} ${renderNumber(count)}`,
  quoted: (text) => `“${text}”`,
  comma: '，',
  between: '，',
  semicolon: '；',
  span: (ms) => renderSpan(ms, units),
  rough: (ms) => renderSpan(roughMs(ms), units),
  moment: (at, now) => renderMoment(at, now, 'zh-CN'),
};
