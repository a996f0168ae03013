/**
 * Which attempt an answer is about. A request may take longer than the attempt it was made for: meanwhile another process
 * may have ended that attempt and paid for the next one, whose task must not get the price or the video of the earlier one.
 */

import { type ItemEvent, isCreationEvent } from './event.ts';
import type { Item } from './item.ts';

/** The attempt and the task of an item as a request about it started. */
export type Subject = Pick<Item, 'token' | 'taskId'>;

export function subjectOf({ token, taskId }: Item): Subject {
  return { token, taskId };
}

/** True while the item still has the attempt and the task. */
export function isSameSubject(subject: Subject, item: Item): boolean {
  return subject.token === item.token && subject.taskId === item.taskId;
}

/**
 * True where the event, the end of a request about this subject, says something of the item as it is now. The answer to a
 * creation belongs to its attempt, whatever task that attempt was given meanwhile.
 */
export function isAbout(subject: Subject, event: ItemEvent, item: Item): boolean {
  return isCreationEvent(event) ? subject.token === item.token : isSameSubject(subject, item);
}
