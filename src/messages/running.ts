/** What is said while a run goes: why nothing is submitted, that it goes on, and what happened to single rows. */

import type { Status } from '../money/item.ts';
import type { EndingReason } from '../money/summary.ts';
import { nameRow } from '../text/row-name.ts';
import { statusNames } from '../text/status-names.ts';
import { both, counted, type Words } from './both.ts';
import { reasons } from './endings.ts';
import { renderNumber, renderRows } from './numbers.ts';

interface Failed {
  readonly failure: string;
}

interface Counted {
  readonly count: number;
}

interface OfTask {
  /** Of the row. */
  readonly id: string;
  readonly taskId: string;
}

/** What ended a stop. */
const healings = {
  'lost-breaker': { en: 'the service knows its tasks again', zh: '服务又认识自己的任务了' },
  'refusal-breaker': { en: 'the service accepts creations again', zh: '服务重新接受提交' },
  unreachable: { en: 'the service answers again', zh: '服务恢复答复' },
} as const;

/** How a task is judged whose state is not documented. */
const verdicts = {
  'task-progressed': { en: 'it counts as open', zh: '按进行中处理' },
  'task-completed': {
    en: 'a video came with it, so it counts as COMPLETED',
    zh: '附有视频，按 COMPLETED 处理',
  },
  'task-failed': {
    en: 'only a text came with it, for 0 points, so it counts as FAILED',
    zh: '只附文字且为 0 积分，按 FAILED 处理',
  },
} as const;

interface NearCap {
  readonly percent: number;
  readonly points: number;
  readonly cap: number;
}

interface Stopped {
  readonly why: EndingReason;
}

export const runningMessages = {
  'submitting.stopped': both(
    ({ why, failure }: Stopped & Failed) => `${reasons[why].en}; nothing more is submitted: ${failure}`,
    ({ why, failure }) => `${reasons[why].zh}；不再提交：${failure}`,
  ),
  'submitting.healed': both(
    ({ healed }: { readonly healed: keyof typeof healings }) => `${healings[healed].en}; submitting goes on`,
    ({ healed }) => `${healings[healed].zh}；继续提交`,
  ),
  'submitting.none': both(
    ({ failure }: Failed) => `${failure}; nothing more is submitted`,
    ({ failure }) => `${failure}；不再提交`,
  ),
  'submitting.halt': both(
    ({ count }: Counted) => `${renderRows(count)} ended badly; nothing more is submitted (--halt)`,
    ({ count }) => `${renderNumber(count)} 行没做成；不再提交（--halt）`,
  ),
  'submitting.first-alone': both(
    ({ failure }: Failed) => `${failure}; the first creation goes alone`,
    ({ failure }) => `${failure}；第一次提交单独进行`,
  ),
  'submitting.away': both(
    ({ failure }: Failed) => `${failure}; trying again until --outage-timeout is over`,
    ({ failure }) => `${failure}；会一直重试，直到 --outage-timeout 用完`,
  ),
  'submitting.refused-for-now': both(
    ({ failure }: Failed) =>
      `the service refuses creations for now (${failure}): they are sent when it accepts them again`,
    ({ failure }) => `服务暂时拒绝提交（${failure}）：等它重新接受时再发`,
  ),
  'submitting.paused-before': both(
    ({ minutes }: { readonly minutes: number }) =>
      `the service asked an earlier run to send nothing for ${counted(minutes, 'more minute')}: rows are sent then, if --outage-timeout is not over by then`,
    ({ minutes }) =>
      `服务曾要求上次运行暂停提交，还有 ${minutes} 分钟：到时再提交，除非 --outage-timeout 先到`,
  ),
  'submitting.row-waits': both(
    ({ id, failure }: Failed & { readonly id: string }) =>
      `${nameRow(id)} is refused, and perhaps no other; it waits until that is known: ${failure}`,
    ({ id, failure }) => `${id} 被拒绝，可能只此一行；查明之前先等待：${failure}`,
  ),
  'concurrency.now': both(
    ({ count }: Counted) => `concurrency is now ${renderNumber(count)}`,
    ({ count }) => `同时任务数现为 ${renderNumber(count)}`,
  ),
  'concurrency.refused': both(
    ({ count, failure }: Counted & Failed) =>
      `concurrency is now ${renderNumber(count)}: the service refuses creations for now (${failure})`,
    ({ count, failure }) => `同时任务数现为 ${renderNumber(count)}：服务暂时拒绝提交（${failure}）`,
  ),

  'budget.reached': both(
    ({ points }: { readonly points: number }) =>
      `the points cap is reached (${renderNumber(points)} spent); nothing more is submitted`,
    ({ points }) => `已达积分上限（已用 ${renderNumber(points)}）；不再提交`,
  ),
  'budget.reserved': both(
    ({ points, reserved }: { readonly points: number; readonly reserved: number }) =>
      `the points cap is reached (${renderNumber(points)} spent, ${renderNumber(reserved)} more reserved by tasks that may still be charged); nothing more is submitted`,
    ({ points, reserved }) =>
      `已达积分上限（已用 ${renderNumber(points)}，另有 ${renderNumber(reserved)} 预留给可能收费的任务）；不再提交`,
  ),
  'budget.unpriced': both(
    ({ qualities }: { readonly qualities: string }) =>
      `the service has not said what a task of quality ${qualities} costs, so --max-points cannot be guaranteed; nothing more is submitted`,
    ({ qualities }) => `服务没有给出清晰度 ${qualities} 的任务价格，无法保证 --max-points；不再提交`,
  ),
  'budget.near': both(
    ({ percent, points, cap }: NearCap) =>
      `spent and reserved points have reached ${percent} % of the cap (${renderNumber(points)} of ${renderNumber(cap)})`,
    ({ percent, points, cap }) =>
      `已用和预留的积分已达上限的 ${percent} %（${renderNumber(points)} / ${renderNumber(cap)}）`,
  ),

  'videos.wait': both(
    ({ count }: Counted) =>
      `videos of earlier runs wait to be fetched (${renderNumber(count)}): until one is delivered, rows are submitted one at a time`,
    ({ count }) => `以前运行的视频还待下载（${renderNumber(count)} 个）：取到一个之前，每次只提交一行`,
  ),
  'videos.none': both(
    ({ failure }: Failed) =>
      `videos that are paid for cannot be fetched; nothing more is submitted until one is: ${failure}`,
    ({ failure }) => `已付费的视频无法下载；取到一个之前不再提交：${failure}`,
  ),
  'videos.again': both(
    () => 'a video is delivered again; submitting goes on',
    () => '又取到了一个视频；继续提交',
  ),
  'videos.unknown-format': both(
    ({ path }: { readonly path: string }) =>
      `${path} is not in a known video format; check it before you rely on it`,
    ({ path }) => `${path} 不是已知的视频格式；使用前请检查`,
  ),

  'polls.silence': both(
    ({ failure }: Failed) =>
      `the service answers no status request; polling goes on at every tick: ${failure}`,
    ({ failure }) => `服务不答复状态查询；继续按时查询：${failure}`,
  ),
  'polls.some': both(
    ({ percent, failure }: Failed & { readonly percent: number }) =>
      `${percent} % of status requests fail; polling goes on at every tick: ${failure}`,
    ({ percent, failure }) => `${percent} % 的状态查询失败；继续按时查询：${failure}`,
  ),
  'polls.refused': both(
    ({ id, taskId, failure }: OfTask & Failed) =>
      `the service refuses to tell the status of ${nameRow(id)} (task ${taskId}), and no other: ${failure}`,
    ({ id, taskId, failure }) => `服务拒绝回答 ${id} 的状态（任务 ${taskId}），只此一个：${failure}`,
  ),
  'polls.unreadable': both(
    ({ id, taskId, failure }: OfTask & Failed) =>
      `the status of ${nameRow(id)} (task ${taskId}) cannot be read: ${failure}`,
    ({ id, taskId, failure }) => `${id} 的状态（任务 ${taskId}）无法读取：${failure}`,
  ),
  'polls.unknown-state': both(
    ({ state, verdict }: { readonly state: string; readonly verdict: keyof typeof verdicts }) =>
      `the service reports a state that is not documented, "${state}"; ${verdicts[verdict].en}`,
    ({ state, verdict }) => `服务报告了文档中没有的状态“${state}”；${verdicts[verdict].zh}`,
  ),
  'polls.contrary-state': both(
    ({ state }: { readonly state: string }) =>
      `the service reports the state "${state}", but ${verdicts['task-completed'].en}`,
    ({ state }) => `服务报告的状态是“${state}”，但${verdicts['task-completed'].zh}`,
  ),

  'attempt.answered': both(
    ({ id, taskId }: OfTask) =>
      `an earlier attempt of ${nameRow(id)} was answered after all: its task is ${taskId}`,
    ({ id, taskId }) => `${id} 以前的一次尝试终于得到答复：它的任务是 ${taskId}`,
  ),
  'attempt.of-another-row': both(
    ({ id, taskId }: OfTask) =>
      `an earlier attempt of ${nameRow(id)} was answered with task ${taskId}, which belongs to another row`,
    ({ id, taskId }) => `${id} 以前的一次尝试得到的答复是任务 ${taskId}，而它属于另一行`,
  ),

  'waiting.for-callbacks': both(
    () => 'everything else is done; callbacks may still settle the uncertain rows. Ctrl-C ends the wait',
    () => '其余都已完成；回调仍可能确认待确认的行。按 Ctrl-C 结束等待',
  ),
  'waiting.done': both(
    () => 'nothing is left to do: this worker waits, and goes on when there is more; Ctrl-C ends it',
    () => '没有剩下的工作：此工作进程等待，有新的再继续；按 Ctrl-C 结束',
  ),
  'waiting.round': both(
    () =>
      'nothing more is submitted in this round: this worker waits, and goes on when there is more; Ctrl-C ends it',
    () => '本轮不再提交：此工作进程等待，有新的再继续；按 Ctrl-C 结束',
  ),
  'waiting.over': both(
    () => 'there is work again',
    () => '又有工作了',
  ),

  'reports.unwritten': both(
    ({ failure }: Failed) =>
      `the reports could not be written: ${failure}; \`batch report\` writes them again`,
    ({ failure }) => `报告无法写出：${failure}；\`batch report\` 可重新写出`,
  ),
  'reports.in-use': both(
    ({ name, copyPath }: { readonly name: string; readonly copyPath: string | null }) =>
      copyPath === null
        ? `${name} is open in another program; it is written again once it is closed there`
        : `${name} is open in another program; the new one lies beside it as ${copyPath}`,
    ({ name, copyPath }) =>
      copyPath === null
        ? `${name} 正被其他程序打开；在那里关闭后会重新写出`
        : `${name} 正被其他程序打开；新的已写在旁边，名为 ${copyPath}`,
  ),
  'service.new-key': both(
    () => 'this is another API key of the same account: it is the key of the run from now on',
    () => '这是同一账号的另一个 API 密钥：从现在起运行使用它',
  ),
  'service.another': both(
    ({ before, now }: { readonly before: string; readonly now: string }) =>
      `the earlier tasks in this folder belong to ${before}, but this run uses ${now}; if that is another service, stop and give --base-url ${before}`,
    ({ before, now }) =>
      `此文件夹中以前的任务属于 ${before}，而本次运行使用 ${now}；如果那是另一个服务，请停止并给出 --base-url ${before}`,
  ),
  'reports.not-now': both(
    ({ failure }: Failed) => `the reports could not be written: ${failure}`,
    ({ failure }) => `报告无法写出：${failure}`,
  ),

  'row.ended': both(
    ({ id, status, failure }: Failed & { readonly id: string; readonly status: Status }) =>
      `${nameRow(id)} is ${status}: ${failure}`,
    ({ id, status, failure }) => `${id} ${statusNames.zh[status]}：${failure}`,
  ),
  'row.no-reason': both(
    () => 'no reason given',
    () => '未给出原因',
  ),
  'row.changed-meanwhile': both(
    ({ id }: { readonly id: string | undefined }) =>
      `row ${id} was changed by another command meanwhile; nothing was changed; type it again`,
    ({ id }) => `${id} 刚被另一个命令更改；没有任何改动；请再输入一次`,
  ),
  'row.changed-elsewhere': both(
    ({ id }: { readonly id: string | undefined }) =>
      `row ${id} was changed by another batch process: the disk of this folder does not support locks; stop the other process, then run the same command again`,
    ({ id }) =>
      `${id} 被另一个 batch 进程更改：这个文件夹所在的磁盘不支持锁；请停止另一个进程，再运行同一命令`,
  ),
  'claims.no-room': both(
    () => 'other processes of the run have taken the room for these rows',
    () => '运行的其他进程已占用这些行的名额',
  ),

  'notes.more': both(
    ({ note, count }: Counted & { readonly note: Words }) =>
      `${note.en} (and ${renderNumber(count)} more like this)`,
    ({ note, count }) => `${note.zh}（另有 ${renderNumber(count)} 条与此同类）`,
  ),
};
