import { expect, test } from 'vitest';
import { creationSpan, doubtOf } from '../../../src/money/answers/doubtful-creation.ts';
import { judgeSilence, unheard } from '../../../src/money/answers/silent-creation.ts';
import { fixed } from '../../../src/money/policy.ts';
import { at, itemIn } from '../lives.ts';

const silence = { sent: true, why: 'no answer within 60 s', codes: [], place: 'https://x.example' };
const { failure: silent } = judgeSilence(silence, { now: at, redact: (text) => text }) as { failure: string };

const deadline = at + fixed.sendWindowMs + 60_000;

test.each([
  ['was sent a moment ago', silent, deadline - 1, 'young'],
  ['got no answer within its deadline', silent, deadline, null],
  ['was cut off by the end of its program', unheard.stopped, deadline, null],
  ['was forgotten by its store', unheard.forgotten, deadline, null],
  ['was answered without a task id', 'HTTP 200 without a readable task id', deadline, 'answered'],
  ['was answered by whoever', 'HTTP 500: sent to x, but no answer came', deadline, 'answered'],
  ['ended for a reason that nobody kept', null, deadline, 'answered'],
])('the word that there is no task of a creation that %s', (_, failure, now, doubt) => {
  const item = itemIn('uncertain', { submittedAt: at, failure });
  expect(doubtOf(item, 60_000, now)).toBe(doubt);
});

test('nothing speaks against that word of a row that is not uncertain', () => {
  expect(doubtOf(itemIn('lost', { submittedAt: at }), 60_000, at)).toBe(null);
});

test('a creation whose time is not known counts from now', () => {
  expect(creationSpan({ submittedAt: null }, 1_000, at)).toEqual({
    after: at,
    before: at + fixed.sendWindowMs + 1_000,
  });
});
