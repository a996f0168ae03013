/** What keeps a run from going on as it could, in words. */

import type { EndingReason } from '../core/summary.ts';
import { shellWord } from '../core/text/shell-word.ts';
import type { Hold } from '../ports.ts';
import { renderMoment, renderRough, renderSpan } from './times.ts';

/** A poll that gets no answer is nothing; one that gets none for this long (ms) is worth a word. */
const worthSayingMs = 10_000;

const becauseOf: Readonly<Record<EndingReason, string>> = {
  checkpoint: 'the checkpoint cannot be used',
  bug: 'a bug in batch',
  done: 'all is submitted',
  interrupted: 'interrupted',
  terminated: 'terminated',
  'key-refused': 'the service refused the API key',
  'no-points': 'the account has no points left',
  'key-forbidden': 'the API key may not do this',
  collected: 'this run only collects what is paid for',
  limit: '--limit is reached',
  'points-cap': '--max-points is reached',
  unpriced: 'the price of a task is unknown, so --max-points cannot be guaranteed',
  halt: 'too many rows ended badly (--halt)',
  'uncertain-breaker': 'several creations in a row got no readable answer',
  'refusal-breaker': 'several rows in a row were refused for the same reason',
  'lost-breaker': 'the service does not know several tasks in a row that it accepted',
  'foreign-answer': 'what answered a creation is not the service',
  'wrong-service': 'what answers at --base-url is not the service',
  busy: 'the service refuses all creations',
  unreachable: 'the service cannot be reached',
  misconfigured: 'the service is not set up correctly',
  disk: 'the disk failed',
};

/** One line; null where there is nothing to say. `now` is epoch ms. */
export function renderHold(hold: Hold | null, now: number): string | null {
  switch (hold?.why) {
    case 'closed':
      return `nothing more is submitted: ${becauseOf[hold.reason]}`;
    case 'stopping':
      return `stopping (${becauseOf[hold.reason]}): waiting for creations in flight`;
    case 'pause':
      return `submitting pauses for ${renderRough(hold.until - now)}${hold.failure === null ? '' : `: ${hold.failure}`}`;
    case 'probe':
      return 'checking whether the service is there';
    case 'service':
      return `the service takes no more than ${hold.open} ${hold.open === 1 ? 'task' : 'tasks'} at once; the next one starts when one has ended`;
    case 'uncertain':
      return `all free places are held by uncertain rows until ${renderMoment(hold.until, now)}; \`batch resolve ${hold.id === null ? 'ID' : shellWord(hold.id)} --task-id T\` or \`--not-created\` frees them`;
    case 'poll-pause':
      return `the service asked for a pause of ${renderRough(hold.until - now)}`;
    case 'callbacks':
      return `waiting until ${renderMoment(hold.until, now)} for callbacks about uncertain rows; Ctrl-C ends the wait`;
    case 'budget':
      return 'submitting waits for the price of open tasks (--max-points)';
    case 'downloads':
      return 'submitting waits for the files of completed tasks';
    case 'silence':
      return now - hold.since < worthSayingMs
        ? null
        : `no answer from the service for ${renderSpan(now - hold.since)}; it is asked again every tick`;
    case undefined:
      return null;
  }
}
