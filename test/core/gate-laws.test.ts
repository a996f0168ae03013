import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreationEnd, type Gate, openGate, passAnswer, passCreation } from '../../src/core/gate.ts';
import { fixed } from '../../src/core/policy.ts';
import { freeze } from './lives.ts';

/** What the gate sees: creations that end, in order, and polls that are answered. */
type Sight = CreationEnd | { readonly end: 'answered' };

const failure = fc.constantFrom('no points', 'no such quality');
const sight: fc.Arbitrary<Sight> = fc.oneof(
  fc.constant({ end: 'accepted' } as const),
  fc.constant({ end: 'answered' } as const),
  { weight: 3, arbitrary: failure.map((text) => ({ end: 'refused', failure: text }) as const) },
  fc.record({
    end: fc.constant('passing' as const),
    at: fc.nat(9),
    retryAfterMs: fc.option(fc.nat(900_000)),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      end: fc.constant('not-sent' as const),
      startedAt: fc.nat(5_000),
      at: fc.nat(9_000),
      failure,
    }),
  },
  { weight: 2, arbitrary: failure.map((text) => ({ end: 'uncertain', failure: text }) as const) },
);

/** Creations end one after the other, and none before it started; times grow by what was drawn. */
function inOrder(story: readonly Sight[]): readonly Sight[] {
  let now = 0;
  return story.map((each) => {
    if (each.end !== 'passing' && each.end !== 'not-sent') return each;
    now += each.at;
    if (each.end === 'passing') return { ...each, at: now };
    return { ...each, at: now, startedAt: Math.max(0, now - each.startedAt) };
  });
}

const stories = fc.array(sight, { maxLength: 60, size: 'max' }).map(inOrder);

function gatesOf(story: readonly Sight[]): readonly Gate[] {
  let gate = freeze(openGate);
  return story.map((each) => {
    gate = freeze(each.end === 'answered' ? passAnswer(gate) : passCreation(gate, each));
    return gate;
  });
}

/** The longest row of neighbours that belong together. */
function longestRun<T>(parts: readonly T[], belongs: (part: T, last: T) => boolean): number {
  let run = 0;
  let longest = 0;
  parts.forEach((part, i) => {
    run = i > 0 && belongs(part, parts[i - 1] ?? part) ? run + 1 : belongs(part, part) ? 1 : 0;
    longest = Math.max(longest, run);
  });
  return longest;
}

/** The breakers by the words of the contract, over the whole story and without any memory of a gate. */
function isBroken(story: readonly Sight[]): boolean {
  const answers = story.filter(({ end }) => end !== 'not-sent' && end !== 'answered');
  const doubts = longestRun(answers, ({ end }, last) => end === 'uncertain' && last.end === 'uncertain');
  const refusals = longestRun(
    answers,
    (each, last) => each.end === 'refused' && last.end === 'refused' && each.failure === last.failure,
  );
  return doubts >= fixed.uncertainBreaker || refusals >= fixed.refusalBreaker;
}

test('submitting stops for good exactly when three are uncertain or five are refused alike in a row', () => {
  fc.assert(
    fc.property(stories, (story) => {
      gatesOf(story).forEach(({ stopped, failure: why }, i) => {
        const isStopped = stopped === 'uncertain-breaker' || stopped === 'refusal-breaker';
        expect(isStopped).toBe(isBroken(story.slice(0, i + 1)));
        expect(why !== null).toBe(stopped !== null);
      });
    }),
    { numRuns: 500 },
  );
});

test('out of reach it stops only after three outages that one answer would have ended, and any answer does', () => {
  fc.assert(
    fc.property(stories, (story) => {
      gatesOf(story).forEach(({ stopped, unreachableInRow }, i) => {
        const past = story.slice(0, i + 1);
        const quiet = past.slice(
          past.findLastIndex(({ end }) => end !== 'not-sent' && end !== 'uncertain') + 1,
        );
        const outages = quiet.filter(({ end }) => end === 'not-sent').length;
        expect(unreachableInRow).toBeLessThanOrEqual(outages);
        if (stopped === 'unreachable') expect(outages).toBeGreaterThanOrEqual(fixed.unreachableBreaker);
      });
    }),
    { numRuns: 500 },
  );
});

test('no answer ends a pause that the service asked for, and while submitting goes on no pause is longer than any may be', () => {
  fc.assert(
    fc.property(stories, (story) => {
      let asked = 0;
      let now = 0;
      gatesOf(story).forEach((gate, i) => {
        const each = story[i];
        if (each?.end === 'passing') {
          now = each.at;
          asked = Math.max(asked, now + Math.min(each.retryAfterMs ?? 0, fixed.retryAfterMaxMs));
        }
        if (each?.end === 'not-sent') now = each.at;
        expect(gate.notBefore).toBeGreaterThanOrEqual(asked);
        if (gate.stopped === null) expect(gate.notBefore).toBeLessThanOrEqual(now + fixed.retryAfterMaxMs);
      });
    }),
    { numRuns: 500 },
  );
});
