/** What a signal asks of a run that may have been told to stop already. */

/** Signals that end a run, with the exit code of each. */
export const stopCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
export type StopSignal = keyof typeof stopCodes;

/** One wish to stop may come as several signals: a terminal that is closed sends two, an init system its own two. */
const secondWishMs = 1_000;

/**
 * The first signal stops the run in good order. A second one leaves at once: it comes a second later or more, and is no SIGHUP,
 * which only says that nobody is there any more. `sinceFirstMs` is null for the first.
 */
export function decideSignal(signal: StopSignal, sinceFirstMs: number | null): 'stop' | 'leave' | 'nothing' {
  if (sinceFirstMs === null) return 'stop';
  return signal === 'SIGHUP' || sinceFirstMs < secondWishMs ? 'nothing' : 'leave';
}
