/** `GET /api/get_status/{task_id}`: reports a task in the form that belongs to its state. */

import type { ServerResponse } from 'node:http';
import { answerError, answerGatewayPage, answerSuccess } from './answers.ts';
import type { Files } from './files.ts';
import { failureOf, framesAt, pointsOf, stateAt, type Task, type TaskOdds, titleOf } from './task.ts';
import type { TaskBook } from './task-book.ts';

/** Answers status requests. */
export function createGetStatus(world: {
  /** What links start with. */
  readonly baseUrl: string;
  readonly book: TaskBook;
  readonly files: Files;
  readonly odds: TaskOdds;
  /** Resolves when a delayed answer may leave. */
  readonly putOff: () => Promise<void>;
}): (response: ServerResponse, taskId: string) => Promise<void> {
  const { baseUrl, book, files, odds, putOff } = world;
  const { faults, seed } = odds;
  /** Status requests so far, by task id: faults are drawn for each. */
  const queries = new Map<string, number>();

  /** Exactly the fields the interface lists for the state; null for a forgotten task. */
  function describe(task: Task, now: number): object | null {
    const state = stateAt(task, now);
    const { status } = state;
    const task_id = task.taskId;
    if (status === 'VANISHED') return null;
    if (status === 'FAILED') {
      const consumption = [{ type: 'score', value: 0, detail: 'A failed task is not charged' }];
      return { task_id, status, consumption, result: [{ type: 'text', content: failureOf(task, seed) }] };
    }
    const progress = Array.from({ length: framesAt(state) }, (_, i) => ({
      id: `frame-${i + 1}`,
      image: baseUrl + files.frameLink(task, i + 1, now),
    }));
    if (status === 'IN_PROGRESS') {
      const isStrange = state.progress >= 0.5 && faults.happens('unknown-state', task.lot);
      return { task_id, status: isStrange ? 'RENDERING' : status, progress };
    }
    const detail = `Video generation, quality ${task.quality}`;
    const result = faults.happens('no-video', task.lot)
      ? { type: 'text', content: 'The video is not available' }
      : { type: 'video', content: baseUrl + files.videoLink(task, now) };
    return {
      task_id,
      status,
      progress,
      consumption: [{ type: 'score', value: pointsOf(task, state), detail }],
      result: [result],
      title: titleOf(task),
      created_at: new Date(task.createdAt).toISOString(),
      finish_at: new Date(task.finishAt).toISOString(),
    };
  }

  return async (response, taskId) => {
    const task = book.find(taskId);
    if (task !== null) {
      const query = (queries.get(taskId) ?? 0) + 1;
      queries.set(taskId, query);
      if (faults.happens('slow', task.lot, query)) await putOff();
      if (faults.happens('poll-error', task.lot, query)) {
        answerGatewayPage(response, 503, 'Service Unavailable');
        return;
      }
    }
    const description = task === null ? null : describe(task, Date.now());
    if (description === null) answerError(response, 404, 'Server error: Task not found');
    else answerSuccess(response, description);
  };
}
