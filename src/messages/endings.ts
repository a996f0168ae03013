/** Why a run submits nothing more: inside a sentence while it goes, and as the line at its end. */

import type { EndingReason } from '../money/summary.ts';
import { both, type Words } from './both.ts';

export const reasons: Readonly<Record<EndingReason, Words>> = {
  done: { en: 'all rows are submitted', zh: '所有行都已提交' },
  interrupted: { en: 'interrupted', zh: '被中断' },
  terminated: { en: 'terminated', zh: '被终止' },
  'key-refused': { en: 'the service refused the API key', zh: '服务拒绝了 API 密钥' },
  'no-points': { en: 'the account has no points left', zh: '账号积分已用完' },
  'key-forbidden': { en: 'the API key lacks permission', zh: 'API 密钥权限不足' },
  collected: { en: 'this run only collects paid tasks', zh: '本次运行只收取已付费的任务' },
  'new-round': { en: 'another process began a new round', zh: '另一个进程开始了新的一轮' },
  'older-store': { en: 'the store is an older copy of itself', zh: '数据库是一份较旧的副本' },
  'not-durable': { en: 'the database may forget what was paid for', zh: '数据库可能会忘记已付费的内容' },
  updated: { en: 'batch was updated; restart this worker', zh: 'batch 已更新；请重新启动此工作进程' },
  limit: { en: '--limit reached', zh: '已达 --limit' },
  part: {
    en: 'all rows of --only, --sample or the retry are submitted; others wait',
    zh: '--only、--sample 或重做所指的行都已提交；其余的行等待',
  },
  'points-cap': { en: '--max-points reached', zh: '已达 --max-points' },
  unpriced: {
    en: 'the price of a task is unknown, so --max-points cannot be guaranteed',
    zh: '有任务价格未知，无法保证 --max-points',
  },
  halt: { en: 'too many rows ended badly (--halt)', zh: '没做成的行过多（--halt）' },
  'uncertain-breaker': {
    en: 'what was sent last got no readable answer',
    zh: '最近的提交没有得到可读的答复',
  },
  'refusal-breaker': {
    en: 'the service refused several rows in a row for the same reason',
    zh: '服务因同一原因连续拒绝了几行',
  },
  'lost-breaker': {
    en: 'the service does not know several tasks in a row that it accepted',
    zh: '服务连续几次不认识自己接受过的任务',
  },
  'delivery-breaker': { en: 'videos that are paid for cannot be fetched', zh: '已付费的视频无法下载' },
  'foreign-answer': {
    en: 'a creation was answered, but not by the service',
    zh: '答复提交请求的不是该服务',
  },
  'wrong-service': {
    en: 'the server at --base-url is not the service',
    zh: '--base-url 处的服务器不是该服务',
  },
  busy: {
    en: 'the service refused every creation for the whole --outage-timeout',
    zh: '在整个 --outage-timeout 期间，服务拒绝了每一次提交',
  },
  unreachable: { en: 'the service cannot be reached', zh: '无法连接服务' },
  misconfigured: { en: 'the service is not set up correctly', zh: '服务的设置不正确' },
  disk: { en: 'files cannot be saved', zh: '文件无法保存' },
  checkpoint: { en: 'the checkpoint cannot be used', zh: '存档不可用' },
  bug: { en: 'a bug in batch', zh: 'batch 自身的错误' },
};

/** The whole line at the end, where it is more than that the run stopped for its reason. */
const lines: Readonly<Partial<Record<EndingReason, Words>>> = {
  interrupted: { en: 'Interrupted; everything done so far is saved', zh: '已中断；做完的都已保存' },
  terminated: { en: 'Terminated; everything done so far is saved', zh: '已终止；做完的都已保存' },
  collected: {
    en: 'Collected everything paid for; nothing was submitted',
    zh: '已收取所有付过费的内容；没有提交任何题目',
  },
  'wrong-service': {
    en: `Nothing was sent: ${reasons['wrong-service'].en}`,
    zh: `没有发出任何内容：${reasons['wrong-service'].zh}`,
  },
  bug: { en: 'Stopped by a bug in batch', zh: '因 batch 自身的错误停止' },
};

/** After these, what is open is still collected. */
const goesOnCollecting: ReadonlySet<EndingReason> = new Set<EndingReason>([
  'older-store',
  'updated',
  'not-durable',
  'points-cap',
  'unpriced',
  'halt',
  'uncertain-breaker',
  'refusal-breaker',
  'lost-breaker',
  'delivery-breaker',
  'foreign-answer',
]);

const hints: Readonly<Partial<Record<EndingReason, Words>>> = {
  'lost-breaker': { en: '; is --base-url correct?', zh: '；--base-url 对吗？' },
  'foreign-answer': { en: '; check --base-url', zh: '；请检查 --base-url' },
  unreachable: { en: '; check --base-url and the network', zh: '；请检查 --base-url 和网络' },
};

function lineOf(reason: EndingReason): Words {
  const line = lines[reason];
  if (line !== undefined) return line;
  const stopped = goesOnCollecting.has(reason)
    ? { en: 'Stopped submitting', zh: '已停止提交' }
    : { en: 'Stopped', zh: '已停止' };
  const hint = hints[reason] ?? { en: '', zh: '' };
  return {
    en: `${stopped.en}: ${reasons[reason].en}${hint.en}`,
    zh: `${stopped.zh}：${reasons[reason].zh}${hint.zh}`,
  };
}

interface Because {
  readonly reason: EndingReason;
}

export const endingMessages = {
  'ending.stopped': both(
    ({ reason }: Because) => lineOf(reason).en,
    ({ reason }) => lineOf(reason).zh,
  ),
  'hold.closed': both(
    ({ reason }: Because) => `nothing more is submitted: ${reasons[reason].en}`,
    ({ reason }) => `不再提交：${reasons[reason].zh}`,
  ),
  'hold.stopping': both(
    ({ reason }: Because) => `stopping (${reasons[reason].en}): waiting for creations in flight`,
    ({ reason }) => `正在停止（${reasons[reason].zh}）：等待已发出的请求`,
  ),
};
