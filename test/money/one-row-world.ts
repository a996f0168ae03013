/**
 * A service with a ledger, a disk and a user around one row: what is true, whatever the row believes. The row is the
 * machine under test; the world only ever does what a real one may do, at its worst moment.
 */

import type { Effect, ItemEvent } from '../../src/money/event.ts';
import { type Item, qualities, type Status } from '../../src/money/item.ts';
import { defaultPolicy, type Policy } from '../../src/money/policy.ts';
import { applyChange, createLedger } from '../../src/money/summary.ts';
import { isLegal } from '../../src/money/transition.ts';
import { at, eventOf, fileAt, freeze, itemIn, move, silentEnding } from './lives.ts';

/** A task as the service keeps it. */
export interface Task {
  readonly id: string;
  /** The claim whose creation made it. */
  readonly token: string;
  state: 'working' | 'completed' | 'failed';
  /** Points on the bill so far. */
  charge: number;
  frames: number;
}

/** What is on its way to the row; it comes to nothing when the row has begun another attempt meanwhile. */
type OnItsWay =
  | { readonly kind: 'answer'; readonly token: string | null; readonly event: ItemEvent }
  | { readonly kind: 'video'; readonly token: string | null }
  | { readonly kind: 'frame'; readonly token: string | null; readonly ordinal: number };

/** How a download ends. */
export type Luck = 'saved' | 'refused' | 'broken';

/** What happened since the user last ordered a creation; the first order is the row itself. */
interface Order {
  tasks: number;
  creations: number;
  /** Creations that surely made no task, and count against the row. */
  refusals: number;
  /** Creations that never left, or were taken back by a new text: they count for nothing. */
  uncounted: number;
  isDoubtful: boolean;
}

const newOrder = (): Order => ({ tasks: 0, creations: 0, refusals: 0, uncounted: 0, isDoubtful: false });

export class OneRowWorld {
  now = at;
  item: Item = freeze(itemIn('pending'));
  order = newOrder();
  claims = 0;
  /** Answers in a row in which the service did not know the task. */
  misses = 0;
  /** The service has lost its memory for a while. */
  isForgetful = false;
  isVideoHere = false;
  /** The video of an attempt before the current one is what there is. */
  isKept = false;
  hasLink = true;
  /** The service says of a completed task that it is still being made. */
  isTakenBack = false;
  readonly tasks: Task[] = [];
  /** Points that the service has named to the row, by the claim they belong to. */
  readonly named = new Map<string, number>();
  /** Claims whose task the user has written off. */
  readonly writtenOff = new Set<string | null>();
  /** Claims of which the user has said that they made no task. */
  readonly disowned = new Set<string | null>();
  readonly ordinals = new Map<string, number>();
  readonly ledger = createLedger();
  readonly policy: Policy;
  onItsWay: OnItsWay[] = [];
  /** Where the row has been. */
  readonly been = new Set<Status>();

  constructor(policy: Partial<Policy> = {}) {
    this.policy = { ...defaultPolicy, ...policy };
    this.ledger.counts.pending = 1;
  }

  /** The task of the current attempt, whether the row knows of it or not. */
  get task(): Task | undefined {
    return this.tasks.findLast((task) => task.token === this.item.token);
  }

  /** Lets something happen to the row, and sets its effects going. */
  happen(event: ItemEvent): void {
    const before = this.item;
    const { item, effects } = move(before, { ...event, at: this.now }, this.policy);
    applyChange(this.ledger, before, item);
    this.item = freeze(item);
    this.been.add(item.status);
    for (const effect of effects) this.#start(effect);
  }

  #start(effect: Effect): void {
    const { token } = this.item;
    if (effect.type === 'create') this.order.creations += 1;
    if (effect.type === 'poll' || effect.type === 'poll-later') this.poll();
    if (effect.type === 'fetch-video') this.onItsWay.push({ kind: 'video', token });
    if (effect.type === 'fetch-frame') this.onItsWay.push({ kind: 'frame', token, ordinal: effect.ordinal });
  }

  claim(): void {
    this.claims += 1;
    this.#forgetService();
    this.isKept ||= this.isVideoHere;
    this.isVideoHere = false;
    this.ordinals.clear();
    const quality = qualities[this.claims % 3] ?? null;
    this.happen(eventOf('claimed', { token: `t${this.claims}`, quality }));
  }

  #forgetService(): void {
    this.misses = 0;
    this.hasLink = true;
    this.isTakenBack = false;
  }

  /** The service takes the creation; the row learns of it by an answer or not at all. */
  make(): Task {
    const task: Task = {
      id: `task-${this.tasks.length + 1}`,
      token: this.item.token ?? '',
      state: 'working',
      charge: 0,
      frames: 0,
    };
    this.tasks.push(task);
    this.order.tasks += 1;
    return task;
  }

  /** The user orders a new creation, whatever the old one came to. */
  orderAnew(event: ItemEvent): void {
    const { status, token } = this.item;
    if (status === 'uncertain' || status === 'lost') this.writtenOff.add(token);
    if (event.type === 'not-created') this.disowned.add(token);
    this.order = newOrder();
    this.#forgetService();
    this.happen(event);
  }

  /** The process ends and another one takes up the folder: what was on its way is gone. */
  restart(): void {
    this.onItsWay = [];
    if (this.item.status !== 'open') this.misses = 0;
    if (this.item.status === 'submitting') this.order.isDoubtful = true;
    if (isLegal(this.item.status, 'run-started')) this.happen(eventOf('run-started'));
  }

  /** Asks the status: the answer is what is true now, but comes later. */
  poll(): void {
    const task = this.tasks.find(({ id }) => id === this.item.taskId);
    if (task === undefined) return;
    this.onItsWay.push({ kind: 'answer', token: this.item.token, event: this.#answer(task) });
  }

  #answer(task: Task): ItemEvent {
    if (this.isForgetful) return eventOf('task-not-found');
    const frames = Array.from({ length: task.frames }, (_, i) => ({
      id: `f${i}`,
      url: `https://x.example/${i}`,
    }));
    if (task.state === 'working' || (task.state === 'completed' && this.isTakenBack))
      return eventOf('task-progressed', { frames });
    // What was named once need not be named again.
    const points = this.named.has(task.token) ? null : task.charge;
    const ending = { ...silentEnding, points };
    if (task.state === 'failed') return eventOf('task-failed', { ending });
    return eventOf('task-completed', {
      ending,
      frames,
      videoUrl: this.hasLink ? 'https://x.example/v' : null,
    });
  }

  /** Something that was on its way arrives. */
  deliver(index: number, luck: Luck): void {
    const [arrived] = this.onItsWay.splice(index % this.onItsWay.length, 1);
    if (arrived === undefined || arrived.token !== this.item.token) return;
    if (arrived.kind === 'answer') this.#hear(arrived.event);
    else if (arrived.kind === 'video') this.#endVideo(luck);
    else this.#endFrame(arrived.ordinal, luck);
  }

  #hear(event: ItemEvent): void {
    const isAlive = ['open', 'downloading', 'lost', 'completed'].includes(this.item.status);
    const namesPoints = event.type === 'task-completed' || event.type === 'task-failed';
    if (isAlive && namesPoints && event.ending.points !== null)
      this.named.set(this.item.token ?? '', event.ending.points);
    if (isAlive) this.misses = event.type === 'task-not-found' ? this.misses + 1 : 0;
    this.happen(event);
  }

  #endVideo(luck: Luck): void {
    if (luck === 'saved' && this.item.status !== 'failed') {
      this.isVideoHere = true;
      this.isKept = false;
    }
    this.happen(
      luck === 'saved'
        ? eventOf('video-saved', { file: fileAt('sum-1/video.mp4') })
        : eventOf('video-not-had', { newLink: luck === 'refused' }),
    );
  }

  #endFrame(ordinal: number, luck: Luck): void {
    const file = fileAt(`sum-1/frames/${ordinal}.png`);
    this.happen(
      luck === 'saved' ? eventOf('frame-saved', { ordinal, file }) : eventOf('frame-not-had', { ordinal }),
    );
  }

  /** Everything goes well from now on: the next run finds a service that remembers, ends its task and gives its files. */
  endWell(): void {
    this.isForgetful = false;
    this.isTakenBack = false;
    this.hasLink = true;
    for (const task of this.tasks)
      if (task.state === 'working') Object.assign(task, { state: 'completed', charge: 10 });
    this.restart();
    for (let beat = 0; beat < 4; beat++) {
      this.poll();
      while (this.onItsWay.length > 0) this.deliver(0, 'saved');
    }
  }
}
