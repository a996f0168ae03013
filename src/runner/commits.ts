/**
 * Saves events: decides, commits, and decides again where another process changed an item meanwhile. All events of a
 * turn and the claims that go with them are one transaction.
 */

import { NoRoomError, StaleItemError } from '../errors.ts';
import { type CreationEvent, type Effect, type ItemEvent, isCreationEvent } from '../money/item.ts';
import type { Policy } from '../money/policy.ts';
import { isAbout, type Subject } from '../money/subject.ts';
import { isSameTask } from '../money/task-id.ts';
import { IllegalMove, transition } from '../money/transition.ts';
import type { Clock, Log } from '../ports.ts';
import type { Beside, Change, Checkpoint } from '../stores/port/checkpoint.ts';
import { type Entry, replaceItem } from './entry.ts';

/** How often a turn is decided again. A store that refuses more often is broken, and the run ends. */
const mostTries = 20;

/** An event and its item. */
export interface Arrival {
  readonly entry: Entry;
  readonly event: ItemEvent;
  /** The attempt that the event is about. Null for a claim, which is dropped where its item has changed. */
  readonly about: Subject | null;
}

/** What to save, and what to start afterwards. */
interface Decision {
  /** The events as applied; one that contradicts the checkpoint is replaced. */
  readonly events: readonly Arrival[];
  readonly changes: ReadonlyMap<Entry, Change>;
  readonly orders: readonly { readonly entry: Entry; readonly effect: Effect }[];
  /**
   * True where a row gets the task of its own earlier attempt again: its points move along, which the ledger does not
   * see.
   */
  readonly passesPoints: boolean;
  /** Events about attempts that their items have left: they say nothing of the current one. */
  readonly late: readonly (Arrival & { readonly about: Subject })[];
}

/** What commits need from the runner. */
export interface CommitOutlet {
  /** A creation ended; called once, before claims are admitted. */
  creationEnded(entry: Entry, event: CreationEvent): void;
  /** The claims that still have room beside these changes. */
  admit(claims: readonly Arrival[], changes: readonly Change[]): readonly Arrival[];
  /** Other processes have changed these items: counts in memory are outdated. */
  reloaded(): Promise<void>;
  /** What goes with the commit to a shared store; undefined where one process has the run. */
  beside(claims: readonly Arrival[], saved: Pick<Decision, 'events' | 'changes'>): Beside | undefined;
  /** Other processes took the room of the claims. */
  noRoom(): void;
  /** An illegal event, or one that could not be saved. */
  failed(arrivals: readonly Arrival[], error: unknown): void;
}

/** What was saved, and the effects to start now. */
export interface Saved extends Pick<Decision, 'orders' | 'passesPoints' | 'late'> {
  readonly changes: readonly (readonly [Entry, Change])[];
  /** False where it was learned late that the changes are saved: claims among them must not be sent. */
  readonly isHeard: boolean;
}

export class Commits {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #policy: Policy;
  readonly #outlet: CommitOutlet;

  constructor(
    { checkpoint, clock, log }: { readonly checkpoint: Checkpoint; readonly clock: Clock; readonly log: Log },
    policy: Policy,
    outlet: CommitOutlet,
  ) {
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#log = log;
    this.#policy = policy;
    this.#outlet = outlet;
  }

  /** Null when it could not be saved: `failed` has the reason. */
  async save(came: readonly Arrival[], claims: readonly Arrival[]): Promise<Saved | null> {
    const reloaded = new Set<number>();
    let isFull = false;
    for (let tries = 1; ; tries += 1) {
      const decided = await this.#decide(came, reloaded);
      if (tries === 1)
        for (const { entry, event } of decided.events)
          if (isCreationEvent(event)) this.#outlet.creationEnded(entry, event);
      // A claim was prepared for the old version of its item: its row waits for the next choice.
      const fresh = isFull ? [] : claims.filter(({ entry }) => !reloaded.has(entry.item.key));
      const admitted = this.#outlet.admit(fresh, [...decided.changes.values()]);
      const claimed = await this.#decide(admitted, reloaded);
      const changes = [...decided.changes, ...claimed.changes];
      let isHeard: boolean;
      try {
        const beside = this.#outlet.beside(claimed.events, decided);
        ({ isHeard } = await this.#checkpoint.commit(
          changes.map(([, change]) => change),
          beside,
        ));
      } catch (error) {
        if (error instanceof NoRoomError && !isFull) {
          isFull = true;
          this.#outlet.noRoom();
          continue;
        }
        if (error instanceof StaleItemError && tries < mostTries) {
          await this.#reload(error.keys, [...came, ...claims], reloaded);
          continue;
        }
        this.#outlet.failed([...came, ...claimed.events], error);
        return null;
      }
      const { passesPoints, late } = decided;
      return { changes, orders: [...decided.orders, ...claimed.orders], passesPoints, late, isHeard };
    }
  }

  #decide(arrivals: readonly Arrival[], reloaded: ReadonlySet<number>): Promise<Decision> {
    return decide(arrivals, this.#policy, this.#checkpoint, (arrival, error) => {
      const { entry, event } = arrival;
      if (!(error instanceof IllegalMove) || !reloaded.has(entry.item.key)) {
        this.#outlet.failed([arrival], error);
        return;
      }
      const { id, status } = entry.item;
      this.#log.info(
        { id, status, event: event.type },
        'an event came too late: another process moved the row on',
      );
    });
  }

  /** Loads the changed items again. */
  async #reload(keys: readonly number[], arrivals: readonly Arrival[], reloaded: Set<number>): Promise<void> {
    const entries = new Set(arrivals.map(({ entry }) => entry).filter(({ item }) => keys.includes(item.key)));
    for (const entry of entries) {
      const item = await this.#checkpoint.itemWithKey(entry.item.key);
      if (item !== null) replaceItem(entry, item, this.#clock);
      reloaded.add(entry.item.key);
    }
    this.#log.info({ count: entries.size }, 'rows were changed by another process and are decided again');
    await this.#outlet.reloaded();
  }
}

/** Decides event by event; an illegal one goes to `failed` and changes nothing. */
async function decide(
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
    const { entry, about } = arrival;
    try {
      const now = changes.get(entry)?.after ?? entry.item;
      if (about !== null && !isAbout(about, arrival.event, now)) {
        late.push({ ...arrival, about });
        continue;
      }
      const event = await checked(arrival, changes, checkpoint);
      if (event === null) continue;
      events.push({ ...arrival, event });
      passesPoints ||=
        namesTask(event) && entry.item.attempt > 1 && (await isOwnTask(event, entry, checkpoint));
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
  const unsaved = [...changes.values()].find(
    ({ after }) => after.taskId !== null && isSameTask(after.taskId, taskId),
  );
  const other = unsaved?.after ?? (await checkpoint.itemOfTask(taskId));
  // A new attempt answered with the task of the row's own earlier attempt takes it over.
  if (other === null || other.key === item.key) return event;
  if (event.type === 'task-adopted') return null;
  const failure = `the service answered with task ${taskId}, which belongs to row ${other.id}`;
  return { type: 'creation-uncertain', at, failure, origin: 'service' };
}
