/**
 * Hands out the slices of a simulated fleet, as pg-boss does: a worker that is silent loses them to the others, and does
 * not know it yet. For a moment two may hold one slice.
 */

import type { Placement } from '../../../src/ports.ts';
import { sliceCount } from '../../../src/stores/port/sharing.ts';
import type { SimProcess, World } from '../sim-process.ts';

/** How often a worker is heard of, after which silence its slices go to others, and when it gives up by itself (ms). */
const beatMs = 4_000;
const silenceMs = 12_000;
const ownSilenceMs = 9_000;

interface Member {
  lastSeenAt: number;
  /** It is taken for silent, and is not. */
  isMissed: boolean;
  slices: ReadonlySet<number>;
}

export class SimEngine {
  readonly #world: World;
  readonly #members = new Map<SimProcess, Member>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The slices of this process from now on, for as long as it lives. */
  join(process: SimProcess): Placement {
    const member: Member = { lastSeenAt: this.#now(), isMissed: false, slices: new Set() };
    this.#members.set(process, member);
    this.#share();
    void this.#beat(process, member);
    return {
      get slices() {
        return member.slices;
      },
      get isKeeper() {
        return member.slices.has(0);
      },
      onChange: () => {},
      [Symbol.asyncDispose]: async () => {
        member.slices = new Set();
        this.#members.delete(process);
        this.#share();
      },
    };
  }

  /** The slices of this process are others' for so long (ms), and then its own again. */
  async blink(process: SimProcess, ms: number): Promise<void> {
    const member = this.#members.get(process);
    if (member === undefined || member.isMissed) return;
    this.#world.note(`${process.name} is without its slices for ${ms} ms`);
    member.isMissed = true;
    member.slices = new Set();
    this.#share();
    await this.#world.clock.wait(ms);
    member.isMissed = false;
    this.#share();
  }

  #now(): number {
    return this.#world.clock.now();
  }

  async #beat(process: SimProcess, member: Member): Promise<void> {
    while (this.#members.has(process)) {
      await this.#world.clock.wait(beatMs);
      const before = this.#now();
      await process.awake();
      if (!process.isAlive) return;
      // It notices by its own clock that nobody has heard of it for too long.
      if (this.#now() - before > ownSilenceMs) member.slices = new Set();
      member.lastSeenAt = this.#now();
      this.#share();
    }
  }

  /** Each slice to one of those who were heard of lately; what a silent worker believes stays as it is. */
  #share(): void {
    const live = [...this.#members].filter(
      ([process, { lastSeenAt, isMissed }]) =>
        process.isAlive && !process.isResting && !isMissed && this.#now() - lastSeenAt <= silenceMs,
    );
    for (const [process, member] of this.#members) if (process.isResting) member.slices = new Set();
    if (live.length === 0) return;
    const shares = live.map((): Set<number> => new Set());
    for (let slice = 0; slice < sliceCount; slice += 1) shares[slice % live.length]?.add(slice);
    for (const [at, [, member]] of live.entries()) member.slices = shares[at] ?? new Set();
  }
}
