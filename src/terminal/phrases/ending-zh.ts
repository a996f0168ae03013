/** What is said at the end of a run, in Chinese. */

import { reasonNames } from '../../messages/findings/finding-text-zh.ts';
import { renderNumber } from '../../messages/numbers.ts';
import type { english } from './ending.ts';
import { chinese as measures } from './measures-zh.ts';

const { rows, points, tasks } = measures;

export const chinese: typeof english = {
  totals: (count, counts) => (counts.length === 0 ? rows(count) : `共 ${rows(count)}：${counts.join('，')}`),
  heldRows: '等待其他行的视频',
  spent: (spent, isRehearsal, each) =>
    `已用 ${points(spent)}${isRehearsal ? '（演练：练习积分）' : ''}${each === null ? '' : `，平均每个视频 ${renderNumber(each)}`}`,
  reserved: (spent, reserved, holders) =>
    `${spent}；另有${reserved === null ? '未知数量的积分' : `约 ${points(reserved)}`}预留给${holders.join('和')}`,
  reserving: (counts) => counts.map(([count, status]) => `${status}的 ${rows(count)}`).join('、'),
  unpriced: (count) => `积分未知的 ${tasks(count)}`,
  earlier: (count) => `以前尝试的 ${tasks(count)}`,
  rest: (count, amount, basis, isRehearsal) =>
    `其余 ${rows(count)}：${amount}（${isRehearsal ? '练习积分；' : ''}${basis}）`,
  running: (holder, command) => `正在运行：${holder}在此文件夹中工作；\`${command}\` 结束它`,
  stopsWorkers: (command) => `\`${command}\` 结束它们`,
  paused: (until, command) =>
    `已暂停：不提交任何内容${until === null ? '' : `，至 ${until}`}；用 \`${command}\` 结束暂停`,
  held: (held, all, until) =>
    `待确认的行占着 ${renderNumber(all)} 个空位中的 ${renderNumber(held)} 个，至 ${until}；用 \`batch resolve\` 处理后即腾出空位`,
  collectedSome: (count) => `没有提交任何题目；已付费或可能已付费的 ${rows(count)}还没有视频`,
  because: (stopped, detail) => `${stopped}：${detail}`,
  reports: (html, csv, failed) =>
    `查看 ${html}；所有行：${csv}${failed === null ? '' : `；要改正的行：${failed}`}`,

  whyBadly: '没做成的原因：',
  whyWaiting: '等待其他行视频的行：',
  waiting: '等待',
  noReason: '未给出原因',
  stillInFile: (said, count) => `${said}（其中 ${renderNumber(count)} 行仍在文件中）`,
  noLongerInFile: '已不在文件中',
  moreKinds: (kinds, count, report) =>
    `另有${count === null ? '超过' : ''} ${renderNumber(kinds)} 种${count === null ? '' : `，${rows(count)}`}：见 ${report}`,

  seenVideos: (videos, looked, suspects) =>
    `共检查 ${renderNumber(videos)} 个视频，其中这次 ${renderNumber(looked)} 个；${renderNumber(suspects)} 个值得看一看${suspects === 0 ? '' : '：'}`,
  suspects: reasonNames,
  suspectsListed: 'report.html 把这些行排在最前；report.csv 的 suspect 列写有原因',
  notLookedFor: {
    mediabunny: '未检查：音视频轨、时长、截断、空缺和分辨率（没有安装 mediabunny 包）',
    ffmpeg: '未检查：黑屏和无声（PATH 中没有 ffmpeg）',
  },

  files: (files, flawed) =>
    `${renderNumber(files)} 个文件，${renderNumber(files - flawed)} 个完整，${renderNumber(flawed)} 个损坏或缺失`,
  filesAway: (missing, files) =>
    `警告：${renderNumber(files)} 个文件${missing === files ? '全部缺失' : `中缺失 ${renderNumber(missing)} 个`}：磁盘挂载了吗？`,
  fetched: (fetched, wanted) =>
    `${renderNumber(wanted)} 个损坏或缺失的文件，已重新下载 ${renderNumber(fetched)} 个`,
  fetchAgain: '免费重新下载',
  recognize: '免费，找回的文件重新记入',

  firstStep: '下一步：',
  furtherStep: '接下来：',
  rowsAre: (count, status, hint) => `${rows(count)}${status}：${hint}`,
  hints: {
    uncertain: 'T 是账号中该任务的编号；没有任务就用 --not-created；report.csv 列出了这些行',
    undelivered: '免费重新下载；`batch links` 给出可在浏览器中打开的链接',
    failed: '重新尝试',
    rejected: '重新尝试',
    lost: '免费再查询一次',
    forgotten: '重新付费',
    invalid: '先改正题目文件；failed.csv 说明了原因',
  },
  takesVideos: (count) => `${rows(count)}在等待其他行的视频：已有的就取用，没有人在制作的就提交`,
  look: '显示服务的答复（程序无法读取）；请先查看，再决定是否用 `batch retry --lost` 重新付费',
  settleAll: (command) => `在表中填好账号里的 task_id，没有任务的填 not-created，然后 \`${command}\``,
  moved: '运行已移到那里；这里是移动时的各行',
  moving: '运行正在移动：再输入同一行命令即可完成移动',
  watch: '再次显示进度',
  report: '等文件可以保存后写出报告',
  backInFile: (count) => `${rows(count)}未成功，且已不在文件中；读取含有这些行的文件即可找回`,
  view: '已全部完成；此命令在浏览器中显示视频',
  endsPause: '结束暂停；在此之前不提交任何内容',
  withNotes: (text, notes) => [text, ...notes].join('：'),
  underWay: (count, notes) => [`${rows(count)}进行中`, '免费取回已付费的内容', ...notes].join('：'),
  unsent: (count, amount) => `重做还剩 ${rows(count)}${amount}`,
  forPoints: (offer) =>
    [
      offer?.points == null ? '' : `，约 ${points(offer.points)}`,
      offer?.within == null ? '' : `，以 ${points(offer.within)}的上限为止`,
      offer == null || offer.before === 0 ? '' : `，其中 ${rows(offer.before)}由上面的命令处理`,
    ].join(''),
  after: (time) => `，按服务的要求在 ${time} 之后`,
  left: (count, notes) => [`还剩 ${rows(count)}`, ...notes].join('：'),
  sampleAlone: '这样只继续做样本',
  beforeResuming: {
    'key-refused': '先在 BATCH_API_KEY 中设置有效的密钥',
    'no-points': '先给账号充值积分',
    'key-forbidden': '先在账号中给密钥这项权限，或在 BATCH_API_KEY 中换一个密钥',
    'points-cap': '用更高的上限',
    unpriced: '不设上限，或等服务能给出任务的价格',
    halt: '先看 failed.csv',
    'uncertain-breaker': '先处理待确认的行',
    'refusal-breaker': '先检查账号和失败原因',
    'lost-breaker': '先改正 --base-url，或向服务询问这些任务的下落',
    'delivery-breaker':
      '会再次尝试这些视频，然后只为一行付费，取到视频后才为其余各行付费；`batch links` 给出可在浏览器中打开的链接',
    'foreign-answer': '先改正 --base-url',
    'wrong-service': '先改正 --base-url',
    busy: '等服务重新接受提交',
    unreachable: '等服务可以连接',
    misconfigured: '先改正 --base-url',
    disk: '等文件可以保存',
  },
};
