import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Breaker, type CreationEnd, freshBreaker } from '../../../src/money/breakers/breaker.ts';
import { busyUntil, passRest, passTime } from '../../../src/money/breakers/busy-service.ts';
import { passCreation } from '../../../src/money/breakers/circuit-breaker.ts';
import { passAnswer } from '../../../src/money/breakers/outage.ts';
import type { CreationEvent } from '../../../src/money/event.ts';
import { defaultPolicy, fixed, type Policy } from '../../../src/money/policy.ts';
import { eventOf, events, freeze } from '../lives.ts';

/** What the breaker sees: creations that end, in order, and polls that are answered. */
type Sight = CreationEnd | 'answered';

const failure = fc.constantFrom('no points', 'no such quality');
const event: fc.Arbitrary<CreationEvent> = fc.oneof(
  fc.constant(events['creation-accepted']),
  { weight: 3, arbitrary: failure.map((text) => eventOf('creation-refused', { failure: text })) },
  fc
    .oneof(fc.nat(9_000_000), fc.constantFrom(null, 'unclear' as const))
    .map((retryAfterMs) => eventOf('creation-refused', { passing: true, retryAfterMs })),
  { weight: 3, arbitrary: failure.map((text) => eventOf('creation-not-sent', { failure: text })) },
  { weight: 2, arbitrary: failure.map((text) => eventOf('creation-uncertain', { failure: text })) },
);

const drawn = fc.array(
  fc.record({
    event: fc.option(event),
    passesMs: fc.nat(90_000),
    tookMs: fc.nat(100_000),
    open: fc.nat(60),
  }),
  { maxLength: 60, size: 'max' },
);

/** Creations end one after the other, and none before it started. */
const stories = drawn.map((steps): readonly Sight[] => {
  let now = 0;
  return steps.map(({ event: end, passesMs, tookMs, open }) => {
    now += passesMs;
    if (end === null) return 'answered';
    return { event: end, names: [], startedAt: Math.max(0, now - tookMs), at: now, open, used: open + 1 };
  });
});

const policies = fc
  .integer({ min: 1, max: 60 })
  .map((concurrency): Policy => ({ ...defaultPolicy, concurrency }));

function gatesOf(story: readonly Sight[], policy: Policy): readonly Breaker[] {
  let breaker = freeze(freshBreaker);
  return story.map((each) => {
    breaker = freeze(each === 'answered' ? passAnswer(breaker) : passCreation(breaker, each, policy));
    return breaker;
  });
}

const isEnd = (each: Sight): each is CreationEnd => each !== 'answered';

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

/** The breakers by the words of the contract, over the whole story and without any memory of a breaker. */
function isBroken(story: readonly Sight[], policy: Policy): boolean {
  const { concurrency } = policy;
  const answers = story
    .filter(isEnd)
    .map((end) => end.event)
    .filter(({ type }) => type !== 'creation-not-sent');
  const doubts = longestRun(
    answers,
    ({ type }, last) => type === 'creation-uncertain' && last.type === 'creation-uncertain',
  );
  const isFinal = (each: CreationEvent): each is Extract<CreationEvent, { type: 'creation-refused' }> =>
    each.type === 'creation-refused' && !each.passing;
  const refusals = longestRun(
    answers,
    (each, last) => isFinal(each) && isFinal(last) && each.failure === last.failure,
  );
  if (doubts >= Math.min(fixed.uncertainBreaker, concurrency)) return true;
  // An accepted creation ends what refusals began.
  const accepted = story.findLastIndex((each) => isEnd(each) && each.event.type === 'creation-accepted');
  return accepted === -1 ? refusals >= fixed.refusalBreaker : isBroken(story.slice(accepted + 1), policy);
}

test('submitting stops for good exactly when three are uncertain or five are refused alike in a row', () => {
  fc.assert(
    fc.property(stories, policies, (story, policy) => {
      gatesOf(story, policy).forEach(({ stopped }, i) => {
        // Patience with a busy service ran out before: that stands.
        if (stopped === 'busy') return;
        const isStopped = stopped === 'uncertain-breaker' || stopped === 'refusal-breaker';
        expect(isStopped).toBe(isBroken(story.slice(0, i + 1), policy));
      });
    }),
    { numRuns: 1000 },
  );
});

test('out of reach it stops only after an outage as long as the user waits, and any answer ends it', () => {
  fc.assert(
    fc.property(stories, policies, (story, policy) => {
      gatesOf(story, policy).forEach(({ stopped }, i) => {
        if (stopped !== 'unreachable') return;
        const past = story.slice(0, i + 1);
        const isQuiet = (each: Sight): boolean =>
          isEnd(each) && ['creation-not-sent', 'creation-uncertain'].includes(each.event.type);
        const quiet = past.slice(past.findLastIndex((each) => !isQuiet(each)) + 1).filter(isEnd);
        const outages = quiet.filter((end) => end.event.type === 'creation-not-sent');
        const [first] = outages;
        const lasted = (outages.at(-1)?.at ?? 0) - (first?.startedAt ?? 0);
        expect(lasted).toBeGreaterThanOrEqual(policy.outageTimeoutMs);
      });
    }),
    { numRuns: 1000 },
  );
});

test('no answer ends a pause that the service asked for, and no pause is longer than any may be', () => {
  fc.assert(
    fc.property(stories, policies, (story, policy) => {
      let asked = 0;
      let now = 0;
      gatesOf(story, policy).forEach((breaker, i) => {
        const each = story[i];
        if (each !== undefined && isEnd(each)) {
          now = each.at;
          const pauseMs = each.event.type === 'creation-refused' ? each.event.retryAfterMs : null;
          if (typeof pauseMs === 'number')
            asked = Math.max(asked, now + Math.min(pauseMs, fixed.retryAfterMaxMs));
        }
        expect(breaker.notBefore).toBeGreaterThanOrEqual(asked);
        expect(breaker.notBefore).toBeLessThanOrEqual(now + fixed.retryAfterMaxMs);
      });
    }),
    { numRuns: 1000 },
  );
});

test('as many creations may be on their way as were accepted since the last trouble, and one more', () => {
  fc.assert(
    fc.property(stories, policies, (story, policy) => {
      let calm = 0;
      gatesOf(story, policy).forEach((breaker, i) => {
        const each = story[i];
        if (each !== undefined && isEnd(each)) {
          const { event: end } = each;
          const isTrouble =
            end.type === 'creation-uncertain' ||
            end.type === 'creation-not-sent' ||
            (end.type === 'creation-refused' && end.passing);
          if (end.type === 'creation-accepted') calm += 1;
          else if (isTrouble && breaker.window === 1) calm = 0;
        }
        expect(breaker.window).toBe(Math.min(fixed.creationsInFlight, calm + 1));
        expect(breaker.openLimit).toBeGreaterThanOrEqual(1);
      });
    }),
    { numRuns: 1000 },
  );
});

test('patience ends when it was said to end, so that no run wakes for a time that has passed', () => {
  const ticks = fc.array(
    fc.record({
      passesMs: fc.nat(4_000_000),
      open: fc.nat(3),
      isPaused: fc.boolean(),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(stories, policies, ticks, (story, policy, later) => {
      const last = story.findLast(isEnd);
      let breaker = gatesOf(story, policy).at(-1) ?? freshBreaker;
      let now = last?.at ?? 0;
      for (const { passesMs, open, isPaused } of later) {
        now += passesMs;
        if (isPaused) breaker = passRest(breaker, now);
        // Once where patience only begins, once where it ends.
        breaker = passTime(passTime(breaker, now, open, policy), now, open, policy);
        if (breaker.stopped === null) expect(busyUntil(breaker, now, open, policy)).toBeGreaterThan(now);
      }
    }),
    { numRuns: 1000 },
  );
});
