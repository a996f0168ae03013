import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item, ItemEvent, Status } from '../../src/core/item.ts';
import { frameChoices } from '../../src/core/item.ts';
import { defaultPolicy, type Policy } from '../../src/core/policy.ts';
import { badStatuses } from '../../src/core/summary.ts';
import { IllegalMove, isLegal } from '../../src/core/transition.ts';
import { eventArbitrary } from './any-event.ts';
import { freeze, itemIn, kindsOf, move } from './lives.ts';

const storyArbitrary = fc.array(eventArbitrary, { maxLength: 80, size: 'max' });
const policyArbitrary = fc
  .constantFrom(...frameChoices)
  .map((frames): Policy => ({ ...defaultPolicy, frames }));

/** Lives a story from `pending`, leaving out what cannot happen, and shows every step that can. */
function forEachStep(
  visit: (step: { before: Item; event: ItemEvent; after: Item; effects: readonly string[] }) => void,
  numRuns = 100,
): void {
  fc.assert(
    fc.property(storyArbitrary, policyArbitrary, (story, policy) => {
      let before = itemIn('pending');
      for (const event of story) {
        if (!isLegal(before.status, event.type)) {
          expect(() => move(before, event, policy)).toThrow(IllegalMove);
          continue;
        }
        const { item: after, effects } = move(before, event, policy);
        visit({ before, event, after: freeze(after), effects: kindsOf(effects) });
        before = after;
      }
    }),
    { numRuns },
  );
}

test('the stories reach every status, so that the laws below are about all of them', () => {
  const seen = new Set<Status>();
  forEachStep(({ after }) => seen.add(after.status), 1_000);
  expect(seen.size).toBe(11);
});

test('only a claim starts an attempt, and it starts exactly one', () => {
  forEachStep(({ before, event, after, effects }) => {
    const isClaim = event.type === 'claimed';
    expect(after.attempt).toBe(before.attempt + (isClaim ? 1 : 0));
    expect(effects.includes('create')).toBe(isClaim);
    expect(after.status === 'submitting').toBe(isClaim);
    if (isClaim) expect(before.status).toBe('pending');
  });
});

test('nothing but the word of somebody who looked leads out of uncertain', () => {
  forEachStep(({ before, event, after }) => {
    if (before.status !== 'uncertain' || after.status === 'uncertain') return;
    expect([event.type, after.status]).toEqual(
      event.type === 'task-adopted' ? ['task-adopted', 'open'] : ['not-created', 'pending'],
    );
  });
});

test('a token names one attempt from its claim to its end', () => {
  forEachStep(({ before, event, after }) => {
    if (event.type === 'claimed') expect(after.token).toBe(event.token);
    else if (event.type === 'retry-ordered' || event.type === 'question-changed')
      expect(after.token).toBeNull();
    else expect(after.token).toBe(before.token);
  });
});

test('a task id is kept until a new attempt is ordered, or the user says that it is not the one', () => {
  forEachStep(({ before, event, after }) => {
    if (before.taskId === null || event.type === 'retry-ordered') return;
    if (after.taskId === before.taskId) return;
    // The answer to the row's own creation is overruled only once the service does not know it.
    expect(before.status === 'lost' || before.requestHash === null).toBe(true);
    expect(after.taskId).toBe(event.type === 'task-adopted' ? event.taskId : null);
    if (after.taskId === null) expect(event.type).toBe('not-created');
  });
});

const withTask: ReadonlySet<Status> = new Set<Status>([
  'open',
  'downloading',
  'completed',
  'failed',
  'undelivered',
  'lost',
]);

test('a row has a task id exactly where there is a task to ask for', () => {
  forEachStep(({ after }) => expect(after.taskId !== null).toBe(withTask.has(after.status)));
});

test('a completed row has its video, wants nothing more and has no failure', () => {
  forEachStep(({ after }) => {
    if (after.status !== 'completed') return;
    const video = after.artifacts.find((artifact) => artifact.kind === 'video');
    expect(video).toMatchObject({ state: 'saved', path: expect.any(String) });
    expect(after.artifacts.filter((artifact) => artifact.state === 'wanted')).toEqual([]);
    expect(after.failure).toBeNull();
  });
});

test('points that are known are forgotten by nothing but a new attempt', () => {
  forEachStep(({ before, event, after }) => {
    if (before.points === null || event.type === 'retry-ordered' || event.type === 'claimed') return;
    expect(after.points).not.toBeNull();
    const namesPoints = event.type === 'task-completed' || event.type === 'task-failed';
    if (!namesPoints || event.ending.points === null) expect(after.points).toBe(before.points);
  });
});

test('points that nobody knows are never shown as 0', () => {
  forEachStep(({ after }) => {
    const isUnknown = ['submitting', 'open', 'uncertain', 'lost'].includes(after.status);
    if (isUnknown) expect(after.points).toBeNull();
  });
});

test('a row that ended badly says why', () => {
  forEachStep(({ after }) => {
    if (badStatuses.has(after.status)) expect(after.failure).toEqual(expect.any(String));
  });
});

test('files are numbered once, in order, and a row has one video at most', () => {
  forEachStep(({ after }) => {
    const ordinals = after.artifacts.map((artifact) => artifact.ordinal);
    expect(ordinals).toEqual([...new Set(ordinals)].sort((a, b) => a - b));
    for (const { kind, ordinal } of after.artifacts) expect(kind === 'video').toBe(ordinal === 0);
  });
});

test('a wanted frame is always on its way to a link, or given up: a downloading row is never without hope', () => {
  forEachStep(({ before, event, after, effects }) => {
    const isEnd = event.type === 'task-completed' && after !== before;
    if (!isEnd || after.status !== 'downloading') return;
    const wanted = after.artifacts.filter(({ kind, state }) => kind === 'frame' && state === 'wanted');
    // Without a video the service is asked again, and names the frames again.
    const isAsked = effects.includes('poll') || effects.includes('poll-later');
    if (!isAsked) expect(effects.filter((kind) => kind === 'fetch-frame')).toHaveLength(wanted.length);
  });
});
