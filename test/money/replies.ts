/** Answers of the service, and what is made of them. */

import { judgeCreation } from '../../src/money/answers/creation-answer.ts';
import type { ServiceReply } from '../../src/money/answers/service-reply.ts';
import { judgeStatus } from '../../src/money/answers/status-answer.ts';
import { createRedact } from '../../src/text/redact.ts';

export const key = 'sk-very-secret-key';
export const context = {
  url: 'https://service.example/v1/api/gen_video',
  now: Date.UTC(2026, 0, 1),
  redact: createRedact([key]),
};

export function reply(status: number, body: unknown, rest: Partial<ServiceReply> = {}): ServiceReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, body: text, defect: null, location: null, retryAfter: null, ...rest };
}

export const creation = (status: number, body: unknown, rest: Partial<ServiceReply> = {}) =>
  judgeCreation(reply(status, body, rest), context);
export const status = (body: unknown, httpStatus = 200, rest: Partial<ServiceReply> = {}) =>
  judgeStatus(reply(httpStatus, body, rest), 'task-1', context);

export const accepted = (taskId: string) => ({ type: 'creation-accepted', at: context.now, taskId });
export const notFound = (failure: string) => ({
  type: 'task-not-found',
  at: context.now,
  failure,
  unknownMs: 0,
});
export const success = (data: unknown) => ({ status: 'success', data });
export const error = (messages: unknown) => ({ status: 'error', data: { messages } });

/** Why a run ends, by the status that refuses its key. */
export const bars: Readonly<Record<number, string>> = {
  401: 'key-refused',
  402: 'no-points',
  403: 'key-forbidden',
};
