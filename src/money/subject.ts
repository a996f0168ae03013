/**
 * Which attempt an answer is about. A request may take longer than the attempt it was made for: meanwhile another process
 * may have ended that attempt and paid for the next one, whose task must not get the price or the video of the earlier one.
 */

import { type RowKey, tokenMark } from '../text/ids/row-key.ts';
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
 * How a line of a table that came back, with this key or none, stands to its row: it is about the `same` attempt, another one,
 * that of a copy of the run, or it does not say.
 */
export function attemptOfLine(
  key: Pick<RowKey, 'attempt' | 'token'> | null,
  { attempt, token }: Pick<Item, 'attempt' | 'token'>,
): 'same' | 'other' | 'copy' | 'unsaid' {
  // Of a row with one attempt, or none, no line can mean another one.
  if (key === null || key.attempt === null) return attempt > 1 ? 'unsaid' : 'same';
  if (key.attempt !== attempt) return 'other';
  // A copy of the run counts its attempts alike. While a row waits it has no token.
  return key.token === '' || token === null || key.token === tokenMark(token) ? 'same' : 'copy';
}

/**
 * True where the event, the end of a request about this subject, says something of the item as it is now. The answer to a
 * creation belongs to its attempt, whatever task that attempt was given meanwhile.
 */
export function isAbout(subject: Subject, event: ItemEvent, item: Item): boolean {
  return isCreationEvent(event) ? subject.token === item.token : isSameSubject(subject, item);
}
