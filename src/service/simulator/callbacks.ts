/** The completion callback: one POST when a task has ended, whatever the response. */

import type { Task } from './task.ts';

const answerLimitMs = 3_000;

/** Node's timers go no further, so a task of more than 24 days gets no callback. */
const longestTimerMs = 2 ** 31 - 1;

export interface Callbacks extends Disposable {
  /** Notifies the task's callback address when it has ended. Does nothing for a task without one. */
  expect(task: Task, now: number): void;
}

/** Does not keep the process alive; disposing drops undelivered callbacks. */
export function createCallbacks(): Callbacks {
  const closing = new AbortController();
  const timers = new Set<NodeJS.Timeout>();

  async function deliver(address: string, task: Task): Promise<void> {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task_id: task.taskId, status: task.ending }),
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerLimitMs)]),
    });
    await response.body?.cancel();
  }

  return {
    expect(task, now) {
      const { notifyUrl } = task;
      const waitMs = task.finishAt - now;
      if (notifyUrl === null || task.ending === 'VANISHED' || waitMs > longestTimerMs) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Where nobody listens, the client polls anyway.
        deliver(notifyUrl, task).catch(() => {});
      }, waitMs);
      timer.unref();
      timers.add(timer);
    },
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      closing.abort();
    },
  };
}
