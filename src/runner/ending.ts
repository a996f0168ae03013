/** Whether a run ends, and how: the first reason counts, and a failure is thrown once everything is at rest. */

import { DiskError, isBug, messageOf, stackOf } from '../errors.ts';
import { inEnglish, type Said } from '../messages/message.ts';
import type { EndingReason } from '../money/summary.ts';
import type { QueuedEvent, RunnerPorts } from './context.ts';
import { UnsavedTasks } from './late-answers/unsaved-tasks.ts';

/** How a run ended. */
export interface RunEnding {
  readonly reason: EndingReason;
  /** The message of the failure that stopped it; null when there was none. */
  readonly failure: string | null;
  /** The same, where it is known in the user's language. */
  readonly said?: Said;
  /** Creations whose task ids are in the journal but not in the checkpoint; the next start saves them. */
  readonly keptCount?: number;
  /** True where other processes may work on the run. */
  readonly isShared?: boolean;
}

export class Ending {
  readonly #ports: RunnerPorts;
  readonly #unsaved: UnsavedTasks;
  #stopped: RunEnding | null = null;
  /** A bug, or a checkpoint that cannot be written. */
  #failure: unknown = null;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#unsaved = new UnsavedTasks(ports.journal);
  }

  /** How the run ends; null while it continues. */
  get stopped(): RunEnding | null {
    return this.#stopped;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** False where the run was ending already. */
  stop(reason: EndingReason, failed: Said | null): boolean {
    if (this.#stopped !== null) return false;
    const failure = failed === null ? null : inEnglish(failed);
    this.#stopped = {
      reason,
      failure,
      ...(typeof failed === 'object' && failed !== null && { said: failed }),
    };
    this.#ports.log.info({ reason, failure }, 'the run stops');
    return true;
  }

  /** Notes a failure that nothing can be done about; returns the reason to stop with. */
  noteFailure(error: unknown): EndingReason {
    this.#failure ??= error;
    const reason = reasonOf(error);
    this.#ports.log.warn({ reason, failure: messageOf(error), stack: stackOf(error) }, 'the run fails');
    return reason;
  }

  /** Keeps the task ids that the service returned, which would otherwise be lost with this process. */
  keepUnsaved(queue: readonly QueuedEvent[]): void {
    for (const { entry, event, about } of queue) this.#unsaved.note(entry.item, event, about?.token ?? null);
  }

  /** Throws the failure, if there was one, after a last try to save what it kept from being saved. */
  async throwFailure(): Promise<void> {
    if (this.#failure === null) return;
    await this.#unsaved.trySaving(this.#ports.checkpoint, this.#ports.clock);
    throw this.#unsaved.explain(this.#failure);
  }
}

/** The kind of failure: for a bug, the log must not suggest a full disk. */
function reasonOf(error: unknown): EndingReason {
  if (error instanceof DiskError) return 'disk';
  return isBug(error) ? 'bug' : 'checkpoint';
}
