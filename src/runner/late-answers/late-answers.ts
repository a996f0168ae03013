/**
 * Answers to creations that come late, and the ways they come: the token of an attempt that its row has left, in a commit (here); a
 * callback that names a task (`callback-tasks.ts`); the journal at a start, the scratch folder of a dead worker and the memory of a
 * machine (`late-tasks.ts`). What becomes of a task is decided in one place, `judgeLateTask`; what it costs is asked by
 * `superseded-attempts.ts`, and what cannot be saved is kept by `unsaved-tasks.ts`.
 */

import { message } from '../../messages/message.ts';
import type { AttemptTask } from '../../ports.ts';
import type { LateEvent } from '../commits.ts';
import type { RunContext } from '../context.ts';
import type { SupersededAttempts } from './superseded-attempts.ts';

/** Answers about attempts that their rows have left. */
export class LateAnswers {
  readonly #run: RunContext;
  readonly #superseded: SupersededAttempts;

  constructor(run: RunContext, superseded: SupersededAttempts) {
    this.#run = run;
    this.#superseded = superseded;
  }

  /** Saves the task, or the price, with its attempt, because it was paid for. */
  async save({ entry, about, event }: LateEvent): Promise<void> {
    const { id } = entry.item;
    const { token } = about;
    this.#run.ports.log.info({ id, event: event.type }, 'an answer came after its row had a new attempt');
    if (token === null) return;
    try {
      if (event.type === 'task-completed' || event.type === 'task-failed')
        await this.#superseded.price({ token, taskId: about.taskId ?? '' }, event);
      if (event.type === 'creation-accepted') await this.#saveTask(id, { token, taskId: event.taskId });
    } catch (error) {
      this.#run.keepUnsaved([{ entry, event, about }], error);
    }
  }

  async #saveTask(id: string, task: AttemptTask): Promise<void> {
    const { checkpoint, reporter } = this.#run.ports;
    const { taskId } = task;
    if (await this.#superseded.save(task)) {
      reporter.note(message('attempt.answered', { id, taskId }));
      await this.#run.countAgain();
    } else if ((await checkpoint.itemOfTask(taskId)) !== null)
      reporter.warn(message('attempt.of-another-row', { id, taskId }));
    // Else a shared store has forgotten the attempt: the memory of this machine puts it back.
  }
}
