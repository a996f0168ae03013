/** What is said while a run goes, in Chinese. */

import { renderNumber } from '../../messages/numbers.ts';
import { chinese as measures } from './measures-zh.ts';
import type { english } from './progress.ts';

const { span, rough, moment, tasks } = measures;

const stops = { 'points-cap': '到达上限', limit: '达到 --limit', halt: '达到 --halt' } as const;

export const chinese: typeof english = {
  done: (completed, rows) => `已完成 ${renderNumber(completed)} / ${renderNumber(rows)}`,
  doneShort: (completed, rows) => `完成 ${renderNumber(completed)}/${renderNumber(rows)}`,
  soFar: (count) => `目前 ${renderNumber(count)}`,
  later: (rows) => `另有 ${renderNumber(rows)} 行以后再做`,
  open: (open, cap) => `生成中 ${renderNumber(open)}/${renderNumber(cap)}`,

  left: (ms) => `约剩 ${rough(ms)}`,
  doneAt: (at, now) => `${moment(at, now)} 完成`,
  stopAt: (why, at, now, rows) => `约 ${moment(at, now)} ${stops[why]}，届时约剩 ${renderNumber(rows)} 行`,
  leftUntil: (ms, until) => `约剩 ${rough(ms)}（${until}）`,
  lastFiles: '正在下载最后的文件',
  lastAreSlow: '最后几个任务是目前最慢的',
  leftLater: '剩余时间：有任务结束后可知',
  leftUnknown: '剩余时间未知：任务来自以前的运行',
  pace: (ms) => `每个任务 ${span(ms)}`,
  running: (ms) => `已运行 ${span(ms)}`,

  spent: (points) => `已用 ${points}`,
  reserved: (points) => (points === null ? '预留未知' : `预留 ${renderNumber(points)}`),
  inAll: (points) => (points === null ? '合计未知' : `合计约 ${renderNumber(points)}`),
  spentOf: (spent, total) => (total === null ? spent : `${spent}，合计约 ${renderNumber(total)}`),
  unpriced: (count) => `${tasks(count)}价格未知`,
  cap: (points) => `上限 ${renderNumber(points)}`,

  latest: '最近',
  slowest: '最慢',
  ended: (id, status, failure) => `${id} ${status}：${failure ?? '未给出原因'}`,
  frames: (count) => `${renderNumber(count)} 幅画面`,
  warning: '警告：',

  pauses: (ms, failure) => `暂停提交 ${rough(ms)}${failure === null ? '' : `：${failure}`}`,
  probe: '正在检查能否连接服务',
  service: (open) => `服务回答繁忙；在它接受更多之前，最多同时进行 ${tasks(open)}`,
  uncertain: (held, all, until, found, none) => [
    `待确认的行占着 ${renderNumber(all)} 个空位中的 ${renderNumber(held)} 个，至 ${until}；腾出一个：`,
    `\`${found}\` 或`,
    `\`${none}\``,
  ],
  pollPause: (ms) => `服务要求暂停 ${rough(ms)}`,
  callbacks: (until) => `等待待确认各行的回调，至 ${until}；按 Ctrl-C 结束等待`,
  videos: (count, until) => `${tasks(count)}已完成但没有视频；会再次询问，至 ${until}`,
  budget: '等待进行中任务的价格，然后再提交（--max-points）',
  downloads: '等待下载，然后再提交',
  silence: (ms) => `服务已 ${span(ms)}没有答复；继续查询`,
  idle: '暂时无事可做：本进程等待，有新任务即继续',

  stoppingNow: '正在停止：不再提交，等待已发出的请求。再次按下立即退出。',
  leftAtOnce: '已立即退出；做完的都已保存，没有得到答复的提交记为待确认',

  noWorkers: '工作进程：无',
  workers: (count, silent) =>
    `工作进程：${renderNumber(count)} 个${silent === 0 ? '' : `，其中 ${renderNumber(silent)} 个没有消息`}`,
  silentWorker: (ms) => `已 ${span(ms)}没有消息：它的行已由其他进程接手`,
  worker: (sliceCount, rows, ms) =>
    `${[`${renderNumber(sliceCount)} 片`, ...rows].join('，')}；${span(ms)}前有消息`,
  storeAway: (ms) => `数据库已 ${span(ms)}没有答复`,
  crew: (workers, own, all) =>
    `${renderNumber(workers)} 个工作进程，本进程负责 ${renderNumber(all)} 片中的 ${renderNumber(own)} 片`,
};
