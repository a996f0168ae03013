/** Pure. How a run that may already be stopping reacts to a signal. */

/** Signals that end a run, with the exit code of each. */
export const stopCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
export type StopSignal = keyof typeof stopCodes;

/** Signals within this time are one request: closing a terminal sends two, and an init system may too. */
const secondWishMs = 1_000;

/**
 * The first signal stops the run in good order. A second one at least a second later leaves at once, except SIGHUP,
 * which only means that the terminal is gone. `sinceFirstMs` is null for the first.
 */
export function decideSignal(signal: StopSignal, sinceFirstMs: number | null): 'stop' | 'leave' | 'nothing' {
  if (sinceFirstMs === null) return 'stop';
  return signal === 'SIGHUP' || sinceFirstMs < secondWishMs ? 'nothing' : 'leave';
}
