/** A service with a hidden cap, and the decisions of a run against it, in virtual time. */

import { freshBreaker } from '../../../src/money/breakers/breaker.ts';
import { passCreation } from '../../../src/money/breakers/circuit-breaker.ts';
import { mostOpen } from '../../../src/money/breakers/open-limit.ts';
import { defaultPolicy, type Policy } from '../../../src/money/policy.ts';
import { createLedger } from '../../../src/money/summary.ts';
import { decideRoom } from '../../../src/money/tick.ts';
import { Dice } from '../../sim/dice.ts';

/** The typical length of a task. */
const taskMs = 10 * 60_000;

/** How long tasks take, in task times. */
export const lengths = {
  'all the same': () => 1,
  'half to one and a half': (dice: Dice) => 0.5 + dice.next(),
  'a few very long': (dice: Dice) => Math.min(10, 0.3 - 0.7 * Math.log(1 - dice.next())),
} as const;

export interface World {
  readonly policy: Partial<Policy>;
  /** Tasks that the service takes at once, by the time in task times. */
  readonly cap: (at: number) => number;
  readonly length: keyof typeof lengths;
  readonly seed: number;
  /** The end, in task times. */
  readonly until: number;
  /** Rows that wait at the start; unless given, there are always more. */
  readonly rows?: number;
  /** The share of creations that is refused whatever is open. */
  readonly noise?: number;
  /** The service asks for this pause with each refusal. */
  readonly retryAfterMs?: number | null;
}

/** What happened, by time in task times. */
interface Course {
  /** Tasks in the making, at every change. */
  readonly making: readonly { readonly at: number; readonly count: number }[];
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
  /** When it ended: all rows were made, or the time was over. */
  readonly endedAt: number;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/** Plays the world to its end. */
function play(world: World): Course {
  const policy: Policy = { ...defaultPolicy, ...world.policy };
  const dice = new Dice(world.seed, 'search');
  const ledger = createLedger();
  let breaker = freshBreaker;
  let now = 0;
  const events: Event[] = [];
  const later = (inMs: number, run: () => void): void => {
    events.push({ at: now + inMs, run });
  };
  const making: { at: number; count: number }[] = [];
  const accepted: number[] = [];
  const refused: number[] = [];
  let inMaking = 0;
  let waiting = world.rows ?? Number.POSITIVE_INFINITY;
  /** Tasks that have ended, and of which no poll has heard. */
  let ended = 0;
  const note = (): void => {
    making.push({ at: now / taskMs, count: inMaking });
  };
  const answer = (startedAt: number, isAccepted: boolean): void => {
    const { open, submitting } = ledger.counts;
    const event = isAccepted
      ? ({ type: 'creation-accepted', at: now, taskId: 'task' } as const)
      : ({
          type: 'creation-refused',
          at: now,
          failure: 'HTTP 429',
          passing: true,
          retryAfterMs: world.retryAfterMs ?? null,
        } as const);
    breaker = passCreation(
      breaker,
      { event, names: [], startedAt, at: now, open, used: open + submitting },
      policy,
    );
    ledger.counts.submitting -= 1;
    if (isAccepted) ledger.counts.open += 1;
    else waiting += 1;
    note();
  };
  const create = (): void => {
    const startedAt = now;
    ledger.counts.submitting += 1;
    waiting -= 1;
    later(dice.integer(50, 150), () => {
      const isAccepted = inMaking < world.cap(now / taskMs) && !dice.chance(world.noise ?? 0);
      (isAccepted ? accepted : refused).push(now / taskMs);
      if (isAccepted) {
        inMaking += 1;
        note();
        later(taskMs * lengths[world.length](dice), () => {
          inMaking -= 1;
          ended += 1;
          note();
        });
      }
      later(dice.integer(50, 150), () => answer(startedAt, isAccepted));
    });
  };
  const submit = (): void => {
    if (now < breaker.notBefore) return;
    const slots = {
      window: breaker.window,
      openLimit: mostOpen(breaker, policy),
      uncertain: 0,
      submittedRows: 0,
      fetching: 0,
    };
    for (let room = decideRoom(policy, ledger, slots); room > 0 && waiting > 0; room -= 1) create();
  };
  const tick = (): void => {
    // An ended task whose creation is still unanswered is not open yet.
    const heard = Math.min(ended, ledger.counts.open);
    ledger.counts.open -= heard;
    ended -= heard;
    later(policy.pollIntervalMs, tick);
  };
  tick();
  const isDone = (): boolean => waiting + ledger.counts.submitting + ledger.counts.open === 0;
  while (now < world.until * taskMs && !isDone()) {
    submit();
    const wakeAt = breaker.notBefore > now ? breaker.notBefore : Number.POSITIVE_INFINITY;
    let next = 0;
    events.forEach((event, i) => {
      if (event.at < (events[next] as Event).at) next = i;
    });
    const first = events[next] as Event;
    if (wakeAt < first.at) now = wakeAt;
    else {
      events.splice(next, 1);
      now = first.at;
      first.run();
    }
  }
  return { making, accepted, refused, endedAt: now / taskMs };
}

/** How a search went in a world whose cap is this from some time on. */
export interface Finding {
  /** Task times until the service had nine tenths of its cap. */
  readonly foundAfter: number;
  /** The share of creations that were refused from 20 task times on. */
  readonly refused: number;
  /** Creations accepted from then on, as a share of those of a run that knows the cap. */
  readonly throughput: number;
}

/** Plays the world, and the same with the cap as the user's own number. */
export function search(world: World, cap: number, from = 0): Finding {
  const course = play(world);
  const best = play({
    ...world,
    cap: () => cap,
    policy: { ...world.policy, searchFrom: null, concurrency: cap },
  });
  const count = (times: readonly number[]): number => times.filter((at) => at >= from + 20).length;
  const found = course.making.find(({ at, count }) => at >= from && count >= 0.9 * cap);
  return {
    foundAfter: (found?.at ?? Number.POSITIVE_INFINITY) - from,
    refused: count(course.refused) / (count(course.accepted) + count(course.refused)),
    throughput: count(course.accepted) / count(best.accepted),
  };
}

/** The time of so many rows with the cap as the user's own number, as a share of the time that the search takes for them. */
export function speed(world: Omit<World, 'cap' | 'until'> & { readonly rows: number }, cap: number): number {
  const whole = { ...world, cap: () => cap, until: Number.POSITIVE_INFINITY };
  const best = play({ ...whole, policy: { ...world.policy, searchFrom: null, concurrency: cap } });
  return best.endedAt / play(whole).endedAt;
}
