/** What the workers of a run on several machines say of each other and of their store. */

import { both, counted, type Words } from './both.ts';

interface OfWorker {
  readonly name: string;
}

interface Joined extends OfWorker {
  /** How many there are now. */
  readonly count: number;
}

const now = ({ count }: Joined): Words => ({
  en: `${counted(count, 'worker')} now`,
  zh: `现有 ${count} 个工作进程`,
});

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
      `${name} 接管了 ${from} 的 ${count} 个分片，后者已 ${silent.zh}没有动静`,
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
  'round.changed': both(
    ({ changes }: { readonly changes: Words }) => `a new round begins, for all workers with ${changes.en}`,
    ({ changes }) => `新的一轮开始，所有工作进程使用 ${changes.zh}`,
  ),
};
