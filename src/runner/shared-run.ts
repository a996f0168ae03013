/**
 * The part of a runner in a run that several workers share: reads what the others did, keeps to the slices this worker
 * holds, and takes over the rows of workers that died. The tables are the truth; slices only say who looks after a row.
 */

import { type Effect, type Item, type ItemEvent, isCreationEvent } from '../money/item.ts';
import { fixed } from '../money/policy.ts';
import type { EndingReason, Ledger } from '../money/summary.ts';
import type { AttemptTask, Clock, IdJournal, Log, Placement } from '../ports.ts';
import type { Beside, Change, CreationFact } from '../stores/port/checkpoint.ts';
import { type SharedState, type Sharing, sliceCount } from '../stores/port/sharing.ts';
import type { Arrival } from './commits.ts';
import type { Entries } from './entries.ts';
import type { Entry } from './entry.ts';
import type { Submissions } from './submitting/submissions.ts';

export interface SharedRunOptions {
  readonly sharing: Sharing;
  readonly placement: Placement;
  /** True for a worker that waits for more work when there is none. */
  readonly stays: boolean;
  /** The round whose options this runner has; it ends when another one begins. */
  readonly round: number;
  /** What processes know of the store's past. */
  readonly memory: StoreMemory;
}

/**
 * Remembers the creations that left this machine, and how many the store knew. A database that was restored from a backup,
 * or a standby that lagged behind, knows fewer: rows that were paid for since are pending in it.
 */
export interface StoreMemory {
  /** Compares, and puts back what the store has forgotten; `held` are the items of this process. */
  check(state: SharedState, held: Iterable<Item>): Promise<MemoryEnd>;
  /** These items' creations are about to leave. Throws `DiskError` where that cannot be kept: then they must not. */
  leave(items: readonly Item[]): void;
  /** A creation was answered; null where it surely made no task. */
  answer(token: string, taskId: string | null): void;
  /** Creations that the store must know, as of the last check. */
  readonly least: number;
  /** The last one that left this machine (its token); null before the first. */
  readonly lastSent: string | null;
}

/**
 * `whole`: the store knows all that is known, and rows may be submitted. `settling`: not yet, look again. A failure: somebody
 * has to settle it.
 */
export type MemoryEnd = 'whole' | 'settling' | { readonly failure: string };

interface SharedRunPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: IdJournal | null;
}

/** What the shared part needs from the runner. */
export interface SharedRunOutlet {
  /** The numbers of the run as a whole. */
  counted(ledger: Ledger): void;
  post(entry: Entry, event: ItemEvent): void;
  /** Goes on with an item that another process left or changed. */
  take(item: Item): Promise<void>;
  /** All unfinished items of new slices are taken. */
  tookAll(): Promise<void>;
  letGo(entry: Entry): void;
  stop(reason: EndingReason, failure: string | null): void;
  /** Nothing is submitted until the user has settled this. */
  holdBack(failure: string | null): void;
  /** True while this worker does not reach the service. */
  isResting(): boolean;
  /** Probes the service, free of charge. */
  probe(): void;
}

export class SharedRun {
  readonly #ports: SharedRunPorts;
  readonly #options: SharedRunOptions;
  readonly #entries: Entries;
  readonly #submissions: Submissions;
  readonly #outlet: SharedRunOutlet;
  /** When to read what the others did, and when to look for unanswered creations (steady ms). */
  #lookAt = Number.NEGATIVE_INFINITY;
  #unansweredAt = Number.NEGATIVE_INFINITY;
  #probeAt = Number.NEGATIVE_INFINITY;
  #change = -1;
  #server = '';
  /** The number of the last fact that this worker considered; null before the first look. */
  #fact: number | null = null;
  /** The slices whose rows are loaded, all of them. */
  #held: Set<number> = new Set();
  #isSettled = false;

  constructor(
    ports: SharedRunPorts,
    options: SharedRunOptions,
    { entries, submissions }: { readonly entries: Entries; readonly submissions: Submissions },
    outlet: SharedRunOutlet,
  ) {
    this.#ports = ports;
    this.#options = options;
    this.#entries = entries;
    this.#submissions = submissions;
    this.#outlet = outlet;
  }

  /** True while this worker does what one worker of the run is enough for. */
  get isKeeper(): boolean {
    return this.#options.placement.isKeeper;
  }

  /** True when nothing is left to wait for: no row of the run is submitting, open or downloading, whoever has it. */
  get isOver(): boolean {
    return this.#isSettled && !this.#options.stays;
  }

  /** True while this worker waits for more work than there is. */
  get isIdle(): boolean {
    return this.#isSettled && this.#options.stays;
  }

  /** When to look next (steady ms). */
  get nextAt(): number {
    return this.#lookAt;
  }

  /** True where this worker looks after the item. */
  owns(key: number): boolean {
    return this.#options.placement.slices.has(key % sliceCount);
  }

  /**
   * True for an entry that another worker looks after, once nothing of it is in progress here: the caller lets it go. Its
   * slice may come back before the next look, which would find nothing new about it: so it counts as lost from now on. A
   * creation on its way that did not start here is another worker's, whoever has the slice.
   */
  givesUp(entry: Entry): boolean {
    const { key, status } = entry.item;
    if (isInUse(entry)) return false;
    if (this.owns(key)) return status === 'submitting';
    this.#held.delete(key % sliceCount);
    return true;
  }

  /** Reads what the others did, if it is time. */
  async lookIfDue(): Promise<void> {
    if (this.#ports.clock.steady() >= this.#lookAt) await this.look();
  }

  async look(): Promise<void> {
    const { sharing, round, memory } = this.#options;
    const state = await sharing.look();
    this.#lookAt = this.#ports.clock.steady() + fixed.sharedLookMs;
    if (state.round !== round) {
      this.#outlet.stop('new-round', null);
      return;
    }
    this.#isSettled = isSettled(state.ledger);
    const end = await memory.check(state, this.#itemsHeld());
    this.#outlet.holdBack(typeof end === 'string' ? null : end.failure);
    // The store refuses claims meanwhile.
    if (end === 'settling') this.#submissions.waitForOthers();
    this.#outlet.counted(state.ledger);
    this.#submissions.noteShared(state);
    await this.#hearFacts(state);
    await this.#submissions.followLimit();
    await this.#takeRows(state);
    await this.#findUnanswered();
    this.#probeIfResting();
  }

  *#itemsHeld(): Generator<Item> {
    for (const { item } of this.#entries.all()) yield item;
  }

  /** A worker without a network has given its rows back, so nothing but a probe tells it that the network is back. */
  #probeIfResting(): void {
    const now = this.#ports.clock.steady();
    if (!this.#outlet.isResting() || now < this.#probeAt) return;
    this.#probeAt = now + fixed.restProbeMs;
    this.#outlet.probe();
  }

  async #hearFacts({ ledger, lastFact, roundFact }: SharedState): Promise<void> {
    const { sharing } = this.#options;
    this.#fact ??= Math.max(roundFact, lastFact - fixed.factsKept);
    // An older copy of the store counts from where it was.
    if (lastFact <= this.#fact) {
      this.#fact = lastFact;
      return;
    }
    for (const { worker, fact } of await sharing.facts(this.#fact))
      if (worker !== sharing.worker) this.#submissions.breaker.noteFact(fact, ledger);
    this.#fact = lastFact;
  }

  /** Rows of new slices, and rows of the others that somebody else changed. */
  async #takeRows({ change, server }: SharedState): Promise<void> {
    const { placement, sharing } = this.#options;
    // Another server may count from an earlier change, and be past the last one by now.
    const isOlder = change < this.#change || server !== this.#server;
    this.#server = server;
    const before = isOlder ? new Set<number>() : this.#held;
    if (isOlder) this.#change = -1;
    this.#held = new Set(placement.slices);
    const [gained, kept]: [number[], number[]] = [[], []];
    for (const slice of this.#held) (before.has(slice) ? kept : gained).push(slice);
    if (kept.length < before.size)
      for (const entry of [...this.#entries.all()]) if (this.givesUp(entry)) this.#outlet.letGo(entry);
    if (gained.length > 0) {
      for await (const item of sharing.unfinished(gained, -1)) await this.#find(item);
      await this.#outlet.tookAll();
    }
    if (change === this.#change) return;
    if (kept.length > 0) {
      for await (const item of sharing.unfinished(kept, this.#change)) {
        // One that ended badly is asked about once, when its slice comes: else it would be for ever.
        if (item.status === 'open' || item.status === 'downloading') await this.#find(item);
      }
    }
    this.#change = change;
    await this.#submissions.reload();
  }

  /** Takes an item that another process changed, unless this one is busy with it and will notice by itself. */
  async #find(item: Item): Promise<void> {
    const entry = this.#entries.get(item.key);
    if (entry !== undefined) {
      if (entry.item.version >= item.version || isInUse(entry)) return;
      this.#outlet.letGo(entry);
    }
    await this.#outlet.take(item);
  }

  /** A worker died between its claim and the answer: once none can come, the row is uncertain. */
  async #findUnanswered(): Promise<void> {
    const { clock } = this.#ports;
    if (clock.steady() < this.#unansweredAt) return;
    this.#unansweredAt = clock.steady() + fixed.unansweredLookMs;
    for (const item of await this.#options.sharing.unanswered([...this.#held], clock.now())) {
      const entry = this.#entries.get(item.key);
      // Its own answer is on the way to the store.
      if (entry !== undefined && isInUse(entry)) continue;
      this.#outlet.post(this.#entries.take(item), { type: 'run-started', at: clock.now() });
    }
  }

  /** What the other workers learn of a commit, and the room that its claims must find. */
  beside(claims: readonly Arrival[], events: readonly Arrival[], changes: readonly Change[]): Beside {
    const now = this.#ports.clock.now();
    const at = Math.min(...claims.map(({ event }) => event.at));
    const { memory, round } = this.#options;
    const { least, lastSent } = memory;
    const known = { round, creations: least, lastSent, lastFact: this.#fact ?? 0 };
    const room = claims.length === 0 ? null : this.#submissions.room(at, known);
    return { room, facts: [...endsOf(events, now), ...lossesOf(changes, now)] };
  }

  /** Other workers took the room of this worker's claims. */
  noteNoRoom(): void {
    this.#submissions.waitForOthers();
    this.#lookAt = Number.NEGATIVE_INFINITY;
  }

  /** Keeps on this machine that these creations leave it: the store may forget them. Throws `DiskError`. */
  keepSent(orders: readonly { readonly entry: Entry; readonly effect: Effect }[]): void {
    const leaving = orders.filter(({ effect }) => effect.type === 'create').map(({ entry }) => entry.item);
    if (leaving.length > 0) this.#options.memory.leave(leaving);
  }

  /** Keeps an answer on this machine before it is recorded: the store may be away for longer than this process lives. */
  keepAnswer(event: ItemEvent, token: string | null | undefined): void {
    const { journal, log } = this.#ports;
    if (token != null && (event.type === 'creation-refused' || event.type === 'creation-not-sent'))
      this.#options.memory.answer(token, null);
    const task = acceptedTask(event, token);
    if (task === null) return;
    if (journal?.keep(task) === false) log.warn({ ...task }, 'the journal has no room for an accepted task');
    this.#options.memory.answer(task.token, task.taskId);
  }

  /** These tasks are in the store now. */
  forgetTasks(came: readonly Arrival[]): void {
    const tasks = came
      .map(({ event, about }) => acceptedTask(event, about?.token))
      .filter((task) => task !== null);
    if (tasks.length > 0) this.#ports.journal?.forget(tasks);
  }
}

/** True while something of the item is in progress here. */
function isInUse({ busy, uncommittedCount }: Entry): boolean {
  return busy.size + uncommittedCount > 0;
}

function isSettled({ counts }: Ledger): boolean {
  return counts.submitting + counts.open + counts.downloading === 0;
}

function acceptedTask(event: ItemEvent, token: string | null | undefined): AttemptTask | null {
  return event.type === 'creation-accepted' && token != null ? { token, taskId: event.taskId } : null;
}

/** A creation that was not sent says something of this machine only. */
function endsOf(events: readonly Arrival[], at: number): readonly CreationFact[] {
  return events.flatMap(({ entry, event }): CreationFact[] => {
    if (!isCreationEvent(event) || event.type === 'creation-not-sent') return [];
    const { id, submittedAt } = entry.item;
    const names = event.type === 'creation-accepted' ? [id, event.taskId] : [id];
    return [{ type: 'creation', event, names, startedAt: submittedAt ?? at, at }];
  });
}

function lossesOf(changes: readonly Change[], at: number): readonly CreationFact[] {
  return changes.flatMap(({ before, after }): CreationFact[] =>
    after.status === 'lost' && before.status !== 'lost' ? [{ type: 'lost', failure: after.failure, at }] : [],
  );
}
