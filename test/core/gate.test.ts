import { describe, expect, it } from 'vitest';
import { type CreationEnd, type Gate, openGate, passAnswer, passCreation } from '../../src/core/gate.ts';
import { fixed } from '../../src/core/policy.ts';
import { freeze } from './lives.ts';

const accepted: CreationEnd = { end: 'accepted' };
const uncertain = (failure = 'connection lost'): CreationEnd => ({ end: 'uncertain', failure });
const refused = (failure = 'no points'): CreationEnd => ({ end: 'refused', failure });
const passing = (at: number, retryAfterMs: number | null = null): CreationEnd => ({
  end: 'passing',
  at,
  retryAfterMs,
});
const notSent = (startedAt: number, at = startedAt + 10): CreationEnd => ({
  end: 'not-sent',
  startedAt,
  at,
  failure: 'connection refused',
});
const answer = 'answer' as const;

/** The gate after these creations, and polls that were answered, in this order. */
function gateAfter(...story: readonly (CreationEnd | typeof answer)[]): Gate {
  return story.reduce(
    (gate: Gate, step) => freeze(step === answer ? passAnswer(gate) : passCreation(gate, step)),
    freeze(openGate),
  );
}

function times(count: number, end: CreationEnd): CreationEnd[] {
  return Array.from({ length: count }, () => end);
}

/** Three outages, each with a creation that started after the one before had ended. */
const outages = [notSent(0), notSent(100), notSent(200)];

describe('uncertain creations', () => {
  it('stop submitting at the third in a row, and the last one says why', () => {
    expect(gateAfter(uncertain('a'), uncertain('b')).stopped).toBeNull();
    expect(gateAfter(uncertain('a'), uncertain('b'), uncertain('c'))).toMatchObject({
      stopped: 'uncertain-breaker',
      failure: 'c',
    });
  });

  it.each([
    ['an accepted one', accepted],
    ['a refused one', refused()],
    ['one that is sent again', passing(0)],
  ])('do not add up across %s: the service answered', (_, between) => {
    expect(gateAfter(uncertain(), uncertain(), between, uncertain(), uncertain()).stopped).toBeNull();
  });

  it('add up across one that was not sent, which tells nothing', () => {
    const story = [uncertain(), uncertain(), notSent(0), uncertain()];
    expect(gateAfter(...story).stopped).toBe('uncertain-breaker');
  });

  it('add up across an answered poll: that the status is told does not make creations safe', () => {
    expect(gateAfter(uncertain(), uncertain(), answer, uncertain()).stopped).toBe('uncertain-breaker');
  });

  it('stop for the whole run, whatever comes later', () => {
    const later = [accepted, answer, refused(), passing(0), ...outages, answer, accepted];
    const gate = gateAfter(...times(3, uncertain()), ...later);
    expect(gate).toMatchObject({ stopped: 'uncertain-breaker', failure: 'connection lost' });
  });
});

describe('refusals', () => {
  it('stop submitting at the fifth in a row with one message', () => {
    expect(gateAfter(...times(4, refused())).stopped).toBeNull();
    expect(gateAfter(...times(5, refused()))).toMatchObject({
      stopped: 'refusal-breaker',
      failure: 'no points',
    });
  });

  it('with different messages are the fault of the rows', () => {
    const story = [...times(4, refused('a')), ...times(4, refused('b')), ...times(4, refused('a'))];
    expect(gateAfter(...story).stopped).toBeNull();
    expect(gateAfter(...times(4, refused('a')), ...times(5, refused('b'))).stopped).toBe('refusal-breaker');
  });

  it.each([
    ['an accepted one', accepted],
    ['an uncertain one', uncertain()],
    ['one that is sent again', passing(0)],
  ])('do not add up across %s', (_, between) => {
    expect(gateAfter(...times(4, refused()), between, ...times(4, refused())).stopped).toBeNull();
  });

  it('add up across a creation that was not sent and across answered polls', () => {
    const story = [...times(4, refused()), notSent(0), answer, refused()];
    expect(gateAfter(...story).stopped).toBe('refusal-breaker');
  });
});

describe('an outage', () => {
  it('stops submitting at the third', () => {
    expect(gateAfter(...outages.slice(0, 2)).stopped).toBeNull();
    expect(gateAfter(...outages)).toMatchObject({ stopped: 'unreachable', failure: 'connection refused' });
  });

  it('counts once, however many creations were on their way', () => {
    const together = Array.from({ length: 16 }, (_, i) => notSent(0, 10 + i));
    expect(gateAfter(...together)).toMatchObject({
      stopped: null,
      unreachableInRow: 1,
      notBefore: 10 + 2_000,
    });
  });

  it('counts anew for a creation that started when the one before had ended', () => {
    expect(gateAfter(notSent(0, 10), notSent(10, 20)).unreachableInRow).toBe(2);
  });

  it('pauses submitting, longer each time', () => {
    expect(gateAfter(...outages.slice(0, 1)).notBefore).toBe(10 + 2_000);
    expect(gateAfter(...outages.slice(0, 2)).notBefore).toBe(110 + 8_000);
    expect(gateAfter(...outages).notBefore).toBe(210 + 32_000);
  });

  it('is over with any answer: submitting goes on at once, and the count starts anew', () => {
    expect(gateAfter(...outages, answer)).toEqual({ ...openGate, unreachableAt: 210 });
    const story = [...outages.slice(0, 2), answer, notSent(200)];
    expect(gateAfter(...story)).toMatchObject({ stopped: null, unreachableInRow: 1, notBefore: 210 + 2_000 });
  });

  it.each([
    ['accepted', accepted],
    ['refused', refused()],
    ['to be sent again', passing(300)],
  ])('is over when a creation that was on its way turns out %s', (_, end) => {
    expect(gateAfter(...outages, end)).toMatchObject({ stopped: null, failure: null, unreachableInRow: 0 });
  });

  it('can still end after a creation that was on its way turned out uncertain', () => {
    expect(gateAfter(...outages, uncertain()).stopped).toBe('unreachable');
    expect(gateAfter(...outages, uncertain(), answer).stopped).toBeNull();
  });

  it('does not come into it while the service answers', () => {
    const gate = gateAfter(accepted, passing(5));
    expect(passAnswer(gate)).toBe(gate);
  });
});

describe('a refusal that will pass', () => {
  it('pauses all rows: two seconds, or as long as the service asks', () => {
    expect(gateAfter(passing(1_000)).notBefore).toBe(3_000);
    expect(gateAfter(passing(1_000, 60_000)).notBefore).toBe(61_000);
    expect(gateAfter(passing(1_000, 9_999_999)).notBefore).toBe(1_000 + fixed.retryAfterMaxMs);
  });

  it('never shortens a pause that was asked for', () => {
    expect(gateAfter(passing(1_000, 60_000), passing(2_000)).notBefore).toBe(61_000);
    expect(gateAfter(passing(1_000, 60_000), accepted).notBefore).toBe(61_000);
  });

  it('keeps its pause through an outage and its end', () => {
    const story = [passing(1_000, 60_000), notSent(2_000), answer];
    expect(gateAfter(...story)).toMatchObject({ notBefore: 61_000, unreachableInRow: 0 });
  });

  it('never stops the run, however often it comes', () => {
    expect(gateAfter(...times(50, passing(0))).stopped).toBeNull();
  });
});
