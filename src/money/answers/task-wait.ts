/**
 * How long a task has been waited for under `--task-timeout`. Time counts only between answers about the task: while the
 * service is away, or asks for patience, it may have ended long ago. Times are steady ms and come in.
 */

import { fixed, type Policy } from '../policy.ts';

export interface TaskWait {
  /** Its age by the wall clock when this run took it (ms). */
  readonly ageMs: number;
  /** The time in this run that counts (ms). */
  readonly answeredMs: number;
  /** When the tick asked that was answered last; null after one without an answer. */
  readonly answeredAt: number | null;
  /** Ticks in a row past the limit at which the task went on; one without an answer changes nothing. */
  readonly overdueTicks: number;
}

/** What a tick learns of a task: nothing, that it is still being made as far as anybody knows, or anything else. */
export type TickNews = 'nothing' | 'goes on' | 'other';

/** The run takes the task now. */
export function openWait(ageMs: number, now: number): TaskWait {
  return { ageMs: Math.max(0, ageMs), answeredMs: 0, answeredAt: now, overdueTicks: 0 };
}

/** After a tick that asked at `askedAt`. */
export function waitTick(
  wait: TaskWait,
  news: TickNews,
  askedAt: number,
  policy: Pick<Policy, 'taskTimeoutMs'>,
): TaskWait {
  if (news === 'nothing') return { ...wait, answeredAt: null };
  const answeredMs = wait.answeredMs + (wait.answeredAt === null ? 0 : askedAt - wait.answeredAt);
  const isPast = countedMs({ ...wait, answeredMs }, policy) > policy.taskTimeoutMs;
  const overdueTicks = news === 'goes on' && isPast ? wait.overdueTicks + 1 : 0;
  return { ...wait, answeredMs, answeredAt: askedAt, overdueTicks };
}

/** The wall clock may have been set since the task was made: what it says is never all of the wait. */
function countedMs(
  { ageMs, answeredMs }: TaskWait,
  { taskTimeoutMs }: Pick<Policy, 'taskTimeoutMs'>,
): number {
  return Math.min(ageMs, Math.max(0, taskTimeoutMs - fixed.answeredWaitMs)) + answeredMs;
}

/** The user's limit is over, and the task is still being made. */
export function isWaitOver({ overdueTicks }: TaskWait): boolean {
  return overdueTicks >= fixed.overdueTicks;
}
