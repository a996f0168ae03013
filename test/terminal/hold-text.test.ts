import { expect, test } from 'vitest';
import type { Hold } from '../../src/ports.ts';
import { renderHold } from '../../src/terminal/hold-text.ts';

const now = Date.UTC(2026, 2, 1, 8);

test.each<[Hold | null, string | null]>([
  [null, null],
  [{ why: 'closed', reason: 'halt' }, 'nothing more is submitted: as many rows ended badly as --halt allows'],
  [{ why: 'closed', reason: 'collected' }, 'nothing more is submitted: only what is paid for is collected'],
  [
    { why: 'stopping', reason: 'interrupted' },
    'stopping (interrupted): creations on their way are waited for',
  ],
  [{ why: 'pause', until: now + 7_000 }, 'submitting pauses for 10 s'],
  [{ why: 'poll-pause', until: now + 90_000 }, 'the service asked for a pause of 1 min 30 s'],
  [{ why: 'budget' }, 'submitting waits for the points of open tasks (--max-points)'],
  [{ why: 'downloads' }, 'submitting waits for the files of completed tasks'],
  [{ why: 'silence', since: now - 9_000 }, null],
  [
    { why: 'silence', since: now - 90_000 },
    'no answer from the service for 1 min 30 s; it is asked again at every tick',
  ],
])('what keeps a run is said: %j', (hold, text) => {
  expect(renderHold(hold, now)).toBe(text);
});
