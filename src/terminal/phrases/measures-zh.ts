/** Counts, lists, statuses and times in Chinese. */

import { renderNumber, shownNames } from '../numbers.ts';
import { renderMoment, renderSpan, roughMs } from '../times.ts';
import type { english } from './measures.ts';

const units = { d: '天', h: '小时', min: '分', s: '秒' } as const;

/** `甲、乙和丙`. */
export function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join('、'), ...words.slice(-1)].filter((word) => word !== '').join('和');
}

export const chinese: typeof english = {
  status: {
    pending: '待提交',
    submitting: '提交中',
    open: '生成中',
    downloading: '下载中',
    completed: '已完成',
    failed: '失败',
    rejected: '被拒绝',
    uncertain: '待确认',
    undelivered: '未取回',
    lost: '已丢失',
    invalid: '无效',
  },
  rows: (count) => `${renderNumber(count)} 行`,
  points: (points) => `${renderNumber(points)} 积分`,
  tasks: (count) => `${renderNumber(count)} 个任务`,
  names: (names) => {
    const rest = names.length - shownNames;
    const shown = names.slice(0, shownNames).join('、');
    return rest > 0 ? `${shown}，另有 ${renderNumber(rest)} 个` : shown;
  },
  countOf: (count, word) => `${word} ${renderNumber(count)}`,
  quoted: (text) => `“${text}”`,
  comma: '，',
  between: '，',
  span: (ms) => renderSpan(ms, units),
  rough: (ms) => renderSpan(roughMs(ms), units),
  moment: (at, now) => renderMoment(at, now, 'zh-CN'),
};
