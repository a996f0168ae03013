/** Asks the service outside a run: free, and possible only if address and key are known. */

import { saidOf, UsageError } from '../../errors.ts';
import { message, type Said } from '../../messages/message.ts';
import { type AccountAnswer, judgeAccount } from '../../money/answers/account-check.ts';
import type { PollEnd } from '../../money/answers/status-answer.ts';
import type { TaskService } from '../../ports.ts';
import type { Store } from '../../stores/port/store.ts';
import { placeOf } from '../open-run.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options } from '../options/options.ts';
import { withSaved } from '../options/settings.ts';
import { readSavedOptions } from '../output-folder.ts';
import type { OpenRun } from '../run-handles.ts';
import { systemClock } from '../system-clock.ts';
import { openService, openTasks, requestsAtOnce } from './run-service.ts';

/** Whether the key may be sent to the service of this run: its address may stand in a folder from somebody else. */
export type AgreeToService = (run: OpenRun, options: Options) => Promise<boolean>;

/** What the service says of a task. */
export type TaskKnowledge =
  | { readonly isKnown: true }
  /** `failure` is the service's own message. */
  | { readonly isKnown: false; readonly failure: string }
  /** The service could not be asked, or did not answer. */
  | { readonly isKnown: null; readonly why: Said };

export async function askAboutTask(
  run: OpenRun,
  agree: AgreeToService,
  taskId: string,
): Promise<TaskKnowledge> {
  const known = await askAboutTasks(run, agree, [taskId]);
  return known.get(taskId) ?? { isKnown: null, why: message('key.no-question') };
}

/**
 * The same about many: a question costs nothing, so one that was not answered is asked again. Where there is no service to ask, only
 * the first has an answer. Throws `UsageError` where the user does not `agree`.
 */
export async function askAboutTasks(
  run: OpenRun,
  agree: AgreeToService,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, TaskKnowledge>> {
  const known = new Map<string, TaskKnowledge>();
  const [first] = taskIds;
  if (first === undefined) return known;
  const { invocation } = run;
  const options = withSaved(invocation, await readSavedOptions(run.store));
  const opened = await openService({ invocation, options }).catch((error: unknown) => {
    if (error instanceof UsageError) return error;
    throw error;
  });
  if (opened instanceof UsageError) return known.set(first, { isKnown: null, why: saidOf(opened) });
  await using service = opened;
  if (!(await agree(run, options))) throw new UsageError(message('key.nothing-changed'));
  await askStatuses(openTasks(service, invocation, options), taskIds, (taskId, end) => {
    known.set(taskId, knowledgeOf(end));
  });
  return known;
}

/**
 * The status of each task of this run, with all links of the answer. Throws `UsageError` where address or key are missing, or
 * not those that the run in a store needs.
 */
export async function askForStatuses(
  invocation: Invocation,
  options: Options,
  { store, taskIds }: { readonly store: Store; readonly taskIds: readonly string[] },
): Promise<ReadonlyMap<string, PollEnd>> {
  const ends = new Map<string, PollEnd>();
  if (taskIds.length === 0) return ends;
  await using service = await openService({ invocation, options });
  await (await placeOf(invocation)).checkService({ store, invocation, options }, service);
  await askStatuses(openTasks(service, invocation, options, { wantsLinks: true }), taskIds, (taskId, end) => {
    ends.set(taskId, end);
  });
  return ends;
}

/** How long (ms) to wait before each further question about a task that was not answered. */
const askAgainAfterMs = [500, 2_000];

/** After so many questions in a row without an answer the service is away: no more are asked. */
const awayAfter = requestsAtOnce;

/** Asks about each task, again where there was no answer, and tells the last one; then closes the service. */
async function askStatuses(
  tasks: TaskService,
  taskIds: readonly string[],
  onReply: (taskId: string, end: PollEnd) => void,
): Promise<void> {
  try {
    let left: readonly string[] = [...new Set(taskIds)];
    for (const waitMs of [0, ...askAgainAfterMs]) {
      if (left.length === 0) return;
      if (waitMs > 0) await systemClock.wait(waitMs);
      left = await askOnce(tasks, left, onReply);
    }
  } finally {
    await tasks.close(true);
  }
}

/**
 * Returns the tasks to ask about again: none where the service refuses the key. Once it does, or is away, what it said holds for the
 * tasks that are left, too.
 */
async function askOnce(
  tasks: TaskService,
  taskIds: readonly string[],
  onReply: (taskId: string, end: PollEnd) => void,
): Promise<readonly string[]> {
  const waiting = taskIds.values();
  const unanswered: string[] = [];
  let inARow = 0;
  const refusals: PollEnd[] = [];
  const askOn = async (): Promise<void> => {
    for (const taskId of waiting) {
      const end = await tasks.status(taskId, new AbortController().signal);
      onReply(taskId, end);
      const isAnswered = end.type !== 'poll-unanswered';
      if (!isAnswered) unanswered.push(taskId);
      inARow = isAnswered ? 0 : inARow + 1;
      if (end.type === 'poll-refused' || inARow >= awayAfter) refusals.push(end);
      if (refusals.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, askOn));
  const end = refusals.find(({ type }) => type === 'poll-refused') ?? refusals[0];
  if (end === undefined) return unanswered;
  const left = [...waiting];
  for (const taskId of left) onReply(taskId, end);
  return end.type === 'poll-refused' ? [] : [...unanswered, ...left];
}

function knowledgeOf(end: PollEnd): TaskKnowledge {
  if (end.type === 'task-not-found') return { isKnown: false, failure: end.failure };
  if (end.type === 'poll-unanswered') return { isKnown: null, why: end.failure };
  if (end.type === 'poll-refused')
    return { isKnown: null, why: `the service refused the API key: ${end.failure}` };
  return { isKnown: true };
}

/** What a free question showed of the account. */
export interface AccountCheck extends AccountAnswer {
  /** Of the service. */
  readonly address: string;
  /** From the question to the answer. */
  readonly ms: number;
}

/**
 * Asks what a run asks before its first creation: about a task that cannot exist. `store` is that of the run, if
 * there is one; `hearClock` gets the service's. Throws `UsageError` where address or key are missing, or not those that
 * the run in a store needs.
 */
export async function askAboutAccount(
  invocation: Invocation,
  options: Options,
  store: Store | null,
  hearClock?: (at: number) => void,
): Promise<AccountCheck> {
  await using service = await openService({ invocation, options });
  if (store !== null) await (await placeOf(invocation)).checkService({ store, invocation, options }, service);
  const tasks = openTasks(service, invocation, options, hearClock && { hearClock });
  try {
    const startedAt = systemClock.steady();
    const answer = judgeAccount(await tasks.probe(new AbortController().signal));
    return { ...answer, address: service.baseUrl, ms: Math.round(systemClock.steady() - startedAt) };
  } finally {
    await tasks.close(true);
  }
}
