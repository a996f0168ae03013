/** `POST /api/gen_video`: a creation makes a task, is refused, or fails before or after it is accepted. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerError, answerGatewayPage, answerSuccess, answerText } from './answers.ts';
import type { Callbacks } from './callbacks.ts';
import { BadCreation, type CreationRequest, readCreation } from './creation-request.ts';
import type { Faults } from './faults.ts';
import { createTask, type TaskOdds } from './task.ts';
import type { TaskBook } from './task-book.ts';

/** Answers creations. The result of a creation is in the book before any answer leaves. */
export function createGenVideo(world: {
  readonly book: TaskBook;
  readonly callbacks: Callbacks;
  readonly odds: TaskOdds;
  /** Tasks that are made at once; null for any number. */
  readonly capacity: number | null;
  /** Resolves when a delayed answer may leave. */
  readonly putOff: () => Promise<void>;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { book, callbacks, odds, capacity, putOff } = world;
  const { faults } = odds;

  return async (request, response) => {
    let wanted: CreationRequest;
    try {
      wanted = await readCreation(request);
    } catch (error) {
      if (!(error instanceof BadCreation)) throw error;
      book.refuse('');
      answerError(response, error.statusCode, error.message);
      return;
    }
    const lot = `${wanted.asked} ${book.timesAsked(wanted.asked) + 1}`;
    const isFull = capacity !== null && book.openCount(Date.now()) >= capacity;
    const refusal = isFull ? refuseForNow : decideRefusal(faults, lot);
    if (refusal !== null) {
      book.refuse(wanted.asked);
      if (faults.happens('slow', lot)) await putOff();
      refusal(response);
      return;
    }
    const now = Date.now();
    const task = createTask(wanted, lot, now, odds);
    book.accept(wanted.asked, task);
    callbacks.expect(task, now);
    if (faults.happens('slow', lot)) await putOff();
    if (faults.happens('reset-after', lot)) response.socket?.resetAndDestroy();
    else if (faults.happens('garbled', lot)) answerText(response, 200, 'application/json', '{"status":"su');
    else answerSuccess(response, { task_id: task.taskId });
  };
}

/** The refusal by a fault that prevents a task; null for none. */
function decideRefusal(faults: Faults, lot: string): ((response: ServerResponse) => void) | null {
  if (faults.happens('rate-limit', lot)) return refuseForNow;
  // The step behind the service fails, not the service itself: the HTTP status alone looks like success.
  if (faults.happens('busy', lot)) {
    return (response) => answerError(response, 200, stepFailure('503 - Service Unavailable'));
  }
  if (faults.happens('refuse', lot)) {
    return (response) => answerError(response, 200, stepFailure('400 - The question was refused'));
  }
  if (faults.happens('server-error', lot)) {
    return (response) => answerGatewayPage(response, 502, 'Bad Gateway');
  }
  if (faults.happens('reset-before', lot)) {
    return (response) => response.socket?.resetAndDestroy();
  }
  return null;
}

function refuseForNow(response: ServerResponse): void {
  answerError(response.setHeader('retry-after', '1'), 429, 'Too many requests');
}

function stepFailure(reason: string): string {
  return `The video generation interface response is abnormal: ${reason}`;
}
