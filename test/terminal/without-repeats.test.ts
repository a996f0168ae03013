import { expect, test } from 'vitest';
import { inEnglish, message } from '../../src/messages/message.ts';
import type { Display } from '../../src/terminal/plain-lines.ts';
import { withoutRepeats } from '../../src/terminal/without-repeats.ts';
import { itemIn } from '../money/lives.ts';

test('a display says a few notes of a kind, every row that ended badly, and the rest before it ends', () => {
  const lines: string[] = [];
  const display: Display = {
    note: (said) => void lines.push(inEnglish(said)),
    warn: (said) => void lines.push(`warning: ${inEnglish(said)}`),
    say: (text) => void lines.push(text),
    changed: () => {},
    crewSeen: () => {},
    started: () => void lines.push('started'),
    suspended: () => void lines.push('suspended'),
    ended: () => void lines.push('ended'),
  };
  const shown = withoutRepeats(display, () => 0);
  for (let count = 1; count <= 6; count += 1) {
    shown.note(message('concurrency.now', { count }));
    shown.warn(message('submitting.none', { failure: `F${count}` }));
    shown.note(message('attempt.answered', { id: `q${count}`, taskId: 'T' }), itemIn('failed'));
  }
  shown.say('asked for');
  shown.suspended();
  shown.ended();
  expect(lines.filter((line) => line.startsWith('concurrency'))).toEqual([
    'concurrency is now 1',
    'concurrency is now 2',
    'concurrency is now 3',
    'concurrency is now 6 (and 2 more like this)',
  ]);
  expect(lines.filter((line) => line.startsWith('warning'))).toHaveLength(4);
  expect(lines.filter((line) => line.startsWith('an earlier attempt'))).toHaveLength(6);
  expect(lines.slice(-5, -2)).toEqual([
    'asked for',
    'suspended',
    'concurrency is now 6 (and 2 more like this)',
  ]);
  expect(lines.at(-1)).toBe('ended');
});
