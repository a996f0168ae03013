/** Whether a run continues only for videos that the service has not delivered yet. */

import { hasVideo } from '../../money/artifacts.ts';
import { fixed } from '../../money/policy.ts';
import type { Clock, Obstacle } from '../../ports.ts';
import type { Entry } from '../entry.ts';

/** The wait for them; null where there is none, or something else is in progress. */
export function awaitedVideos(
  entries: Iterable<Entry>,
  clock: Pick<Clock, 'now' | 'steady'>,
): Obstacle | null {
  let count = 0;
  let since = 0;
  for (const entry of entries) {
    if (!isAwaited(entry)) return null;
    count += 1;
    since = Math.max(since, entry.loadedAt, entry.endedAt);
  }
  if (count === 0) return null;
  return { why: 'videos', count, until: clock.now() + Math.max(0, since + fixed.linkAskMs - clock.steady()) };
}

/** Its video could not be had at least once. A row whose points are waited for has its own. */
function isAwaited({ item }: Entry): boolean {
  return item.status === 'downloading' && item.renewals > 0 && !hasVideo(item);
}
