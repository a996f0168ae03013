/** Which attempt an answer is about. */

import { expect, it } from 'vitest';
import { attemptOfLine, isAbout, isSameSubject, subjectOf } from '../../src/money/subject.ts';
import { tokenMark } from '../../src/text/ids/row-key.ts';
import { events, itemIn } from './lives.ts';

const first = itemIn('open', { token: 't1', taskId: 'a' });
const next = { ...first, token: 't2', taskId: 'b' };

it('an answer about a task is about the attempt that has the task', () => {
  expect(isSameSubject(subjectOf(first), first)).toBe(true);
  for (const item of [next, { ...first, taskId: 'b' }, { ...first, token: 't2' }]) {
    expect(isSameSubject(subjectOf(first), item)).toBe(false);
    for (const type of ['task-completed', 'task-not-found', 'video-saved', 'frame-not-had'] as const)
      expect(isAbout(subjectOf(first), events[type], item)).toBe(false);
  }
});

it('the answer to a creation belongs to its attempt, whatever task the user gave it meanwhile', () => {
  const accepted = events['creation-accepted'];
  expect(isAbout({ token: 't1', taskId: null }, accepted, first)).toBe(true);
  expect(isAbout({ token: 't1', taskId: null }, accepted, next)).toBe(false);
});

it.each([
  [null, { attempt: 1 }, 'same'],
  [null, { attempt: 2 }, 'unsaid'],
  [{ attempt: null }, { attempt: 0 }, 'same'],
  [{ attempt: null }, { attempt: 2 }, 'unsaid'],
  [{ attempt: 1 }, { attempt: 2 }, 'other'],
  [{ attempt: 3 }, { attempt: 2 }, 'other'],
  [{ attempt: 2, token: tokenMark('mine') }, { attempt: 2 }, 'same'],
  [{ attempt: 2, token: tokenMark('of the copy') }, { attempt: 2 }, 'copy'],
  [{ attempt: 2, token: tokenMark('of the copy') }, { attempt: 2, token: null }, 'same'],
  [{ attempt: 2 }, { attempt: 2 }, 'same'],
] as const)('a line with the key %j, of a row with %j, is about the attempt: %s', (key, item, is) => {
  const line = key === null ? null : { token: '', ...key };
  expect(attemptOfLine(line, { token: 'mine', ...item })).toBe(is);
});
