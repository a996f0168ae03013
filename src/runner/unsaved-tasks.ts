/** Tasks that the service accepted and the checkpoint could not take: their ids are said aloud, or they would be lost. */

import type { Item, ItemEvent } from '../core/item.ts';
import { DiskError, messageOf } from '../errors.ts';

export class UnsavedTasks {
  readonly #tasks: { readonly id: string; readonly taskId: string }[] = [];

  /** Remembers the task, if this event that could not be saved names one. */
  note(item: Item, event: ItemEvent): void {
    if (event.type === 'creation-accepted') this.#tasks.push({ id: item.id, taskId: event.taskId });
  }

  /** The error with the tasks that it kept from being saved, and what to do about them. */
  explain(error: unknown): unknown {
    if (this.#tasks.length === 0) return error;
    const tasks = this.#tasks.map(({ id, taskId }) => `row ${id}: --task-id ${taskId}`).join(', ');
    return new DiskError(
      `${messageOf(error)}; these tasks were accepted and could not be saved, settle them with \`batch resolve\`: ${tasks}`,
      error,
    );
  }
}
