/** What the runner holds in memory: only items it is busy with, never the pending million. */

import type { Item } from '../core/item.ts';
import type { PollEnd } from '../core/status-answer.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** An item the run is busy with. */
export interface Entry {
  /** As the checkpoint holds it. */
  item: Item;
  /** Effects on their way, by name: one of each kind and file at a time. Changed by `noteStarted` and `noteEnded` alone. */
  busy: Set<string>;
  /** Events that have come and are not settled yet. */
  uncommittedCount: number;
  /** When this run took the item up (steady ms), and how old its task was then (ms). */
  readonly takenAt: number;
  readonly takenAgeMs: number;
  /** Since when the service has not known the task (steady ms); null while it does. */
  unknownSince: number | null;
  /** Ticks in a row at which the service said that the task goes on, past its time. */
  overdueTicks: number;
  /** Ticks at which the row is still asked for its points, though it has its video; and how many answers are waited for. */
  priceTicks: number;
  priceAnswers: number;
  /** The creation that is about to leave; let go when it has. */
  request: PreparedRequest | null;
}

/**
 * Shared by all entries that wait. With a set of its own for each of 100,000 open tasks, `npm run bench -- sweep` takes 473 MB
 * instead of 409 MB, and 44 µs of the processor for a poll instead of 40 µs.
 */
const noEffects: Set<string> = new Set();

/** `now` is epoch ms, `takenAt` steady ms. */
export function createEntry(item: Item, now: number, takenAt: number): Entry {
  return {
    item,
    busy: noEffects,
    uncommittedCount: 0,
    takenAt,
    takenAgeMs: takenAgeMs(item, now),
    unknownSince: null,
    overdueTicks: 0,
    priceTicks: 0,
    priceAnswers: 0,
    request: null,
  };
}

/** A row that waits has no task: when it was last sent says nothing of the next one's age. */
function takenAgeMs({ status, submittedAt }: Item, now: number): number {
  return status === 'pending' || submittedAt === null ? 0 : Math.max(0, now - submittedAt);
}

/** How old the task is (ms): what a clock says at the start, and from there on what has really passed. */
export function ageOf({ takenAt, takenAgeMs }: Entry, now: number): number {
  return takenAgeMs + now - takenAt;
}

/** Takes note of what a tick brought: how often and how long the service says what ends a task only when it lasts. */
export function noteTick(
  entry: Entry,
  { type }: Pick<PollEnd, 'type'>,
  { now, isPast }: { readonly now: number; readonly isPast: boolean },
): void {
  if (entry.priceTicks > 0) {
    if (type !== 'poll-unanswered') entry.priceAnswers -= 1;
    entry.priceTicks = entry.priceAnswers === 0 ? 0 : entry.priceTicks - 1;
  }
  if (type === 'poll-unanswered') return;
  entry.unknownSince = type === 'task-not-found' ? (entry.unknownSince ?? now) : null;
  entry.overdueTicks = type === 'task-progressed' && isPast ? entry.overdueTicks + 1 : 0;
}

/** An effect of this name starts; false when one is on its way already. */
export function noteStarted(entry: Entry, name: string): boolean {
  if (entry.busy.has(name)) return false;
  if (entry.busy === noEffects) entry.busy = new Set([name]);
  else entry.busy.add(name);
  return true;
}

/** The effect of this name has ended. */
export function noteEnded(entry: Entry, name: string): void {
  entry.busy.delete(name);
  if (entry.busy.size === 0) entry.busy = noEffects;
}

/** True while the runner must keep the item: the service works for it, its files are not here, an effect runs or has just ended. */
export function isHeld(entry: Entry): boolean {
  return entry.busy.size > 0 || entry.uncommittedCount > 0 || entry.priceTicks > 0 || isActive(entry.item);
}

function isActive(item: Item): boolean {
  return item.status === 'submitting' || item.status === 'open' || item.status === 'downloading';
}

/** True when the tick asks for this item: its task is open, or it needs a link and nothing is on its way to one. */
export function isPolled(entry: Entry): boolean {
  const { busy, item, uncommittedCount } = entry;
  if (busy.has('poll')) return false;
  if (entry.priceTicks > 0) return item.status === 'completed';
  return item.status === 'open' || (item.status === 'downloading' && busy.size + uncommittedCount === 0);
}
