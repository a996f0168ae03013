/** Which attempt an answer is about. */

import { expect, it } from 'vitest';
import { isAbout, isSameSubject, subjectOf } from '../../src/money/subject.ts';
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
