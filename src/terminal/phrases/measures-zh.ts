/** Counts, lists, statuses, times, and what `batch` alone says, in Chinese. */

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
  overview: {
    sentence: '把一份题目文件变成一文件夹的讲解视频。任何题目都不会付两次钱。',
    common: '常用命令：',
    check: '列出每个问题和所在的行，显示计划；不联网',
    run: '在预算内制作视频；再输入同一行命令即可继续',
    rehearse: '演练：不用账号，不花积分',
    more: '`batch --help` 列出所有命令，`batch COMMAND --help` 列出它们的选项（英文）。',
  },
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
