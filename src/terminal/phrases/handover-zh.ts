/** What is said of exported videos, in Chinese. */

import { renderNumber } from '../../messages/numbers.ts';
import type { english } from './handover.ts';

export const chinese: typeof english = {
  unknown: (what) => `${what}：没有这个编号的行`,
  withoutVideo: (what) => `${what}：还没有视频`,
  otherAttempt: (what) => `${what}：现在的视频不是标记过的那个；请看过后重新标记`,
  contested: (what) => `${what}：一位审阅者标记为“好”，另一位标记为“差”；请商定后再导出`,
  flawed: (what) => `${what}：视频缺失或损坏；用 \`batch verify --fix\` 重新下载`,
  picture: (what) => `${what}：题目的一张图片缺失或无法读取，网页只显示其余部分`,
  inTheWay: (what) => `${what}：这里有别的文件，或它已被改动；请移走后再导出`,
  changed: (what) => `${what}：导出后有改动，因此保留`,
  lastCopy: (what) => `${what}：运行文件夹里已没有这个视频，因此保留；用 \`batch verify --fix\` 尝试重新下载`,
  videos: (count, folder) => `${folder} 中有 ${renderNumber(count)} 个视频`,
  withCaptions: (text, count) => `${text}，${renderNumber(count)} 个带字幕`,
  detailed: (text, details) => `${text}（${details.join('；')}）`,
  added: (count) => `新增 ${renderNumber(count)} 个`,
  replaced: (count) => `替换 ${renderNumber(count)} 个`,
  unchanged: (count) => `未变 ${renderNumber(count)} 个`,
  removed: (count) => `删除 ${renderNumber(count)} 个`,
  linked: (count) => `硬链接 ${renderNumber(count)} 个`,
  copied: (count) => `复制 ${renderNumber(count)} 个`,
  page: (path) => `${path} 是给学生看的网页`,
  pageLeft: 'index.html 来自以前的导出，没有更新；加上 --page 即可更新',
  manifest: 'manifest.csv、manifest.jsonl 和 SHA256SUMS 说明每个文件是什么',
  problems: (count) => `${renderNumber(count)} 个问题，见上`,
  left: (count, isBlocked) =>
    `以前导出的 ${renderNumber(count)} 个文件还在；${isBlocked ? '问题解决后，' : ''}用 --delete 删除`,
};
