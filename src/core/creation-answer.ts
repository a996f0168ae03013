/**
 * What an answer to a creation means. Money hangs on it: `creation-refused` says that there surely is no task, and the row may
 * be paid again; whatever does not say so beyond doubt is `creation-uncertain`.
 */

import type { CreationEvent } from './item.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import { type Envelope, field, readEnvelope, textOf } from './service-envelope.ts';
import {
  failureText,
  isSuccess,
  type JudgementContext,
  keyBars,
  originOf,
  redirectTarget,
  type ServiceReply,
} from './service-reply.ts';
import type { Redact } from './text/redact.ts';

/** Statuses by which a server says that it did not carry the request out. */
const refusals: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

/** Redirects that keep the method: nothing was carried out. After 302 and 303 a creation may well have been. */
const movedCreations: ReadonlySet<number> = new Set([301, 307, 308]);

/** The service passes on what the step behind it answered; these causes go away by themselves. */
const passingCause = /interface response is abnormal:\s*(?:429|5\d\d)\b/i;

function judgeRedirect(
  reply: ServiceReply,
  envelope: Envelope | null,
  context: JudgementContext,
): CreationEvent {
  const at = context.now;
  const target = redirectTarget(reply, context);
  if (movedCreations.has(reply.status) || (envelope?.whole && envelope.says === 'error')) {
    const where =
      target === null ? 'without saying where to; check' : `to ${target}; put the final address in`;
    const failure = `the service redirects creations ${where} --base-url`;
    return { type: 'creation-not-sent', at, failure, endsRun: 'misconfigured' };
  }
  const where = target === null ? '' : ` to ${target}`;
  return {
    type: 'creation-uncertain',
    at,
    failure: `HTTP ${reply.status}${where}, and no task id`,
    origin: originOf(reply, envelope),
    endsRun: 'misconfigured',
  };
}

/** The id of the task that was made. An id counts unless the envelope says error; without the word success the status must say it. */
function acceptedTaskId(reply: ServiceReply, envelope: Envelope | null): string | null {
  if (envelope === null || envelope.says === 'error') return null;
  return envelope.says === 'success' || isSuccess(reply.status) ? envelope.taskId : null;
}

function uncertainty(reply: ServiceReply, envelope: Envelope | null, redact: Redact): string {
  if (reply.defect !== null) return `HTTP ${reply.status}, but ${reply.defect}`;
  if (isSuccess(reply.status)) return `HTTP ${reply.status} without a readable task id`;
  return `${failureText(reply, envelope, redact)} (not an error message of the service)`;
}

/**
 * Judges the answer to a creation. A refusing status line is enough by itself, also when the body was cut; an error
 * envelope only counts when it is whole.
 */
export function judgeCreation(reply: ServiceReply, context: JudgementContext): CreationEvent {
  const { status } = reply;
  const { redact, now: at } = context;
  const envelope = readEnvelope(reply.body);
  const taskId = acceptedTaskId(reply, envelope);
  if (taskId !== null) return { type: 'creation-accepted', at, taskId };

  const failure = failureText(reply, envelope, redact);
  const endsRun = keyBars.get(status);
  if (endsRun !== undefined) return { type: 'creation-not-sent', at, failure, endsRun };
  if (status >= 300 && status <= 399) return judgeRedirect(reply, envelope, context);
  const origin = originOf(reply, envelope);
  const refused = (passing: boolean): CreationEvent => {
    const retryAfterMs = passing ? parseRetryAfterMs(reply.retryAfter, at) : null;
    return { type: 'creation-refused', at, failure, passing, retryAfterMs, origin };
  };
  if (status === 429) return refused(true);
  if (envelope?.whole && envelope.says === 'error')
    return refused(status === 503 || passingCause.test(textOf(field(envelope.data, 'messages'))));
  if (refusals.has(status)) return refused(false);
  return { type: 'creation-uncertain', at, failure: uncertainty(reply, envelope, redact), origin };
}
