/** Who works on a shared run, and what becomes of them. */

import { type Message, message } from '../../messages/message.ts';
import type { Clock, Placement } from '../../ports.ts';
import type { WorkerMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import { spanInBoth } from '../../terminal/phrases/phrases.ts';
import { renderTime } from '../../terminal/times.ts';
import type { CrewFollower } from '../session.ts';
import { type CrewNews, Takeovers } from './takeovers.ts';

/** The workers at one moment. */
export interface SeenCrew {
  readonly workers: readonly WorkerMark[];
  /** The name of this process. */
  readonly self: string;
  /** Epoch ms by the clock of the store. */
  readonly now: number;
}

/** Null for a run in a folder. Processes that work on no row are left out: an import, a command that looks. */
export async function readCrew({ sharing }: Pick<Store, 'sharing'>): Promise<SeenCrew | null> {
  if (sharing === null) return null;
  const workers = await sharing.workers();
  const working = workers.filter(({ scratch }) => scratch !== null);
  return { workers: working, self: sharing.worker, now: await sharing.now() };
}

/** Follows the workers of a run for one of them. */
export class CrewWatch {
  readonly #store: Pick<Store, 'sharing'>;
  readonly #placement: Pick<Placement, 'slices'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #takeovers = new Takeovers();
  #follower: CrewFollower | null = null;
  #workers = 1;
  #awaySince: number | null = null;

  constructor(
    store: Pick<Store, 'sharing'>,
    placement: Pick<Placement, 'slices'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#placement = placement;
    this.#clock = clock;
  }

  follow(follower: CrewFollower): void {
    this.#follower = follower;
    this.#report();
  }

  async look(): Promise<void> {
    const crew = await readCrew(this.#store);
    if (crew === null) return;
    const { workers, now } = crew;
    this.#workers = workers.filter(({ isAlive }) => isAlive).length;
    for (const news of this.#takeovers.look(workers, now))
      this.#follower?.note(newsText(news, this.#workers));
    this.#report();
  }

  /** The store stopped answering, for this reason; null: it answers again. */
  noteAway(failure: string | null): void {
    const now = this.#clock.now();
    const since = this.#awaySince;
    this.#awaySince = failure === null ? null : (since ?? now);
    if (failure !== null && since === null)
      this.#follower?.warn(message('crew.away', { time: renderTime(now), failure }));
    if (failure === null && since !== null)
      this.#follower?.note(message('crew.back', { lasted: spanInBoth(now - since) }));
    this.#report();
  }

  #report(): void {
    const { slices } = this.#placement;
    this.#follower?.seen({ workers: this.#workers, slices: slices.size, awaySince: this.#awaySince });
  }
}

function newsText(news: CrewNews, workers: number): Message {
  const { type, name } = news;
  if (type !== 'took-over') return message(`crew.${type}`, { name, count: workers });
  const { from, slices, silentMs } = news;
  return message('crew.took-over', { name, from, count: slices, silent: spanInBoth(silentMs) });
}
