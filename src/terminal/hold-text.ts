/** What keeps a run from going on as it could, in words. */

import type { EndingReason } from '../core/summary.ts';
import type { Hold } from '../ports.ts';
import { renderRough, renderSpan } from './times.ts';

/** A poll that gets no answer is nothing; one that gets none for this long (ms) is worth a word. */
const worthSayingMs = 10_000;

const becauseOf: Readonly<Record<EndingReason, string>> = {
  done: 'all is submitted',
  interrupted: 'interrupted',
  terminated: 'terminated',
  'key-refused': 'the service refused the API key',
  collected: 'only what is paid for is collected',
  limit: 'as many rows as --limit allows are submitted',
  'points-cap': '--max-points is reached',
  halt: 'as many rows ended badly as --halt allows',
  'uncertain-breaker': 'several creations in a row had no readable answer',
  'refusal-breaker': 'several rows in a row were refused for the same reason',
  unreachable: 'the service cannot be reached',
  misconfigured: 'the service is not set up as it must be',
  disk: 'the disk or the checkpoint failed',
};

/** One line; null where there is nothing to say. `now` is epoch ms. */
export function renderHold(hold: Hold | null, now: number): string | null {
  switch (hold?.why) {
    case 'closed':
      return `nothing more is submitted: ${becauseOf[hold.reason]}`;
    case 'stopping':
      return `stopping (${becauseOf[hold.reason]}): creations on their way are waited for`;
    case 'pause':
      return `submitting pauses for ${renderRough(hold.until - now)}`;
    case 'poll-pause':
      return `the service asked for a pause of ${renderRough(hold.until - now)}`;
    case 'budget':
      return 'submitting waits for the points of open tasks (--max-points)';
    case 'downloads':
      return 'submitting waits for the files of completed tasks';
    case 'silence':
      return now - hold.since < worthSayingMs
        ? null
        : `no answer from the service for ${renderSpan(now - hold.since)}; it is asked again at every tick`;
    case undefined:
      return null;
  }
}
