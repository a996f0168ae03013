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
  'memory.cap': both(
    ({ points }: { readonly points: number }) =>
      `the store had forgotten the cap of ${counted(points, 'point')}: it holds again, until \`batch tune --max-points N --run NAME\``,
    ({ points }) =>
      `存储遗漏了 ${renderNumber(points)} 点的上限：它重新生效，直到 \`batch tune --max-points N --run 名称\``,
  ),
  'memory.pause': both(
    () =>
      'the store had forgotten that submitting is paused: the pause holds again, until it ends or until `batch continue --run NAME`',
    () => '存储遗漏了提交已暂停：暂停重新生效，直到它结束或执行 `batch continue --run 名称`',
  ),
  'round.changed': both(
    ({ changes }: { readonly changes: Words }) => `a new round begins, for all workers with ${changes.en}`,
    ({ changes }) => `新的一轮开始，所有工作进程使用 ${changes.zh}`,
  ),
};

/** Why nothing is submitted: it stands in the run as English text. */
export const memoryMessages = {
  /** `sent` are the names of their rows, and of their tasks. */
  'memory.rows': both(
    ({ creations, sent }: { readonly creations: number; readonly sent: string }) =>
      `the store does not know these creations of this machine, or not with their texts (${creations}): ${sent}. Nothing is submitted until the file that was sent is imported again (\`batch run FILE --run NAME\`) or its correction given again (\`batch retry --only FILE --run NAME\`), and earlier tasks of these rows have ended, or until \`batch resolve --accept-store\` says that all is settled`,
    ({ creations, sent }) =>
      `存储不知道本机的以下提交，或不知道它们的文字（${creations} 次）：${sent}。请重新读入当时发送的文件（\`batch run FILE --run 名称\`）或重新给出更正（\`batch retry --only FILE --run 名称\`），并等这些行以前的任务结束，或用 \`batch resolve --accept-store\` 确认已处理；在此之前不会提交任何问题`,
  ),
  'memory.elsewhere': both(
    ({ creations }: Pick<Forgotten, 'creations'>) =>
      `the store has forgotten ${creations} creations that other machines sent: it is an older copy. Start a worker on each machine that worked on this run: it puts back what it sent. Of a machine that is lost look the tasks up in your account, name each with \`batch resolve ID --task-id T\`, then \`batch resolve --accept-store\``,
    ({ creations }) =>
      `存储遗漏了其他机器的 ${creations} 次提交：它是旧副本。请在每台参加过这个运行的机器上启动工作进程，它会补回自己的提交。已丢失的机器，请在账号中查找任务，逐个用 \`batch resolve ID --task-id T\` 指明，再用 \`batch resolve --accept-store\``,
  ),
};
