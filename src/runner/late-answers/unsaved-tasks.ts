/**
 * Tasks that the service accepted and the checkpoint could not save: saving is tried again, and otherwise reported, so
 * that they are not lost.
 */

import { BatchError, bugExitCode, CheckpointError, DiskError, saidOf } from '../../errors.ts';
import { inBoth, message } from '../../messages/message.ts';
import type { ItemEvent } from '../../money/event.ts';
import type { Item } from '../../money/item.ts';
import type { AttemptTask, Clock, IdJournal } from '../../ports.ts';
import { type LateTaskStore, saveLateTasks } from './late-tasks.ts';

/** Pauses (ms) before each further try: a disk that was full for a moment has room again, and the user does not wait long. */
const pausesMs = [500, 1_500, 3_000] as const;

interface UnsavedTask {
  /** As saved in the checkpoint. */
  readonly item: Item;
  readonly event: Extract<ItemEvent, { type: 'creation-accepted' }>;
  /** The token of the attempt. */
  readonly token: string | null;
}

export class UnsavedTasks {
  readonly #journal: IdJournal | null;
  #tasks: readonly UnsavedTask[] = [];
  /** Those that the next start finds in the journal. */
  readonly #kept = new Set<UnsavedTask>();

  constructor(journal: IdJournal | null) {
    this.#journal = journal;
  }

  /** Keeps the task, if this unsaved event names one. */
  note(item: Item, event: ItemEvent, token: string | null = null): void {
    if (event.type !== 'creation-accepted') return;
    // The same arrival may fail twice: when decided and when saved.
    if (this.#tasks.some((task) => task.event === event)) return;
    const task = { item, event, token: token ?? item.token };
    this.#tasks = [...this.#tasks, task];
    // At once: the program may end at any moment.
    const id = idOf(task);
    if (id !== null && this.#journal?.keep(id)) this.#kept.add(task);
    this.#journal?.sync();
  }

  /** Saves them after all, if the disk recovers within seconds; call it when nothing else is being saved. */
  async trySaving(checkpoint: LateTaskStore, clock: Clock): Promise<void> {
    for (const ms of pausesMs) {
      if (this.#tasks.length === 0) return;
      await clock.wait(ms);
      const left: UnsavedTask[] = [];
      for (const task of this.#tasks) {
        const id = idOf(task);
        if (id !== null && (await isSaved(checkpoint, id, clock.now()))) this.#journal?.forget([id]);
        else left.push(task);
      }
      this.#tasks = left;
    }
  }

  /** The error, with the tasks it kept from being saved, and what to do about them. */
  explain(error: unknown): unknown {
    const lost = this.#tasks.filter((task) => !this.#kept.has(task));
    if (lost.length === 0) return error;
    const { code, exitCode } = error instanceof BatchError ? error : { code: 'BUG', exitCode: bugExitCode };
    const tasks = lost.map(({ item, event }) => `row ${item.id}: --task-id ${event.taskId}`).join(', ');
    const text = message('store.unsaved-tasks', { error: inBoth(saidOf(error)), tasks });
    if (error instanceof DiskError) return new DiskError(text, error);
    if (error instanceof CheckpointError) return new CheckpointError(text, error);
    return new BatchError(code, exitCode, text, error);
  }
}

function idOf({ token, event }: UnsavedTask): AttemptTask | null {
  return token === null ? null : { token, taskId: event.taskId };
}

/** A task that another row has by now stays unsaved: two rows with one task would hide which was paid. */
async function isSaved(checkpoint: LateTaskStore, id: AttemptTask, now: number): Promise<boolean> {
  try {
    return (await saveLateTasks(checkpoint, [id], now)).length > 0;
  } catch {
    // The first error is the one reported; this one only shows that it persists.
    return false;
  }
}
