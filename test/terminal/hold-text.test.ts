import { expect, onTestFinished, test } from 'vitest';
import type { Hold } from '../../src/ports.ts';
import { heldMs, renderHold } from '../../src/terminal/hold-text.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords, typeAs } from '../../src/text/run-words.ts';

const now = Date.UTC(2026, 2, 1, 8);

test.each<[Hold | null, string | null]>([
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
    'the service accepts no more than 2 tasks at once; the next one starts when one has ended',
  ],
  [
    { why: 'service', open: 1 },
    'the service accepts no more than 1 task at once; the next one starts when one has ended',
  ],
  [{ why: 'poll-pause', until: now + 90_000 }, 'the service asked for a pause of 1 min 30 s'],
  [{ why: 'budget' }, 'submitting waits until the price of open tasks is known (--max-points)'],
  [{ why: 'downloads' }, 'submitting waits for downloads'],
  [{ why: 'silence', since: now - 9_000 }, null],
  [{ why: 'silence', since: now - 90_000 }, 'no answer from the service for 1 min 30 s; polling goes on'],
])('what keeps a run is said: %j', (hold, text) => {
  expect(renderHold(hold, now, words, english)).toBe(text);
});

const words = folderWords('./videos');

test.each([
  ['q 1', "'q 1'"],
  [null, 'ID'],
])('places held by uncertain rows are named with the command that frees them: %s', (id, word) => {
  const text = renderHold({ why: 'uncertain', until: now + 60_000, id }, now, words, english);
  expect(text).toMatch(/^uncertain rows hold all free slots until \d\d:\d\d/);
  expect(text).toContain(`\`batch resolve ./videos ${word} --task-id T\` or \`--not-created\` frees them`);
});

test('the command that frees them is said as it works under npx', () => {
  typeAs('npx batch');
  onTestFinished(() => typeAs('batch'));
  const hold = { why: 'uncertain', until: now + 60_000, id: 'q' } as const;
  expect(renderHold(hold, now, words, english)).toContain('`npx batch resolve ./videos q --task-id T`');
});

test('a pause has a length where its end is known', () => {
  expect(heldMs({ why: 'pause', until: now + 7_000, failure: null }, now)).toBe(7_000);
  expect(heldMs({ why: 'paused', until: now + 7_000 }, now)).toBe(7_000);
  expect(heldMs({ why: 'paused', until: null }, now)).toBe(0);
  expect(heldMs({ why: 'probe' }, now)).toBe(0);
});
