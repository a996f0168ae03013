/** Applies events to their items, before anything is saved. */

import { type CreationEvent, type Effect, type ItemEvent, isCreationEvent } from '../core/item.ts';
import type { Policy } from '../core/policy.ts';
import { transition } from '../core/transition.ts';
import type { Change, Checkpoint } from '../store.ts';
import type { Entry } from './entry.ts';

/** An event and its item. */
export interface Arrival {
  readonly entry: Entry;
  readonly event: ItemEvent;
  /** For the end of a creation: the token of its attempt. */
  readonly token?: string | null;
}

/** What to save, and what to start afterwards. */
export interface Decision {
  /** The events as applied; one that contradicts the checkpoint is replaced. */
  readonly events: readonly Arrival[];
  readonly changes: ReadonlyMap<Entry, Change>;
  readonly orders: readonly { readonly entry: Entry; readonly effect: Effect }[];
  /**
   * True where a row gets the task of its own earlier attempt again: its points move along, which the ledger does not
   * see.
   */
  readonly passesPoints: boolean;
  /** Ends of creations of superseded attempts: they say nothing of the current one. */
  readonly late: readonly { readonly entry: Entry; readonly token: string; readonly event: CreationEvent }[];
}

/** Decides event by event; an illegal one goes to `failed` and changes nothing. */
export async function decide(
  arrivals: readonly Arrival[],
  policy: Policy,
  checkpoint: Pick<Checkpoint, 'itemOfTask'>,
  failed: (arrival: Arrival, error: unknown) => void,
): Promise<Decision> {
  const changes = new Map<Entry, Change>();
  const orders: { entry: Entry; effect: Effect }[] = [];
  const events: Arrival[] = [];
  const late: Decision['late'][number][] = [];
  let passesPoints = false;
  for (const arrival of arrivals) {
    const { entry, token = null } = arrival;
    try {
      if (isCreationEvent(arrival.event) && token !== null && token !== entry.item.token) {
        late.push({ entry, token, event: arrival.event });
        continue;
      }
      const event = await checked(arrival, changes, checkpoint);
      if (event === null) continue;
      events.push({ entry, event });
      passesPoints ||=
        namesTask(event) && entry.item.attempt > 1 && (await isOwnTask(event, entry, checkpoint));
      const now = changes.get(entry)?.after ?? entry.item;
      const { item, effects } = transition(now, event, policy);
      if (item !== now) changes.set(entry, { before: entry.item, after: item });
      for (const effect of effects) orders.push({ entry, effect });
    } catch (error) {
      failed(arrival, error);
    }
  }
  return { events, changes, orders, passesPoints, late };
}

type TaskEvent = Extract<ItemEvent, { type: 'creation-accepted' | 'task-adopted' }>;

function namesTask(event: ItemEvent): event is TaskEvent {
  return event.type === 'creation-accepted' || event.type === 'task-adopted';
}

async function isOwnTask(
  { taskId }: TaskEvent,
  { item }: Entry,
  checkpoint: Pick<Checkpoint, 'itemOfTask'>,
): Promise<boolean> {
  return (await checkpoint.itemOfTask(taskId))?.key === item.key;
}

/**
 * Two rows with one task would hide which of them was paid: the outcome of the second creation is unknown, and an
 * uncertain row stays uncertain. `changes` will be saved with this event. Null for no change.
 */
async function checked(
  { event, entry: { item } }: Arrival,
  changes: ReadonlyMap<Entry, Change>,
  checkpoint: Pick<Checkpoint, 'itemOfTask'>,
): Promise<ItemEvent | null> {
  if (!namesTask(event)) return event;
  const { at, taskId } = event;
  const unsaved = [...changes.values()].find(({ after }) => after.taskId === taskId);
  const other = unsaved?.after ?? (await checkpoint.itemOfTask(taskId));
  // A new attempt answered with the task of the row's own earlier attempt takes it over.
  if (other === null || other.key === item.key) return event;
  if (event.type === 'task-adopted') return null;
  const failure = `the service answered with task ${taskId}, which belongs to row ${other.id}`;
  return { type: 'creation-uncertain', at, failure, origin: 'service' };
}
