import { expect, onTestFinished, test } from 'vitest';
import type { Obstacle } from '../../src/ports.ts';
import { pausedMs, renderObstacle } from '../../src/terminal/obstacle-text.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords, typeAs } from '../../src/text/run-words.ts';

const now = Date.UTC(2026, 2, 1, 8);

test.each<[Obstacle | null, string | null]>([
  [null, null],
  [{ why: 'closed', reason: 'halt' }, 'nothing more is submitted: too many rows ended badly (--halt)'],
  [{ why: 'closed', reason: 'collected' }, 'nothing more is submitted: this run only collects paid tasks'],
  [{ why: 'stopping', reason: 'interrupted' }, 'stopping (interrupted): waiting for creations in flight'],
  [{ why: 'pause', until: now + 7_000, failure: null }, 'submitting pauses for 10 s'],
  [
    { why: 'pause', until: now + 30_000, failure: '429 - slow down' },
    'submitting pauses for 30 s: 429 - slow down',
  ],
  [
    { why: 'paused', until: null },
    'submitting is paused; polls and downloads go on; `batch continue ./videos` ends the pause',
  ],
  [{ why: 'probe' }, 'checking whether the service can be reached'],
  [
    { why: 'service', open: 2 },
    'the service answers that it is busy; no more than 2 tasks are open at once until it takes more',
  ],
  [
    { why: 'service', open: 1 },
    'the service answers that it is busy; no more than 1 task is open at once until it takes more',
  ],
  [{ why: 'poll-pause', until: now + 90_000 }, 'the service asked for a pause of 1 min 30 s'],
  [{ why: 'budget' }, 'submitting waits until the price of open tasks is known (--max-points)'],
  [
    { why: 'videos', count: 2, until: new Date(2026, 2, 1, 23, 49).getTime() },
    '2 tasks finished without a video; asked again until 23:49',
  ],
  [{ why: 'downloads' }, 'submitting waits for downloads'],
  [{ why: 'silence', since: now - 9_000 }, null],
  [{ why: 'silence', since: now - 90_000 }, 'no answer from the service for 1 min 30 s; polling goes on'],
])('what keeps a run is said: %j', (hold, text) => {
  expect(renderObstacle(hold, now, words, english)).toEqual(text === null ? [] : [text]);
});

const words = folderWords('./videos');

function uncertain(id: string): Obstacle {
  return { why: 'uncertain', held: 6, of: 10, until: now + 60_000, id };
}

test('most slots held by uncertain rows are reported with a command a line that frees one', () => {
  const [text, ...commands] = renderObstacle(uncertain('q 1'), now, words, english);
  expect(text).toMatch(/^uncertain rows hold 6 of 10 slots until \d\d:\d\d; to free one:$/);
  expect(commands).toEqual([
    "`batch resolve ./videos 'q 1' --task-id T` or",
    "`batch resolve ./videos 'q 1' --not-created`",
  ]);
});

test('the command that frees them is said as it works under npx', () => {
  typeAs('npx batch');
  onTestFinished(() => typeAs('batch'));
  expect(renderObstacle(uncertain('q'), now, words, english)).toContain(
    '`npx batch resolve ./videos q --task-id T` or',
  );
});

test('a pause has a length where its end is known', () => {
  expect(pausedMs({ why: 'pause', until: now + 7_000, failure: null }, now)).toBe(7_000);
  expect(pausedMs({ why: 'paused', until: now + 7_000 }, now)).toBe(7_000);
  expect(pausedMs({ why: 'paused', until: null }, now)).toBe(0);
  expect(pausedMs({ why: 'probe' }, now)).toBe(0);
});
