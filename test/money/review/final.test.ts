import { expect, it } from 'vitest';
import { lastOf, whyFinalEnds } from '../../../src/money/review/final.ts';

const final = { draft: 1 };

it('a final falls away with another text, or where somebody calls its draft bad', () => {
  const [good, bad] = [{ attempt: 1, mark: 'good' } as const, { attempt: 1, mark: 'bad' } as const];
  expect(whyFinalEnds({ final: null, edit: {}, marks: [bad] })).toBeNull();
  expect(whyFinalEnds({ final, edit: null, marks: [good, { attempt: 2, mark: 'bad' }] })).toBeNull();
  expect(whyFinalEnds({ final, edit: {}, marks: [bad] })).toBe('changed');
  expect(whyFinalEnds({ final, edit: null, marks: [good, bad] })).toBe('bad');
});

it('a row goes back to its last attempt that came to anything', () => {
  const facts = {
    ...{ submittedAt: 1, endedAt: 2, taskId: 'task', points: 15, failure: null },
    ...{ quality: 'l' as const, title: 'Title', createdAt: null, finishAt: null },
  };
  const draft = { ...facts, status: 'completed' } as const;
  const unsent = { ...facts, attempt: 2, status: 'pending', taskId: null, points: 0 } as const;
  expect(lastOf([{ ...draft, attempt: 1 }, unsent])).toEqual(draft);
  expect(() => lastOf([unsent])).toThrow('without an attempt');
});
