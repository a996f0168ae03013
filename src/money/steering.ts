/** What a user changes while a run goes: the pause of submitting, and the number by which processes notice a change. */

/** Nothing is submitted before `until` (epoch ms); null for a pause without an end. */
export interface Pause {
  readonly until: number | null;
}

/** How a run is steered, as saved with it. The tuned options are among those of the run. */
export interface Steering {
  /** Increases with every change; 0 before the first. */
  readonly number: number;
  /** Null where submitting was not paused, or goes on. */
  readonly pause: Pause | null;
  /** The change that set the limit, which counts from then on; 0 for none. */
  readonly limitNumber: number;
}

/** A run that nobody has steered yet. */
export const unsteered: Steering = { number: 0, pause: null, limitNumber: 0 };

/** The pause as of `now` (epoch ms); null once it has ended. */
export function pauseAt(pause: Pause | null, now: number): Pause | null {
  return pause !== null && (pause.until === null || now < pause.until) ? pause : null;
}

/** The steering after one more change. `pause` undefined leaves the pause as it is. */
export function steered(
  before: Steering,
  change: { readonly pause?: Pause | null; readonly isLimitNew: boolean },
): Steering {
  const number = before.number + 1;
  return {
    number,
    pause: change.pause === undefined ? before.pause : change.pause,
    limitNumber: change.isLimitNew ? number : before.limitNumber,
  };
}
