/** What effects work with, and what they report to. */

import type { ItemEvent } from '../money/item.ts';
import type { Subject } from '../money/subject.ts';
import type { EndingReason } from '../money/summary.ts';
import type { Clock, FileHost, Log, OutputTree, Reporter, TaskService } from '../ports.ts';
import type { Entry } from './entry.ts';

export interface EffectPorts {
  readonly clock: Clock;
  readonly service: TaskService;
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly log: Log;
  readonly reporter: Reporter;
}

/** What effects report to the runner. */
export interface EffectOutlet {
  /** `about`: the attempt of the item as the request or the wait began that now ends as this event. */
  post(entry: Entry, event: ItemEvent, about: Subject): void;
  /** The service answered a poll in any way; `knowsTask` is false where it does not know the task. */
  serviceAnswered(knowsTask: boolean): void;
  /** A poll got no answer; the service may have asked for a pause of polling (ms). */
  pollUnanswered(retryAfterMs: number | null, failure: string): void;
  stop(reason: EndingReason, failure: string): void;
  /** An effect ended; the entry may be released. */
  released(entry: Entry): void;
  failed(error: unknown): void;
  isStopping(): boolean;
}
