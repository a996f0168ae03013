/** Requests the status of one task outside a run: free, and possible only if address and key are known. */

import { createHttpTaskService } from '../adapters/http-task-service.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createRedact } from '../core/text/redact.ts';
import { UsageError } from '../errors.ts';
import type { Options } from './options.ts';
import { openService } from './run-session.ts';
import { type Invocation, policyOf } from './settings.ts';

/** What the service says of a task. */
export type TaskKnowledge =
  | { readonly isKnown: true }
  /** `failure` is the service's own message. */
  | { readonly isKnown: false; readonly failure: string }
  /** The service could not be asked, or did not answer. */
  | { readonly isKnown: null; readonly why: string };

/** Longest wait (ms) for an answer that is optional. */
const patienceMs = 20_000;

export async function askAboutTask(
  invocation: Invocation,
  options: Options,
  taskId: string,
): Promise<TaskKnowledge> {
  try {
    await using service = await openService({ invocation, options });
    const tasks = createHttpTaskService({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      requestTimeoutMs: Math.min(policyOf(options, 0).requestTimeoutMs, patienceMs),
      pollConnections: 1,
      redact: createRedact([service.apiKey]),
      env: invocation.env,
      now: systemClock.now,
    });
    try {
      const end = await tasks.status(taskId, new AbortController().signal);
      if (end.type === 'task-not-found') return { isKnown: false, failure: end.failure };
      if (end.type === 'poll-unanswered') return { isKnown: null, why: end.failure };
      if (end.type === 'poll-refused')
        return { isKnown: null, why: `the service refused the API key: ${end.failure}` };
      return { isKnown: true };
    } finally {
      await tasks.close(true);
    }
  } catch (error) {
    if (error instanceof UsageError) return { isKnown: null, why: error.message };
    throw error;
  }
}
