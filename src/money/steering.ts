/** What a user changes while a run goes: the pause of submitting, orders to stop, and the number by which processes notice a change. */

/** Nothing is submitted before `until` (epoch ms); null for a pause without an end. */
export interface Pause {
  readonly until: number | null;
}

/** Somebody wants sessions of the run to end. */
export interface StopOrder {
  /** Of the change that it came with. It is for sessions that had begun by then, so it never ends a later one. */
  readonly number: number;
  /** The name of the session that it is for; null for all of them. */
  readonly session: string | null;
  /** Without waiting for anything, as at a second Ctrl-C. */
  readonly isNow: boolean;
}

/** A session as orders name it. */
export interface SteeredSession {
  /** Null where it is not known. */
  readonly name: string | null;
  /** The last change of the steering as it began. */
  readonly begunAt: number;
}

/** How a run is steered, as saved with it. The tuned options are among those of the run. */
export interface Steering {
  /** Increases with every change; 0 before the first. */
  readonly number: number;
  /** Null where submitting was not paused, or has been resumed. */
  readonly pause: Pause | null;
  /** The change that set the limit, which counts from then on; 0 for none. */
  readonly limitNumber: number;
  /** The last orders to stop, oldest first. */
  readonly stops: readonly StopOrder[];
}

/** A run that nobody has steered yet. */
export const unsteered: Steering = { number: 0, pause: null, limitNumber: 0, stops: [] };

/** The pause as of `now` (epoch ms); null once it has ended. */
export function pauseAt(pause: Pause | null, now: number): Pause | null {
  return pause !== null && (pause.until === null || now < pause.until) ? pause : null;
}

/** The pause that ends last. */
export function strictest(one: Pause | null, other: Pause | null): Pause | null {
  if (one === null || other === null) return one ?? other;
  return endOf(one) < endOf(other) ? other : one;
}

function endOf({ until }: Pause): number {
  return until ?? Number.POSITIVE_INFINITY;
}

/** Sessions look every second, so older ones have been seen. */
const keptStops = 100;

/** The orders to stop that are for this session. */
export function stopsFor({ stops }: Steering, { name, begunAt }: SteeredSession): readonly StopOrder[] {
  return stops.filter(({ session, number }) => (session === null ? number > begunAt : session === name));
}

/** One change of the steering. */
export interface SteeringChange {
  /** Undefined leaves the pause as it is. */
  readonly pause?: Pause | null;
  readonly stop?: Omit<StopOrder, 'number'>;
  readonly isLimitNew: boolean;
}

/** The steering after one more change. */
export function steered(before: Steering, change: SteeringChange): Steering {
  const number = before.number + 1;
  return {
    number,
    pause: change.pause === undefined ? before.pause : change.pause,
    limitNumber: change.isLimitNew ? number : before.limitNumber,
    stops:
      change.stop === undefined
        ? before.stops
        : [...before.stops, { number, ...change.stop }].slice(-keptStops),
  };
}
