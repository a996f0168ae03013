/** What the workers of a run on several machines say of each other and of their store. */

import { both, counted, type Words } from './both.ts';
import { renderNumber } from './numbers.ts';

interface OfWorker {
  readonly name: string;
}

interface Joined extends OfWorker {
  /** How many there are now. */
  readonly count: number;
}

const now = ({ count }: Joined): Words => ({
  en: `${counted(count, 'worker')} now`,
  zh: `现有 ${renderNumber(count)} 个工作进程`,
});

interface Forgotten {
  readonly creations: number;
  /** How many of them have their task. */
  readonly tasks: number;
}

export const fleetMessages = {
  'crew.working': both(
    ({ run, worker }: { readonly run: string; readonly worker: string }) =>
      `working on run ${run} as ${worker}`,
    ({ run, worker }) => `以 ${worker} 的名义在运行 ${run} 中工作`,
  ),
  /** `time`, here and below, is of the store; `age` is a span of time. */
  'crew.away': both(
    ({ time, failure }: { readonly time: string; readonly failure: string }) =>
      `the store does not answer since ${time} (${failure}); this worker goes on when it does`,
    ({ time, failure }) => `存储自 ${time} 起没有答复（${failure}）；恢复后此工作进程继续`,
  ),
  'crew.back': both(
    ({ lasted }: { readonly lasted: Words }) => `the store answers again, after ${lasted.en}`,
    ({ lasted }) => `存储恢复答复，历时 ${lasted.zh}`,
  ),
  'crew.took-over': both(
    ({ name, from, count, silent }: Joined & { readonly from: string; readonly silent: Words }) =>
      `${name} took over ${counted(count, 'slice')} of ${from}, silent for ${silent.en}`,
    ({ name, from, count, silent }) =>
      `${name} 接管了 ${from} 的 ${renderNumber(count)} 个分片，后者已 ${silent.zh}没有动静`,
  ),
  'crew.joined': both(
    (joined: Joined) => `${joined.name} joined: ${now(joined).en}`,
    (joined) => `${joined.name} 加入：${now(joined).zh}`,
  ),
  'crew.left': both(
    (left: Joined) => `${left.name} left: ${now(left).en}`,
    (left) => `${left.name} 离开：${now(left).zh}`,
  ),
  'crew.returned': both(
    (returned: Joined) => `${returned.name} is heard of again: ${now(returned).en}`,
    (returned) => `${returned.name} 又有动静：${now(returned).zh}`,
  ),

  'round.same': both(
    () => 'a new round begins, with the same options',
    () => '新的一轮开始，选项不变',
  ),
  'memory.back': both(
    ({ creations, tasks }: Forgotten) =>
      `the store had forgotten ${creations} creations that this machine knows: they are in the run again, ${tasks} with their tasks`,
    ({ creations, tasks }) =>
      `存储遗漏了本机知道的 ${creations} 次提交：它们已重新加入运行，其中 ${tasks} 次带有任务`,
  ),
  'memory.back-open': both(
    ({ creations, tasks, open }: Forgotten & { readonly open: number }) =>
      `the store had forgotten ${creations} creations that this machine knows: they are in the run again, ${tasks} with their tasks, ${open} without, which are uncertain`,
    ({ creations, tasks, open }) =>
      `存储遗漏了本机知道的 ${creations} 次提交：它们已重新加入运行，其中 ${tasks} 次带有任务，${open} 次没有，待确认`,
  ),
  'round.changed': both(
    ({ changes }: { readonly changes: Words }) => `a new round begins, for all workers with ${changes.en}`,
    ({ changes }) => `新的一轮开始，所有工作进程使用 ${changes.zh}`,
  ),
};

/** Why nothing is submitted: it stands in the run as English text. */
export const memoryMessages = {
  'memory.row': both(
    ({ id }: { readonly id: string }) =>
      `the store has forgotten that row ${id} was sent: it is settled when its file is imported again (\`batch run FILE --run NAME\`) and its earlier task has ended, or by \`batch resolve --accept-store\``,
    ({ id }) =>
      `存储遗漏了 ${id} 已发送：重新读入它的文件（\`batch run FILE --run 名称\`）且以前的任务结束后即可处理，或用 \`batch resolve --accept-store\``,
  ),
  'memory.rows': both(
    ({ id, others }: { readonly id: string; readonly others: number }) =>
      `the store has forgotten that row ${id} was sent, and ${others} more: it is settled when its file is imported again (\`batch run FILE --run NAME\`) and its earlier task has ended, or by \`batch resolve --accept-store\``,
    ({ id, others }) =>
      `存储遗漏了 ${id} 已发送，另有 ${others} 行：重新读入文件（\`batch run FILE --run 名称\`）且以前的任务结束后即可处理，或用 \`batch resolve --accept-store\``,
  ),
  'memory.elsewhere': both(
    ({ creations }: Pick<Forgotten, 'creations'>) =>
      `the store has forgotten ${creations} creations that other machines sent: it is an older copy. Start a worker on each machine that worked on this run: it puts back what it sent. Of a machine that is lost look the tasks up in your account, name each with \`batch resolve ID --task-id T\`, then \`batch resolve --accept-store\``,
    ({ creations }) =>
      `存储遗漏了其他机器的 ${creations} 次提交：它是旧副本。请在每台参加过这个运行的机器上启动工作进程，它会补回自己的提交。已丢失的机器，请在账号中查找任务，逐个用 \`batch resolve ID --task-id T\` 指明，再用 \`batch resolve --accept-store\``,
  ),
};
