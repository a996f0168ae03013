/**
 * Saves tasks that are known late, wherever they come from: an answer after its row moved on, the journal of a full disk, the
 * folder of a dead process, the memory of a machine. What becomes of each is decided in one place (`judgeLateTask`).
 */

import { StaleItemError } from '../../errors.ts';
import { type AttemptNow, judgeLateTask, type LateTask } from '../../money/answers/late-answers.ts';
import type { AttemptTask } from '../../ports.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';

export type LateTaskStore = Pick<Checkpoint, 'attemptWithToken' | 'commit' | 'giveTask'>;

/** Returns the tasks that their attempts have now, those that had them before included. `at` is epoch ms. */
export async function saveLateTasks(
  store: LateTaskStore,
  tasks: readonly AttemptTask[],
  at: number,
): Promise<readonly AttemptTask[]> {
  const saved: AttemptTask[] = [];
  for (const task of tasks) if (await saveLateTask(store, task, at)) saved.push(task);
  return saved;
}

async function saveLateTask(store: LateTaskStore, task: AttemptTask, at: number): Promise<boolean> {
  let before: AttemptNow | null = null;
  while (true) {
    const now = await store.attemptWithToken(task.token);
    // Nothing has changed since the store refused it: another attempt has the task.
    if (before !== null && now !== null && isSame(before, now)) return false;
    const late = judgeLateTask(now, task.taskId, at);
    if (late.type === 'known') return true;
    if (late.type === 'refused') return false;
    if (await write(store, task, late)) return true;
    before = now;
  }
}

function isSame(before: AttemptNow, now: AttemptNow): boolean {
  return before.taskId === now.taskId && before.item?.version === now.item?.version;
}

/** False where another process was faster, or another attempt has the task. */
async function write(
  store: LateTaskStore,
  task: AttemptTask,
  late: Extract<LateTask, { type: 'settles' | 'superseded' }>,
): Promise<boolean> {
  if (late.type === 'superseded') return store.giveTask(task, late.before);
  try {
    await store.commit([late]);
    return true;
  } catch (error) {
    if (error instanceof StaleItemError) return false;
    throw error;
  }
}
