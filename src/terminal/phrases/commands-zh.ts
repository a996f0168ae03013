/** What is said of rows that ended badly, whose reasons are saved as English text, and of hooks, in Chinese. */

import type { Sentence } from './sentences.ts';

export const commandSentences: readonly Sentence[] = [
  ['warning: {whatSaid}', '警告：{whatSaid}'],
  ['row {id} is {statusSaid}: {failureSaid}', '{id} {statusSaid}：{failureSaid}'],
  ['row-{id} is {statusSaid}: {failureSaid}', 'row-{id} {statusSaid}：{failureSaid}'],
  [
    'the task did not end within {minutes} minutes (--task-timeout)',
    '任务在 {minutes} 分钟内没有结束（--task-timeout）',
  ],
  [
    'the task did not end within {minutes} minutes (--task-timeout): {failure}',
    '任务在 {minutes} 分钟内没有结束（--task-timeout）：{failure}',
  ],
  ['the service last said "{state}"', '服务最后报告的状态是“{state}”'],
  [
    '--ping: {place} did not take it ({failure}); the run is as without it',
    '--ping：{place} 没有收下（{failure}）；运行不受影响',
  ],
];

/** What stands inside those sentences. */
export const commandParts: readonly Sentence[] = [
  ['no reason given', '未给出原因'],
  ['failed', '失败'],
  ['rejected', '被拒绝'],
  ['uncertain', '待确认'],
  ['undelivered', '未取回'],
  ['lost', '已丢失'],
  ['invalid', '无效'],
];
