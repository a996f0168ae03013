/** The events that the next turn saves. */

import type { ItemEvent } from '../money/event.ts';
import type { Policy } from '../money/policy.ts';
import { isAbout, type Subject } from '../money/subject.ts';
import { transition } from '../money/transition.ts';
import type { Redact } from '../text/redact.ts';
import type { QueuedEvent } from './context.ts';
import type { Entry } from './entry.ts';

export class Inbox {
  readonly #redact: Redact;
  readonly #policy: Policy;
  #events: QueuedEvent[] = [];

  constructor(redact: Redact, policy: Policy) {
    this.#redact = redact;
    this.#policy = policy;
  }

  get count(): number {
    return this.#events.length;
  }

  /** Most polls bring nothing new, and waking the run for each would cost more than the request. */
  isNews(entry: Entry, event: ItemEvent, about: Subject): boolean {
    if (event.type !== 'task-progressed' || entry.uncommittedCount > 0) return true;
    if (!isAbout(about, event, entry.item)) return false;
    const { item, effects } = transition(entry.item, event, this.#policy);
    return item !== entry.item || effects.length > 0;
  }

  add(entry: Entry, event: ItemEvent, about: Subject): void {
    entry.uncommittedCount += 1;
    this.#events.push({ entry, event: withoutSecrets(event, this.#redact), about });
  }

  /** Hands over the events for the current commit. */
  drain(): readonly QueuedEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Redacts all failures in one place, so that memory, checkpoint and reports show the same text. */
function withoutSecrets(event: ItemEvent, redact: Redact): ItemEvent {
  if (!('failure' in event) || event.failure === null) return event;
  return { ...event, failure: redact(event.failure) };
}
