/**
 * Changes from outside that cross a request: a worker is stopped, or is without its slices for a moment, while an answer, a
 * call or a claim is on its way, and meanwhile somebody changes what it is about. Chance alone meets these moments too rarely.
 */

import type { Dice } from '../dice.ts';
import type { OnTheWay, SimProcess, World } from '../sim-process.ts';

/** What somebody does meanwhile; that others take the rows over comes of itself. */
export interface Crossings {
  /** The row of the task is sent again as soon as it has ended. False while it has not. */
  retry(taskId: string): Promise<boolean>;
  /** Another round begins, under other terms. */
  resume(): void;
  /** The file is edited and taken up. */
  edit(): Promise<void>;
  /** The worker loses its slices for so long (ms), and may have them back before its next look. */
  blink(process: SimProcess, ms: number): Promise<void>;
}

type Act = 'none' | 'retry' | 'resume' | 'edit';

/** How often it happens in one world: enough to meet all of them, and few enough that the fleet gets on. */
const mostOften = 12;

const second = 1_000;

export class Crossing {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #does: Crossings;
  #times = 0;
  /** While one worker is stopped, the others are needed. */
  #isBusy = false;

  constructor(world: World, dice: Dice, does: Crossings) {
    this.#world = world;
    this.#dice = dice;
    this.#does = does;
  }

  /** The service, or the host of a file, has answered a request of this process, or calls it. */
  async onAnswer(process: SimProcess, { kind, taskId }: OnTheWay): Promise<void> {
    const task = this.#world.service.tasks.get(taskId ?? '');
    // The answers that say how a task has ended matter most, and others are many.
    const hasEnded = kind === 'status' && task !== undefined && this.#world.service.hasEnded(task);
    if (!this.#strikes(hasEnded || kind === 'callback' ? 1 : 0.1)) return;
    if (kind === 'status' && this.#dice.chance(0.3)) {
      await this.#does.blink(process, this.#dice.integer(200, 1_200));
      return;
    }
    const act = this.#dice.pick<Act>(['none', 'retry', 'retry', 'retry', 'resume', 'edit']);
    await this.#meanwhile(process, `the answer to a ${kind} is on its way`, act, taskId);
  }

  /** A claim is on its way to the store. */
  async onClaim(process: SimProcess): Promise<void> {
    if (!this.#strikes(0.3)) return;
    const act = this.#dice.pick<Act>(['none', 'resume', 'resume', 'edit']);
    await this.#meanwhile(process, 'its claim is on its way', act, null);
  }

  #strikes(share: number): boolean {
    const { weather } = this.#world;
    return (
      !this.#isBusy && this.#times < mostOften && weather.strikes('crossing') && this.#dice.chance(share)
    );
  }

  async #meanwhile(process: SimProcess, what: string, act: Act, taskId: string | null): Promise<void> {
    const { clock } = this.#world;
    this.#times += 1;
    this.#isBusy = true;
    const ms = this.#dice.pick([15, 60, 240, 600]) * second;
    process.suspend(ms, `${what}, and meanwhile: ${act}`);
    const until = clock.now() + ms;
    await clock.wait(this.#dice.integer(1, 10) * second);
    if (act === 'resume') this.#does.resume();
    if (act === 'edit') await this.#does.edit();
    while (act === 'retry' && taskId !== null && clock.now() < until) {
      if (await this.#does.retry(taskId)) break;
      await clock.wait(5 * second);
    }
    await clock.wait(Math.max(0, until - clock.now()));
    this.#isBusy = false;
  }
}
