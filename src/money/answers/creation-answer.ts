/**
 * What an answer to a creation means. Money depends on it: `creation-refused` means that certainly no task exists, so the
 * row may be paid for again; any answer that leaves a doubt, or names a task, is `creation-uncertain`.
 */

import { cutText } from '../../text/cells/cut-text.ts';
import type { Redact } from '../../text/redact.ts';
import type { CreationEvent } from '../event.ts';
import { parseRetryAfter } from './retry-after.ts';
import { type Envelope, field, isRefusal, readEnvelope, textOf } from './service-envelope.ts';
import {
  failureText,
  isSuccess,
  type JudgementContext,
  keyBars,
  originOf,
  redirectTarget,
  type ServiceReply,
} from './service-reply.ts';
import { excerptLimits, excerptOf, taskNamedAt, withAnswer } from './unread-answer.ts';

/** Statuses that say that the server did not process the request. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 413, 414, 415, 422, 431]);

/** Redirects that keep the method: nothing was created. Before a 302 or 303 a task may have been created. */
const movedCreations: ReadonlySet<number> = new Set([301, 307, 308]);

/** The service forwards errors of the system behind it; these causes are temporary. */
const passingCause = /interface response is abnormal:\s*(?:429|5\d\d)\b/i;

function judgeRedirect(
  reply: ServiceReply,
  envelope: Envelope | null,
  context: JudgementContext,
): CreationEvent {
  const at = context.now;
  const target = redirectTarget(reply, context);
  if (movedCreations.has(reply.status) || isRefusal(envelope)) {
    const where = target === null ? 'without a target; check' : `to ${target}; put the final address in`;
    const failure = `the service redirects creations ${where} --base-url`;
    return { type: 'creation-not-sent', at, failure, endsRun: 'misconfigured' };
  }
  const where = target === null ? '' : ` to ${target}`;
  return {
    type: 'creation-uncertain',
    at,
    failure: `HTTP ${reply.status}${where} without a task id`,
    origin: originOf(reply, envelope),
    answer: excerptOf(reply.body, excerptLimits.log, context.redact),
    endsRun: 'misconfigured',
  };
}

/** The id of the new task. Ignores the id in an error envelope; requires the word success or a 2xx status. */
function acceptedTaskId(reply: ServiceReply, envelope: Envelope | null): string | null {
  if (envelope === null || envelope.says === 'error') return null;
  return envelope.says === 'success' || isSuccess(reply.status) ? envelope.taskId : null;
}

/** Beside it the excerpt of the answer has room in a failure. */
const longestDefect = 300;

/** The name of a task further behind would be cut off its excerpt. */
const nearBytes = 1_000;

/** With what came of the answer: the id of the task may stand in it. `namedAt`: where, as far as that shows; -1 for nowhere. */
function uncertainty(
  reply: ServiceReply,
  envelope: Envelope | null,
  namedAt: number,
  redact: Redact,
): string {
  const answer = reply.body.slice(namedAt < nearBytes ? 0 : namedAt);
  const unread = (why: string): string => withAnswer(why, answer, excerptLimits.creation, redact);
  if (reply.defect !== null)
    return unread(`HTTP ${reply.status}, but ${cutText(reply.defect, longestDefect)}`);
  const isError = (envelope?.whole && envelope.says === 'error') || !isSuccess(reply.status);
  if (isError && namedAt >= 0) return unread(`HTTP ${reply.status}, an error that names a task`);
  if (isSuccess(reply.status)) return unread(`HTTP ${reply.status} without a readable task id`);
  return `${failureText(reply, envelope, redact)} (not an error message of the service)`;
}

/**
 * Judges the answer to a creation. A refusing status is enough by itself, even with a truncated body, but may be a gateway's;
 * an error envelope counts only when it is complete.
 */
export function judgeCreation(reply: ServiceReply, context: JudgementContext): CreationEvent {
  const { status } = reply;
  const { redact, now: at } = context;
  const envelope = readEnvelope(reply.body);
  const taskId = acceptedTaskId(reply, envelope);
  if (taskId !== null) return { type: 'creation-accepted', at, taskId };

  const namedAt = taskNamedAt(reply.body);
  const uncertain = (): Extract<CreationEvent, { type: 'creation-uncertain' }> => ({
    type: 'creation-uncertain',
    at,
    failure: uncertainty(reply, envelope, namedAt, redact),
    origin: originOf(reply, envelope),
    answer: excerptOf(reply.body, excerptLimits.log, redact),
  });
  const isRedirect = status >= 300 && status <= 399;
  if (namedAt >= 0) return { ...uncertain(), ...(isRedirect && { endsRun: 'misconfigured' }) };
  const failure = failureText(reply, envelope, redact);
  const bar = keyBars.get(status);
  if (bar !== undefined) return { type: 'creation-barred', at, failure, bar };
  if (isRedirect) return judgeRedirect(reply, envelope, context);
  const refused = (passing: boolean): CreationEvent => {
    const retryAfterMs = passing ? parseRetryAfter(reply.retryAfter, reply.sentAt ?? at) : null;
    return { type: 'creation-refused', at, failure, passing, retryAfterMs };
  };
  if (status === 429) return refused(true);
  if (isRefusal(envelope))
    return refused(status === 503 || passingCause.test(textOf(field(envelope.data, 'messages'))));
  if (refusals.has(status)) return { type: 'creation-barred', at, failure, bar: 'gateway' };
  return uncertain();
}
