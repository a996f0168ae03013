/**
 * Saves events: decides, commits, and decides again where another process changed an item meanwhile. All events of a
 * turn and the claims that go with them are one transaction.
 */

import { NoRoomError, StaleItemError } from '../errors.ts';
import { type Effect, type ItemEvent, isCreationEvent } from '../money/event.ts';
import type { Item } from '../money/item.ts';
import type { Policy } from '../money/policy.ts';
import { isAbout, type Subject } from '../money/subject.ts';
import { isSameTask } from '../money/task-id.ts';
import { IllegalMove, transition } from '../money/transition.ts';
import type { Change, Checkpoint } from '../stores/port/checkpoint.ts';
import type { QueuedEvent, RunContext } from './context.ts';
import { type Entry, replaceItem } from './entry.ts';
import type { Claims } from './submitting/claims.ts';
import type { Submissions } from './submitting/submissions.ts';

/** How often a turn is decided again. A store that refuses more often is broken, and the run ends. */
const mostTries = 20;

/** An event about an attempt that its item has left. */
export type LateEvent = QueuedEvent & { readonly about: Subject };

/** What to save, and what to start afterwards. */
interface Decision {
  /** The events as applied; one that contradicts the checkpoint is replaced. */
  readonly events: readonly QueuedEvent[];
  readonly changes: ReadonlyMap<Entry, Change>;
  readonly orders: readonly { readonly entry: Entry; readonly effect: Effect }[];
  /**
   * True where a row gets the task of its own earlier attempt again: its points move along, which the ledger does not
   * see.
   */
  readonly passesPoints: boolean;
  /** Events about attempts that their items have left: they say nothing of the current one. */
  readonly late: readonly LateEvent[];
}

/** What was saved, and the effects to start now. */
export interface Saved extends Pick<Decision, 'orders' | 'passesPoints' | 'late'> {
  readonly changes: readonly (readonly [Entry, Change])[];
  /** False where the store's answer was late: claims among the changes must not be sent. */
  readonly isAnswered: boolean;
}

export class Commits {
  readonly #run: RunContext;
  readonly #claims: Claims;
  readonly #submissions: Submissions;

  constructor(run: RunContext, claims: Claims, submissions: Submissions) {
    this.#run = run;
    this.#claims = claims;
    this.#submissions = submissions;
  }

  /** Null when it could not be saved: the run fails. */
  async save(came: readonly QueuedEvent[], claims: readonly QueuedEvent[]): Promise<Saved | null> {
    const { checkpoint } = this.#run.ports;
    const reloaded = new Set<number>();
    let most = Number.POSITIVE_INFINITY;
    for (let tries = 1; ; tries += 1) {
      const decided = await this.#decide(came, reloaded);
      if (tries === 1)
        for (const { entry, event } of decided.events)
          if (isCreationEvent(event)) this.#run.health.noteCreationEnd(entry, event, this.#run.ledger);
      // A claim was prepared for the old version of its item: its row waits for the next choice.
      const fresh = claims.filter(({ entry }) => !reloaded.has(entry.item.key));
      const admitted = this.#claims.admit(fresh, [...decided.changes.values()]).slice(0, most);
      const claimed = await this.#decide(admitted, reloaded);
      const changes = [...decided.changes, ...claimed.changes];
      let isAnswered: boolean;
      try {
        const extras = this.#run.extrasOf(claimed.events, decided.events, [...decided.changes.values()]);
        ({ isAnswered } = await checkpoint.commit(
          changes.map(([, change]) => change),
          extras,
        ));
      } catch (error) {
        if (error instanceof NoRoomError && most > 0) {
          // Others may take these places, too, before they are claimed.
          most = most === Number.POSITIVE_INFINITY ? (error.left?.places ?? 0) : 0;
          this.#run.noteRoomTaken(error.left);
          continue;
        }
        if (error instanceof StaleItemError && tries < mostTries) {
          await this.#reload(error.keys, [...came, ...claims], reloaded);
          continue;
        }
        this.#run.keepUnsaved([...came, ...claimed.events], error);
        return null;
      }
      const { passesPoints, late } = decided;
      return { changes, orders: [...decided.orders, ...claimed.orders], passesPoints, late, isAnswered };
    }
  }

  #decide(queue: readonly QueuedEvent[], reloaded: ReadonlySet<number>): Promise<Decision> {
    const { options, ports } = this.#run;
    return decide(queue, options.policy, ports.checkpoint, (queued, error) => {
      const { entry, event } = queued;
      if (!(error instanceof IllegalMove) || !reloaded.has(entry.item.key)) {
        this.#run.keepUnsaved([queued], error);
        return;
      }
      const { id, status } = entry.item;
      ports.log.info(
        { id, status, event: event.type },
        'an event came too late: another process moved the row on',
      );
    });
  }

  /** Loads the changed items again. */
  async #reload(
    keys: readonly number[],
    queue: readonly QueuedEvent[],
    reloaded: Set<number>,
  ): Promise<void> {
    const { checkpoint, clock, log } = this.#run.ports;
    const entries = new Set(queue.map(({ entry }) => entry).filter(({ item }) => keys.includes(item.key)));
    for (const entry of entries) {
      const item = await checkpoint.itemWithKey(entry.item.key);
      if (item !== null) replaceItem(entry, item, clock);
      reloaded.add(entry.item.key);
    }
    log.info({ count: entries.size }, 'rows were changed by another process and are decided again');
    await this.#run.countAgain();
    await this.#submissions.reload();
  }
}

/** Decides event by event; an illegal one goes to `onFailure` and changes nothing. */
async function decide(
  queue: readonly QueuedEvent[],
  policy: Policy,
  checkpoint: Pick<Checkpoint, 'itemOfTask'>,
  onFailure: (queued: QueuedEvent, error: unknown) => void,
): Promise<Decision> {
  const owners = ownersOf(queue, checkpoint);
  const changes = new Map<Entry, Change>();
  const orders: { entry: Entry; effect: Effect }[] = [];
  const events: QueuedEvent[] = [];
  const late: LateEvent[] = [];
  let passesPoints = false;
  for (const queued of queue) {
    const { entry, about } = queued;
    try {
      const now = changes.get(entry)?.after ?? entry.item;
      if (about !== null && !isAbout(about, queued.event, now)) {
        late.push({ ...queued, about });
        continue;
      }
      const event = await withoutTakenTask(queued, changes, owners);
      if (event === null) continue;
      events.push({ ...queued, event });
      passesPoints ||=
        namesTask(event) &&
        entry.item.attempt > 1 &&
        (await owners.get(event.taskId))?.key === entry.item.key;
      const { item, effects } = transition(now, event, policy);
      if (item !== now) changes.set(entry, { before: entry.item, after: item });
      for (const effect of effects) orders.push({ entry, effect });
    } catch (error) {
      onFailure(queued, error);
    }
  }
  return { events, changes, orders, passesPoints, late };
}

type TaskEvent = Extract<ItemEvent, { type: 'creation-accepted' | 'task-adopted' }>;

function namesTask(event: ItemEvent): event is TaskEvent {
  return event.type === 'creation-accepted' || event.type === 'task-adopted';
}

/** The items that have these tasks, by task: looked up at once, so that a store on another machine is asked once. */
type Owners = ReadonlyMap<string, Promise<Item | null>>;

function ownersOf(queue: readonly QueuedEvent[], checkpoint: Pick<Checkpoint, 'itemOfTask'>): Owners {
  const tasks = new Set(queue.flatMap(({ event }) => (namesTask(event) ? [event.taskId] : [])));
  return new Map(
    [...tasks].map((task) => {
      const owner = checkpoint.itemOfTask(task);
      // It fails for the event that names the task.
      owner.catch(() => {});
      return [task, owner];
    }),
  );
}

/**
 * Two rows with one task would hide which of them was paid: the outcome of the second creation is unknown, and an
 * uncertain row stays uncertain. `changes` will be saved with this event. Null for no change.
 */
async function withoutTakenTask(
  { event, entry: { item } }: QueuedEvent,
  changes: ReadonlyMap<Entry, Change>,
  owners: Owners,
): Promise<ItemEvent | null> {
  if (!namesTask(event)) return event;
  const { at, taskId } = event;
  const unsaved = [...changes.values()].find(
    ({ after }) => after.taskId !== null && isSameTask(after.taskId, taskId),
  );
  const other = unsaved?.after ?? (await owners.get(taskId)) ?? null;
  // A new attempt answered with the task of the row's own earlier attempt takes it over.
  if (other === null || other.key === item.key) return event;
  if (event.type === 'task-adopted') return null;
  const failure = `the service answered with task ${taskId}, which belongs to row ${other.id}`;
  return { type: 'creation-uncertain', at, failure, origin: 'service' };
}
