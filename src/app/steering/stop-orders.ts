/** How a session learns that it is to end: somebody typed `batch stop`, or nobody waits for it any more. */

import { message } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import { type SteeredSession, type Steering, type StopOrder, stopsFor } from '../../money/steering.ts';
import type { Clock, Reporter } from '../../ports.ts';
import type { Store } from '../../stores/port/store.ts';
import type { Obey } from '../session.ts';
import { readSteering } from './steering-source.ts';

interface Hearer {
  readonly reporter: Pick<Reporter, 'note'>;
  readonly isAbandoned: () => boolean;
  /** Called for an order to stop once, and for one to leave at once. */
  readonly obey: Obey;
}

/** The orders that a session has received. */
export class StopOrders {
  readonly #session: SteeredSession;
  readonly #hearer: Hearer;
  /** The strongest order so far. */
  #last: Pick<StopOrder, 'isNow'> | null = null;

  constructor(session: SteeredSession, hearer: Hearer) {
    this.#session = session;
    this.#hearer = hearer;
  }

  /** Obeys what is new in it. */
  note(steering: Steering): void {
    const orders = stopsFor(steering, this.#session);
    if (orders.length > 0)
      this.#report(
        orders.some(({ isNow }) => isNow),
        'stop.ordered',
      );
    else if (this.#hearer.isAbandoned()) this.#report(false, 'stop.abandoned');
  }

  /** A session that stops, or writes its reports, turns no loop that looks: an order to leave at once arrives here. */
  async listen(
    store: Pick<Store, 'settings'>,
    isDue: () => boolean,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await clock.wait(fixed.steeringLookMs, signal);
      if (signal.aborted || !isDue()) continue;
      // A store that is away is looked at again; the end of the session says what is wrong with it.
      await readSteering(store).then(
        (steering) => this.note(steering),
        () => {},
      );
    }
  }

  #report(isNow: boolean, why: 'stop.ordered' | 'stop.abandoned'): void {
    if (this.#last !== null && (this.#last.isNow || !isNow)) return;
    this.#last = { isNow };
    this.#hearer.reporter.note(message(why));
    this.#hearer.obey({ isNow });
  }
}
