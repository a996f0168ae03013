/** The shared store as one worker of a simulated fleet has it: away for a while, or not heard, as the dice say. */

import type { Change, CommitEnd, CommitExtras } from '../../../src/stores/port/checkpoint.ts';
import type { Sharing } from '../../../src/stores/port/sharing.ts';
import type { Dice } from '../dice.ts';
import { SimCheckpoint, type SimProcess, type World } from '../sim-process.ts';
import type { Crossing } from './crossing.ts';
import type { SharedBook } from './shared-book.ts';
import { sharingOver } from './shared-store.ts';

/** What the network between a worker and the store does, and how often. */
export class Link {
  readonly #dice: Dice;
  /** Which of its answers finds a worker stopped. */
  readonly #stops: Dice;
  readonly #world: World;
  readonly #rate: number;
  readonly #stopRate: number;

  constructor(world: World, dice: Dice, stops: Dice) {
    this.#world = world;
    this.#dice = dice;
    this.#stops = stops;
    this.#stopRate = stops.pick([0.01, 0.01, 0.1]);
    this.#rate = dice.pick([0, 0.005, 0.02, 0.05]);
  }

  /** Waits while the store is away; true when it was. */
  async pass(process: SimProcess, what: string): Promise<boolean> {
    const { clock, weather, note } = this.#world;
    await clock.wait(this.#dice.integer(1, 20));
    if (weather.isClear || !this.#dice.chance(this.#rate)) return false;
    const ms = this.#dice.pick([200, 5_000, 40_000, 300_000]);
    note(`the store is away from ${process.name} for ${ms / 1_000} s: ${what}`);
    await clock.wait(ms);
    return true;
  }

  /** The moment at which it matters most: a claim is saved, and its creation has not left. */
  stopSometimes(process: SimProcess): void {
    if (this.#world.weather.isClear || this.#rate === 0 || !this.#dice.chance(0.1)) return;
    process.suspend(this.#dice.pick(pauses), 'its claim is saved');
  }

  /** ...or a request was answered, and what it was about may change before its worker reads the answer. */
  stopBeforeAnswer(process: SimProcess): void {
    if (this.#world.weather.isClear || this.#rate === 0 || !this.#stops.chance(this.#stopRate)) return;
    process.suspend(this.#stops.pick(pauses), 'an answer is on its way');
  }
}

/** How long a worker is stopped after its claim (ms): less than the send window, and more than any answer takes. */
const pauses = [5_000, 45_000, 400_000, 1_500_000] as const;

export class FleetCheckpoint extends SimCheckpoint {
  readonly #process: SimProcess;
  readonly #world: World;
  readonly #book: SharedBook;
  readonly #link: Link;
  /** Null in the worlds where nothing crosses a claim. */
  readonly #crossing: Crossing | null;

  constructor(
    world: World,
    process: SimProcess,
    {
      book,
      link,
      crossing,
    }: { readonly book: SharedBook; readonly link: Link; readonly crossing: Crossing | null },
  ) {
    super(world, process);
    this.#process = process;
    this.#world = world;
    this.#book = book;
    this.#link = link;
    this.#crossing = crossing;
  }

  override async commit(changes: readonly Change[], beside?: CommitExtras): Promise<CommitEnd> {
    if (changes.length === 0 && (beside?.facts.length ?? 0) === 0) return { isAnswered: true };
    const what = changes
      .map(({ before, after }) => `${after.id} ${before.status}→${after.status}`)
      .join(', ');
    await this.#process.step(`commit ${what}`);
    await this.#link.pass(this.#process, `before ${what}`);
    const isClaim = changes.some(({ after }) => after.status === 'submitting');
    if (isClaim) void this.#crossing?.onClaim(this.#process);
    await this.#process.step(`commit ${what} now`);
    this.#book.commit(this.#process.name, changes, beside);
    this.#world.note(`${this.#process.name} committed ${what}`);
    this.#world.onCommit(this.#process, changes);
    if (isClaim) this.#link.stopSometimes(this.#process);
    const wasAway = await this.#link.pass(this.#process, `after ${what}`);
    await this.#process.step(`${what} is committed`);
    return { isAnswered: !wasAway };
  }

  override async pendingItems(query: Parameters<SimCheckpoint['pendingItems']>[0]) {
    await this.#link.pass(this.#process, 'take');
    const { slices, limit, only } = query;
    return slices == null ? super.pendingItems(query) : this.#book.pending(slices, limit, only);
  }

  override async giveTask(...args: Parameters<SimCheckpoint['giveTask']>) {
    return this.#book.noting(() => super.giveTask(...args));
  }

  /** What the runner of this process needs of the others. */
  get sharing(): Sharing {
    const [book, process, link] = [this.#book, this.#process, this.#link];
    return {
      ...sharingOver(book, process.name, this),
      look: async () => {
        await process.step('look');
        await link.pass(process, 'look');
        return book.look();
      },
      now: async () => process.now(),
    };
  }
}
