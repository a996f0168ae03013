/** What holds a run back, in words. */

import type { EndingReason } from '../core/summary.ts';
import type { RunWords } from '../core/text/run-words.ts';
import type { Hold } from '../ports.ts';
import { resolveWords } from './failure-lines.ts';
import { renderMoment, renderRough, renderSpan } from './times.ts';

/** One missed answer is nothing; none for this long (ms) is worth a message. */
const worthSayingMs = 10_000;

const becauseOf: Readonly<Record<EndingReason, string>> = {
  checkpoint: 'the checkpoint cannot be used',
  bug: 'a bug in batch',
  done: 'all rows are submitted',
  interrupted: 'interrupted',
  terminated: 'terminated',
  'key-refused': 'the service refused the API key',
  'no-points': 'the account has no points left',
  'key-forbidden': 'the API key lacks permission',
  collected: 'this run only collects paid tasks',
  'new-round': 'another process began a new round',
  'older-store': 'the store is an older copy of itself',
  limit: '--limit reached',
  'points-cap': '--max-points reached',
  unpriced: 'the price of a task is unknown, so --max-points cannot be guaranteed',
  halt: 'too many rows ended badly (--halt)',
  'uncertain-breaker': 'several creations in a row got no readable answer',
  'refusal-breaker': 'several rows in a row were refused for the same reason',
  'lost-breaker': 'the service does not know several tasks in a row that it accepted',
  'foreign-answer': 'a creation was answered, but not by the service',
  'wrong-service': 'the server at --base-url is not the service',
  busy: 'the service refuses all creations',
  unreachable: 'the service cannot be reached',
  misconfigured: 'the service is not set up correctly',
  disk: 'the disk failed',
};

/** The user's pause, for people. `until` (epoch ms) is null for a pause without an end. */
export function renderPause(until: number | null, now: number): string {
  const end = until === null ? '' : ` until ${renderMoment(until, now)}`;
  return `submitting is paused${end}; polls and downloads go on`;
}

/** One line; null where nothing holds the run back. `now` is epoch ms. */
export function renderHold(hold: Hold | null, now: number, words: RunWords): string | null {
  switch (hold?.why) {
    case 'closed':
      return `nothing more is submitted: ${becauseOf[hold.reason]}`;
    case 'stopping':
      return `stopping (${becauseOf[hold.reason]}): waiting for creations in flight`;
    case 'pause':
      return `submitting pauses for ${renderRough(hold.until - now)}${hold.failure === null ? '' : `: ${hold.failure}`}`;
    case 'paused':
      return `${renderPause(hold.until, now)}; \`batch continue ${words.run}\` ends the pause`;
    case 'probe':
      return 'checking whether the service can be reached';
    case 'service':
      return `the service accepts no more than ${hold.open} ${hold.open === 1 ? 'task' : 'tasks'} at once; the next one starts when one has ended`;
    case 'uncertain':
      return `uncertain rows hold all free slots until ${renderMoment(hold.until, now)}; \`batch ${resolveWords(words.run, hold.id ?? 'ID')}\` or \`--not-created\` frees them`;
    case 'poll-pause':
      return `the service asked for a pause of ${renderRough(hold.until - now)}`;
    case 'callbacks':
      return `waiting until ${renderMoment(hold.until, now)} for callbacks about uncertain rows; Ctrl-C ends the wait`;
    case 'budget':
      return 'submitting waits until the price of open tasks is known (--max-points)';
    case 'downloads':
      return 'submitting waits for downloads';
    case 'silence':
      return now - hold.since < worthSayingMs
        ? null
        : `no answer from the service for ${renderSpan(now - hold.since)}; polling goes on`;
    case 'idle':
      return 'nothing is left to do: this worker waits, and goes on when there is more';
    case undefined:
      return null;
  }
}
