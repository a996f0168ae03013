/** Why a task is not waited for any longer: it is saved with its row. */

import { both } from '../both.ts';

interface Overdue {
  readonly minutes: number;
}

export const taskMessages = {
  'task.overdue': both(
    ({ minutes }: Overdue) => `the task did not end within ${minutes} minutes (--task-timeout)`,
    ({ minutes }) => `任务在 ${minutes} 分钟内没有结束（--task-timeout）`,
  ),
  'task.overdue-refused': both(
    ({ minutes, failure }: Overdue & { readonly failure: string }) =>
      `the task did not end within ${minutes} minutes (--task-timeout): ${failure}`,
    ({ minutes, failure }) => `任务在 ${minutes} 分钟内没有结束（--task-timeout）：${failure}`,
  ),
  'task.last-said': both(
    ({ state }: { readonly state: string }) => `the service last said "${state}"`,
    ({ state }) => `服务最后报告的状态是“${state}”`,
  ),
  'task.called': both(
    ({ state }: { readonly state: string }) => `the service called the task "${state}", and gave this video`,
    ({ state }) => `服务给出了这个视频，但报告的状态是“${state}”`,
  ),
};
