/** Settles a row with what the user found out about its task. */

import { randomUUID } from 'node:crypto';
import { type Decider, deciderOf, noteDecision } from '../../app/decisions.ts';
import { hasForgotten } from '../../app/fleet/older-store.ts';
import { openExistingRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { policyOf, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import type { OpenRun } from '../../app/run-handles.ts';
import { type AgreeToService, askAboutTask } from '../../app/service/ask-service.ts';
import { timeOf } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message, type Said } from '../../messages/message.ts';
import { type Doubt, doubtOf } from '../../money/answers/doubtful-creation.ts';
import { putBack } from '../../money/answers/late-answers.ts';
import { moveAtRest, type RestEvent } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import { isSameTask } from '../../money/task-id.ts';
import { mayFindTask } from '../../money/transition.ts';
import type { Checkpoint, CommitExtras } from '../../stores/port/checkpoint.ts';
import type { Decision } from '../../stores/port/decisions.ts';
import type { Store } from '../../stores/port/store.ts';

/** Rows whose creation may have made a task after all, for the same reason. */
interface DoubtedRows {
  readonly why: Doubt;
  readonly ids: readonly string[];
  /** Time (ms) since the youngest creation. */
  readonly ageMs: number;
}

/** Whether the user has looked: a row that is sent again is paid for twice where the first creation made a task. */
export type SureOfNone = (doubted: readonly DoubtedRows[]) => Promise<boolean>;

/** What the user found out about the task of a row. */
export interface Resolution {
  readonly invocation: Invocation;
  readonly id: string;
  /** The task found; null when the service made none. */
  readonly taskId: string | null;
  readonly agree: AgreeToService;
  readonly sure: SureOfNone;
  /** Receives why the task could not be checked with the service; it is adopted nevertheless. */
  unchecked(why: Said): void;
}

/** A settled row. */
export interface ResolvedRow {
  /** The task it had before. */
  readonly earlierTaskId: string | null;
  /** False when it is no longer in the input: it is not submitted again. */
  readonly isInFile: boolean;
}

/**
 * Adopts the task, or returns the row to pending. Throws `UsageError` when the row may not be settled this way, or the user does
 * not `agree`.
 */
export async function resolveRow(resolution: Resolution): Promise<ResolvedRow> {
  const { invocation, id, taskId } = resolution;
  await using opened = await openExistingRun(invocation, true);
  const { store } = opened;
  const { checkpoint } = store;
  const [item] = await checkpoint.itemsWithIds([id]);
  if (item === undefined) throw new UsageError(message('resolve.no-row', { id }));
  const waitMs = await awaitedMs(store, item);
  if (waitMs > 0)
    throw new UsageError(message('resolve.submitting', { id, seconds: Math.ceil(waitMs / 1_000) }));
  const at = await timeOf(store);
  const found = leftOver(item, taskId !== null && (await hasForgotten(store.settings)), at);
  refuseSettled(found, taskId);
  if (taskId !== null) {
    const conflict = await whoseTask(checkpoint, item, taskId);
    if (conflict !== null) throw new UsageError(conflict);
    await refuseUnknown(resolution, opened, taskId);
  } else await refuseDoubted(opened, [found], resolution.sure);
  const event: RestEvent =
    taskId === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId };
  const decision = resolveDecision(await deciderOf(store, opened.invocation), item, taskId);
  await checkpoint.commit([{ before: item, after: moveAtRest(found, event) }], settled([decision]));
  const [inFile] = await checkpoint.itemsWithIds([id], 'inFile');
  return { earlierTaskId: item.taskId, isInFile: inFile !== undefined };
}

/** What was decided about the task of a row: null for none. */
export function resolveDecision(decider: Decider, { key }: Item, taskId: string | null): Decision {
  return noteDecision(decider, 'resolve', taskId === null ? { not_created: true } : { task_id: taskId }, key);
}

/** What goes with a commit that settles rows. */
export function settled(decisions: readonly Decision[]): CommitExtras {
  return { room: null, facts: [], decisions };
}

/** Throws `UsageError` where the user is not `sure` that the creations of these rows made no task. */
export async function refuseDoubted(
  { store, invocation }: OpenRun,
  items: readonly Item[],
  sure: SureOfNone,
): Promise<void> {
  const { requestTimeoutMs } = policyOf(withSaved(invocation, await readSavedOptions(store)), 0);
  const now = await timeOf(store);
  const doubted = [...Map.groupBy(items, (item) => doubtOf(item, requestTimeoutMs, now))].flatMap(
    ([why, same]) => {
      const ids = same.map(({ id }) => id);
      const ageMs = Math.min(...same.map(({ submittedAt }) => now - (submittedAt ?? now)));
      return why === null ? [] : [{ why, ids, ageMs }];
    },
  );
  if (doubted.length > 0 && !(await sure(doubted))) throw new UsageError(message('resolve.nothing-changed'));
}

/**
 * The row as a start would find it when no answer is awaited: in a folder, which this process has locked, a `submitting` row is
 * left over, and a start makes it uncertain. `isForgotten`: its store is an older copy, and a pending row was sent.
 */
export function leftOver(item: Item, isForgotten: boolean, at: number): Item {
  if (item.status === 'submitting') return moveAtRest(item, { type: 'run-started', at });
  return item.status === 'pending' && isForgotten ? sentAndForgotten(item, at) : item;
}

/** The row was sent, and its store is an older copy that does not know it: it gets the attempt that the store forgot. */
function sentAndForgotten(item: Item, at: number): Item {
  const { key, id, quality } = item;
  const sent = {
    token: randomUUID(),
    key,
    id,
    attempt: item.attempt + 1,
    requestHash: null,
    quality,
    submittedAt: at,
    taskId: null,
    isVoid: false,
  };
  const steps = putBack(item, sent, at);
  return (Array.isArray(steps) ? steps.at(-1) : null) ?? item;
}

/**
 * Says whose task it is, if it is not to be found for this row's last attempt: the task of an earlier attempt made
 * another video, often of another text. Null where it may be adopted.
 */
export async function whoseTask(
  checkpoint: Pick<Checkpoint, 'itemOfTask'>,
  { key, taskId: ownTask }: Item,
  taskId: string,
): Promise<Message | null> {
  const holder = await checkpoint.itemOfTask(taskId);
  if (holder === null || (holder.key === key && ownTask !== null && isSameTask(ownTask, taskId))) return null;
  return holder.key === key
    ? message('task.earlier', { task: taskId })
    : message('task.other-row', { task: taskId, id: holder.id });
}

/** How long (ms) the answer to the creation of the row may still come; 0 where none is awaited. */
export async function awaitedMs({ sharing }: Pick<Store, 'sharing'>, { key }: Item): Promise<number> {
  const until = (await sharing?.answerBy(key)) ?? null;
  return until === null ? 0 : Math.max(0, until - (await timeOf({ sharing })));
}

/** A settled row stays settled: the service itself named its task. */
function refuseSettled(item: Item, taskId: string | null): void {
  const { id, status } = item;
  if (status === 'uncertain' || status === 'lost' || (taskId !== null && mayFindTask(item))) return;
  throw new UsageError(message('resolve.settled', { id, status }));
}

/** A mistyped id would make the row lost, and its video would never be downloaded. */
async function refuseUnknown({ agree, unchecked }: Resolution, run: OpenRun, taskId: string): Promise<void> {
  const answer = await askAboutTask(run, agree, taskId);
  if (answer.isKnown === false)
    throw new UsageError(message('resolve.unknown-task', { task: taskId, failure: answer.failure }));
  if (answer.isKnown === null) unchecked(answer.why);
}
