/**
 * The part of a runner in a run that several workers share: reads what the others did, keeps to the slices this worker
 * has, and takes over the rows of workers that died. The tables are the truth; slices only say who looks after a row.
 */

import type { PlacesLeft } from '../errors.ts';
import { type Effect, type ItemEvent, isCreationEvent } from '../money/event.ts';
import type { Item } from '../money/item.ts';
import { fixed } from '../money/policy.ts';
import type { Ledger } from '../money/summary.ts';
import type { AttemptTask } from '../ports.ts';
import type { Change, CommitExtras, CreationFact } from '../stores/port/checkpoint.ts';
import { type SharedState, sliceCount } from '../stores/port/sharing.ts';
import type { QueuedEvent, RunContext, SharedRunOptions } from './context.ts';
import type { Entry } from './entry.ts';
import type { Recovery } from './recovery.ts';
import type { Claims } from './submitting/claims.ts';
import type { Submissions } from './submitting/submissions.ts';

export class SharedRun {
  readonly #run: RunContext;
  readonly #options: SharedRunOptions;
  readonly #submissions: Submissions;
  readonly #claims: Claims;
  readonly #recovery: Recovery;
  /** When to read what the others did, and when to look for unanswered creations (steady ms). */
  #lookAt = Number.NEGATIVE_INFINITY;
  #unansweredAt = Number.NEGATIVE_INFINITY;
  #probeAt = Number.NEGATIVE_INFINITY;
  #change = -1;
  #server = '';
  /** The number of the last fact that this worker considered; null before the first look. */
  #fact: number | null = null;
  /** The slices whose rows are loaded, all of them. */
  #loaded: Set<number> = new Set();
  #isSettled = false;

  constructor(
    run: RunContext,
    options: SharedRunOptions,
    parts: { readonly submissions: Submissions; readonly claims: Claims; readonly recovery: Recovery },
  ) {
    this.#run = run;
    this.#options = options;
    this.#submissions = parts.submissions;
    this.#claims = parts.claims;
    this.#recovery = parts.recovery;
  }

  /** True while this worker does what one worker of the run is enough for. */
  get isKeeper(): boolean {
    return this.#options.placement.isKeeper;
  }

  /** True when nothing is left to wait for: no row of the run is submitting, open or downloading in any process. */
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
   * creation on its way that did not start here is another worker's, in whichever slice.
   */
  givesUp(entry: Entry): boolean {
    const { key, status } = entry.item;
    if (isInUse(entry)) return false;
    if (this.owns(key)) return status === 'submitting';
    this.#loaded.delete(key % sliceCount);
    return true;
  }

  /** Reads what the others did, if it is time. */
  async lookIfDue(): Promise<void> {
    if (this.#run.ports.clock.steady() >= this.#lookAt) await this.look();
  }

  async look(): Promise<void> {
    const { sharing, round, memory } = this.#options;
    const state = await sharing.look();
    this.#lookAt = this.#run.ports.clock.steady() + fixed.sharedLookMs;
    if (state.round !== round) {
      this.#run.stop('new-round');
      return;
    }
    this.#isSettled = isSettled(state.ledger);
    const end = await memory.check(state, this.#items());
    const older = typeof end === 'string' ? null : { reason: 'older-store' as const, ...end };
    this.#submissions.suspend(state.refusal ?? older);
    // The store refuses claims meanwhile.
    if (end === 'settling') this.#submissions.room.waitForOthers();
    this.#run.replaceLedger(state.ledger);
    this.#submissions.noteShared(state);
    await this.#readFacts(state);
    await this.#submissions.followLimit();
    await this.#loadRows(state);
    await this.#findUnanswered();
    this.#probeIfResting();
  }

  *#items(): Generator<Item> {
    for (const { item } of this.#run.entries.all()) yield item;
  }

  /** A worker without a network has given its rows back, so only a probe shows that the network is back. */
  #probeIfResting(): void {
    const now = this.#run.ports.clock.steady();
    if (!this.#run.health.isAway || now < this.#probeAt) return;
    this.#probeAt = now + fixed.restProbeMs;
    this.#claims.probe();
  }

  async #readFacts({ ledger, lastFact, roundFact }: SharedState): Promise<void> {
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

  /** Rows of new slices, and rows of the others that another process changed. */
  async #loadRows({ change, server }: SharedState): Promise<void> {
    const { placement, sharing } = this.#options;
    // Another server may count from an earlier change, and be past the last one by now.
    const isOlder = change < this.#change || server !== this.#server;
    this.#server = server;
    const before = isOlder ? new Set<number>() : this.#loaded;
    if (isOlder) this.#change = -1;
    this.#loaded = new Set(placement.slices);
    const [gained, kept]: [number[], number[]] = [[], []];
    for (const slice of this.#loaded) (before.has(slice) ? kept : gained).push(slice);
    if (kept.length < before.size)
      for (const entry of [...this.#run.entries.all()]) if (this.givesUp(entry)) this.#run.letGo(entry);
    if (gained.length > 0) {
      for await (const item of sharing.unfinished(gained, -1)) await this.#find(item);
      await this.#recovery.askPrices();
    }
    if (change === this.#change) return;
    if (kept.length > 0) {
      for await (const item of sharing.unfinished(kept, this.#change)) {
        // One that ended badly is asked about once, when its slice comes: otherwise it would be at each look.
        if (item.status === 'open' || item.status === 'downloading') await this.#find(item);
      }
    }
    this.#change = change;
    await this.#submissions.reload();
  }

  /** Loads an item that another process changed, unless this one is busy with it and will notice by itself. */
  async #find(item: Item): Promise<void> {
    const entry = this.#run.entries.get(item.key);
    if (entry !== undefined) {
      if (entry.item.version >= item.version || isInUse(entry)) return;
      this.#run.letGo(entry);
    }
    await this.#recovery.resume(item);
  }

  /** A worker died between its claim and the answer: once none can come, the row is uncertain. */
  async #findUnanswered(): Promise<void> {
    const { clock } = this.#run.ports;
    if (clock.steady() < this.#unansweredAt) return;
    this.#unansweredAt = clock.steady() + fixed.unansweredLookMs;
    for (const item of await this.#options.sharing.unanswered([...this.#loaded], clock.now())) {
      const entry = this.#run.entries.get(item.key);
      // Its own answer is on the way to the store.
      if (entry !== undefined && isInUse(entry)) continue;
      this.#run.post(this.#run.entries.add(item), { type: 'run-started', at: clock.now() });
    }
  }

  /** What the other workers learn of a commit, and the room that its claims must find. */
  extrasOf(
    claims: readonly QueuedEvent[],
    events: readonly QueuedEvent[],
    changes: readonly Change[],
  ): CommitExtras {
    const now = this.#run.ports.clock.now();
    const at = Math.min(...claims.map(({ event }) => event.at));
    const { memory, round } = this.#options;
    const { least, lastSent } = memory;
    const known = { round, creations: least, lastSent, lastFact: this.#fact ?? 0 };
    const room = claims.length === 0 ? null : this.#submissions.roomInRun(at, known);
    return { room, facts: [...endsOf(events, now), ...lossesOf(changes, now)] };
  }

  /** Other workers have used up the room of this worker's claims. */
  noteRoomTaken(left: PlacesLeft | null): void {
    if (left?.isBrief === true) {
      this.#submissions.room.waitForPlaces();
      return;
    }
    this.#submissions.room.waitForOthers();
    this.#lookAt = Number.NEGATIVE_INFINITY;
  }

  /** Keeps on this machine that these creations leave it: the store may forget them. Throws `DiskError`. */
  keepSent(orders: readonly { readonly entry: Entry; readonly effect: Effect }[]): void {
    const leaving = orders.filter(({ effect }) => effect.type === 'create').map(({ entry }) => entry.item);
    if (leaving.length > 0) this.#options.memory.leave(leaving);
  }

  /** Keeps an answer on this machine before it is recorded: the store may be away for longer than this process lives. */
  keepAnswer(event: ItemEvent, token: string | null | undefined): void {
    const { journal, log } = this.#run.ports;
    if (token != null && (event.type === 'creation-refused' || event.type === 'creation-not-sent'))
      this.#options.memory.answer(token, null);
    const task = acceptedTask(event, token);
    if (task === null) return;
    if (journal?.keep(task) === false) log.warn({ ...task }, 'the journal has no room for an accepted task');
    this.#options.memory.answer(task.token, task.taskId);
  }

  /** The answers kept so far outlive this machine, too: once for all that are saved together. */
  syncAnswers(): void {
    this.#run.ports.journal?.sync();
  }

  /** These tasks are in the store now. */
  forgetTasks(came: readonly QueuedEvent[]): void {
    const tasks = came
      .map(({ event, about }) => acceptedTask(event, about?.token))
      .filter((task) => task !== null);
    if (tasks.length > 0) this.#run.ports.journal?.forget(tasks);
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
function endsOf(events: readonly QueuedEvent[], at: number): readonly CreationFact[] {
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
