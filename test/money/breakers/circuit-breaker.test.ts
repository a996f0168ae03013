import { describe, expect, it } from 'vitest';
import type { AskedPause } from '../../../src/money/answers/retry-after.ts';
import { type Breaker, type CreationEnd, freshBreaker } from '../../../src/money/breakers/breaker.ts';
import { busyUntil, passEarlierPause, passRest, passTime } from '../../../src/money/breakers/busy-service.ts';
import {
  passCreation,
  passKeyRefused,
  passLastRows,
  passProbe,
  passTask,
} from '../../../src/money/breakers/circuit-breaker.ts';
import { passAnswer, passUnreachable, whoAnswered } from '../../../src/money/breakers/outage.ts';
import { isCreationEvent, type KeyBar } from '../../../src/money/event.ts';
import type { Turn } from '../../../src/money/item.ts';
import { defaultPolicy, fixed, type Policy } from '../../../src/money/policy.ts';
import { eventOf, events, freeze } from '../lives.ts';

const policy: Policy = { ...defaultPolicy, concurrency: 50 };
const minute = 60_000;

type Step = (breaker: Breaker) => Breaker;

function creation(event: CreationEnd['event'], end: Partial<CreationEnd> = {}): Step {
  const at = end.at ?? 0;
  return (breaker) =>
    passCreation(
      breaker,
      { event, names: ['q1'], startedAt: at, at, open: 0, used: (end.open ?? 0) + 1, ...end },
      policy,
    );
}

const accepted = (at = 0, open = 0): Step => creation(events['creation-accepted'], { at, open });
const uncertain = (failure = 'connection lost'): Step => creation(eventOf('creation-uncertain', { failure }));
const refused = (failure = 'no points', names: readonly string[] = []): Step =>
  creation(eventOf('creation-refused', { failure }), { names });
const passing = (at: number, retryAfterMs: AskedPause = null, end: Partial<CreationEnd> = {}): Step =>
  creation(eventOf('creation-refused', { passing: true, retryAfterMs, failure: 'slow down' }), {
    at,
    ...end,
  });
const notSent = (startedAt: number, at = startedAt + 10): Step =>
  creation(eventOf('creation-not-sent', { failure: 'connection refused' }), { startedAt, at });
const answer: Step = passAnswer;
const fine: Step = (breaker) => passProbe(breaker, 'fine');

/** The breaker after these, in this order. */
function gateAfter(...story: readonly Step[]): Breaker {
  return story.reduce((breaker, step) => freeze(step(breaker)), freeze(freshBreaker));
}

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step);
}

describe('the start', () => {
  it('sends one creation at a time until one is accepted, then one more for each, up to sixteen', () => {
    expect(freshBreaker).toMatchObject({ window: 1, probe: 'due' });
    expect(gateAfter(...times(5, refused())).window).toBe(1);
    expect(gateAfter(accepted()).window).toBe(2);
    expect(gateAfter(...times(3, accepted())).window).toBe(4);
    expect(gateAfter(...times(40, accepted())).window).toBe(16);
  });

  it.each([
    ['an uncertain one', uncertain()],
    ['a busy service', passing(0)],
    ['an outage', notSent(0)],
  ])('begins anew after %s', (_, step) => {
    expect(gateAfter(...times(40, accepted()), step).window).toBe(1);
  });
});

describe('uncertain creations', () => {
  it('stop submitting at the third in a row, and the last one says why', () => {
    expect(gateAfter(uncertain('a'), uncertain('b')).stopped).toBeNull();
    expect(gateAfter(uncertain('a'), uncertain('b'), uncertain('c'))).toMatchObject({
      stopped: 'uncertain-breaker',
      failure: 'c',
    });
  });

  it('have the service asked for free before the next one, where that tells anything', () => {
    expect(gateAfter(fine, uncertain()).probe).toBe('due');
    expect(gateAfter((breaker) => passProbe(breaker, 'odd'), uncertain()).probe).toBe('odd');
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

  it('are alike when they differ only in ids, numbers and times', () => {
    const story = [1, 2, 3, 4, 5].map((n) =>
      refused(`row q-${n}: no points (request 3f2a9c4b-1111-4222-8333-00000000000${n}, 12:0${n}:00)`, [
        `q-${n}`,
      ]),
    );
    expect(gateAfter(...story).stopped).toBe('refusal-breaker');
  });
});

describe('a refusal that may be about one row or about all', () => {
  const barred = (
    bar: KeyBar | 'gateway',
    id: string,
    end: Partial<CreationEnd> & { turn?: Turn } = {},
  ): Step =>
    creation(eventOf('creation-barred', { bar, failure: `HTTP of ${bar}` }), {
      names: [id],
      row: { token: `token of ${id}`, turn: end.turn ?? 'first' },
      ...end,
    });
  const verdict = (bar: KeyBar | 'gateway', id: string) => ({
    type: 'row',
    id,
    token: `token of ${id}`,
    failure: `HTTP of ${bar}`,
  });
  const odd: Step = (breaker) => passProbe(breaker, 'odd');
  const outage: Step = (breaker) =>
    passUnreachable(breaker, { failure: 'HTTP 502', startedAt: 99, at: 99 }, policy);

  it.each(['no-points', 'key-forbidden'] as const)(
    'is about the row where the next one is accepted: %s',
    (bar) => {
      const waiting = gateAfter(fine, ...times(9, accepted()), barred(bar, 'q1', { at: 10 }));
      expect(waiting).toMatchObject({ stopped: null, window: 1, probe: 'fine', verdicts: [] });
      expect(waiting.inQuestion).toMatchObject([{ id: 'q1' }]);
      expect(accepted(20)(waiting)).toMatchObject({ inQuestion: [], verdicts: [verdict(bar, 'q1')] });
      // One that was on its way before shows nothing.
      const early = creation(events['creation-accepted'], { startedAt: 5, at: 15 })(waiting);
      expect(early).toMatchObject({ verdicts: [], inQuestion: [{ id: 'q1' }] });
    },
  );

  it.each(['no-points', 'key-forbidden'] as const)(
    'is about all where the next one is refused alike: %s',
    (bar) => {
      expect(gateAfter(fine, accepted(), barred(bar, 'q1'), barred(bar, 'q2'))).toMatchObject({
        stopped: bar,
        failure: `row q1 and row q2: HTTP of ${bar}`,
        inQuestion: [],
        verdicts: [],
      });
    },
  );

  it('is not alike where the key is refused for another reason', () => {
    const both = gateAfter(fine, barred('no-points', 'q1'), barred('key-forbidden', 'q2'));
    expect(both).toMatchObject({ stopped: null, inQuestion: [{ id: 'q1' }, { id: 'q2' }] });
    expect(accepted(1)(both).verdicts).toHaveLength(2);
  });

  it('of the key itself is asked about for free first', () => {
    const asked = gateAfter(fine, barred('key-refused', 'q1'));
    expect(asked).toMatchObject({ probe: 'due', stopped: null });
    expect(passKeyRefused(asked, { bar: 'key-refused', failure: 'no such key' })).toMatchObject({
      stopped: 'key-refused',
      failure: 'no such key',
      inQuestion: [],
    });
    const passed = fine(asked);
    expect(passed).toMatchObject({ stopped: null, probe: 'fine', inQuestion: [{ isFree: true }] });
    expect(accepted(1)(passed).verdicts).toEqual([verdict('key-refused', 'q1')]);
    expect(barred('key-refused', 'q2')(passed)).toMatchObject({ stopped: 'key-refused' });
    // Two were on their way together.
    expect(gateAfter(fine, barred('key-refused', 'q1'), barred('key-refused', 'q2'), fine).stopped).toBe(
      'key-refused',
    );
    // The answers of an outage show nothing.
    expect(outage(asked)).toMatchObject({ inQuestion: [{ id: 'q1', isFree: false }] });
  });

  it('leaves another breaker as it is', () => {
    const stopped = gateAfter(...times(3, uncertain()), barred('no-points', 'q1'), barred('no-points', 'q2'));
    expect(stopped.stopped).toBe('uncertain-breaker');
    const away = gateAfter(notSent(0), notSent(minute));
    expect(passKeyRefused(away, { bar: 'key-refused', failure: 'x' }).stopped).toBe('key-refused');
  });

  it('comes again for the same row after others were accepted: then it is about the row', () => {
    const again = { turn: 'last' as const };
    expect(gateAfter(fine, accepted(), barred('key-forbidden', 'q1', again))).toMatchObject({
      inQuestion: [],
      verdicts: [verdict('key-forbidden', 'q1')],
    });
    expect(gateAfter(fine, barred('key-forbidden', 'q1', again)).verdicts).toEqual([]);
    const free = gateAfter(fine, accepted(), barred('key-refused', 'q1', again));
    expect(free.verdicts).toEqual([]);
    expect(fine(free).verdicts).toEqual([verdict('key-refused', 'q1')]);
    // The points may be used up meanwhile.
    expect(gateAfter(fine, accepted(), barred('no-points', 'q1', again)).verdicts).toEqual([]);
  });

  it('is decided by what the run has seen where no other row is left', () => {
    const seen = gateAfter(fine, accepted(), barred('key-forbidden', 'q1'));
    expect(passLastRows(seen).verdicts).toEqual([verdict('key-forbidden', 'q1')]);
    expect(passLastRows(gateAfter(fine, barred('key-forbidden', 'q1')))).toMatchObject({
      stopped: 'key-forbidden',
      failure: 'row q1: HTTP of key-forbidden',
    });
    expect(passLastRows(gateAfter(fine, accepted(), barred('no-points', 'q1'))).stopped).toBe('no-points');
    const both = gateAfter(fine, accepted(), barred('no-points', 'q1'), barred('key-forbidden', 'q2'));
    expect(passLastRows(both)).toMatchObject({ stopped: 'no-points', verdicts: [], inQuestion: [] });
    const unknown = gateAfter(fine, accepted(), barred('key-refused', 'q1'));
    expect(passLastRows(unknown)).toMatchObject({ stopped: null, verdicts: [], inQuestion: [{ id: 'q1' }] });
    const page = gateAfter(fine, accepted(), barred('gateway', 'q1'));
    expect(passLastRows(page)).toMatchObject({ stopped: null, inQuestion: [{ id: 'q1' }] });
  });

  it('of another process is settled by that process', () => {
    const other = gateAfter(fine, barred('no-points', 'q1', { row: null }), accepted(1));
    expect(other).toMatchObject({ inQuestion: [], verdicts: [] });
  });

  it('of a gateway is about the row where the service answers the free question', () => {
    const asked = gateAfter(fine, barred('gateway', 'q1'));
    expect(asked).toMatchObject({ probe: 'due', stopped: null, verdicts: [] });
    expect(accepted(1)(asked).verdicts).toEqual([]);
    expect(fine(asked)).toMatchObject({
      inQuestion: [],
      verdicts: [verdict('gateway', 'q1')],
      stopped: null,
    });
    expect(odd(gateAfter(accepted(), barred('gateway', 'q1'))).verdicts).toEqual([verdict('gateway', 'q1')]);
  });

  it('of a gateway is about the address where the service was never heard of, and part of an outage where it is away', () => {
    expect(gateAfter(odd, barred('gateway', 'q1'), odd)).toMatchObject({
      stopped: 'foreign-answer',
      failure: 'HTTP of gateway',
      verdicts: [],
      inQuestion: [],
    });
    expect(gateAfter(fine, barred('gateway', 'q1'), outage)).toMatchObject({ verdicts: [], inQuestion: [] });
  });

  it('of a gateway counts as a refusal: five in a row stop submitting', () => {
    const rounds = [1, 2, 3, 4, 5].flatMap((n) => [barred('gateway', `q${n}`), fine]);
    const stopped = gateAfter(fine, ...rounds);
    expect(stopped.stopped).toBe('refusal-breaker');
    expect(stopped.verdicts.at(-1)).toEqual({ type: 'alike', ids: ['q1', 'q2', 'q3', 'q4', 'q5'] });
    expect(gateAfter(fine, ...rounds.slice(0, 8)).stopped).toBeNull();
  });
});

describe('rows that were refused alike', () => {
  const five = [1, 2, 3, 4, 5].map((n) => refused('系统维护中', [`q${n}`]));

  it('are kept for a second chance, and get it when a creation is accepted', () => {
    const kept = gateAfter(...five);
    expect(kept.verdicts).toEqual([{ type: 'alike', ids: ['q1', 'q2', 'q3', 'q4', 'q5'] }]);
    const announced = { ...kept, verdicts: [] };
    expect(accepted()(announced)).toMatchObject({
      stopped: null,
      failure: null,
      verdicts: [{ type: 'again' }],
    });
    expect(gateAfter(...five, accepted(), accepted()).verdicts).toHaveLength(2);
    expect(gateAfter(...five.slice(1), accepted()).verdicts).toEqual([]);
  });
});

describe('a reason that an answer ends', () => {
  const five = times(5, refused());

  it('does not take the place of one that stands for good', () => {
    const oneAtOnce = { ...policy, concurrency: 1 };
    const doubtful = passCreation(
      gateAfter(fine),
      {
        event: eventOf('creation-uncertain', { failure: 'connection lost' }),
        names: ['q0'],
        startedAt: 0,
        at: 0,
        open: 0,
        used: 1,
      },
      oneAtOnce,
    );
    expect(doubtful.stopped).toBe('uncertain-breaker');
    const after = [...five, accepted()].reduce((breaker, step) => step(breaker), doubtful);
    expect(after).toMatchObject({ stopped: 'uncertain-breaker', failure: 'connection lost' });
  });
});

describe('a service that is out of reach', () => {
  it('is not known by a creation that this process was too slow to send', () => {
    const late = eventOf('creation-not-sent', { failure: 'the program was paused', isOwnFault: true });
    expect(gateAfter(...times(40, creation(late)))).toEqual(freshBreaker);
  });

  it('is waited for with pauses that grow to a minute, for as long as the user lets it', () => {
    let breaker = gateAfter(answer);
    let now = 0;
    const pauses: number[] = [];
    while (breaker.stopped === null) {
      breaker = notSent(now)(breaker);
      pauses.push(breaker.notBefore - now - 10);
      now = breaker.notBefore;
    }
    expect(pauses.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(Math.max(...pauses)).toBe(minute);
    expect(now).toBeGreaterThanOrEqual(policy.outageTimeoutMs);
    expect(now).toBeLessThan(policy.outageTimeoutMs + 2 * minute);
    expect(breaker).toMatchObject({ stopped: 'unreachable', failure: 'connection refused', probe: 'due' });
  });

  it.each([
    [null, {}, 10 * minute],
    [null, { isKnown: true }, 10 * minute],
    ['tls', { isKnown: true }, 10 * minute],
    ['no-host', { wasKnown: true }, 10 * minute],
    ['tls', {}, fixed.obstaclePatienceMs],
    ['no-host', {}, fixed.obstaclePatienceMs],
  ] as const)(
    'and has %j against its address, known as %j, is given up after %i ms',
    (obstacle, known, patienceMs) => {
      const tried = (at: number) => (breaker: Breaker) =>
        passUnreachable(breaker, { failure: 'away', startedAt: at, at, obstacle }, policy);
      const before: Step = (breaker) => ({ ...breaker, ...known });
      const almost = gateAfter(before, tried(0), tried(patienceMs / 2), tried(patienceMs - 1));
      expect(almost.stopped).toBeNull();
      expect(tried(patienceMs)(almost).stopped).toBe('unreachable');
    },
  );

  it('counts once, however many creations were on their way', () => {
    const together = Array.from({ length: 16 }, (_, i) => notSent(0, 10 + i));
    expect(gateAfter(...together)).toMatchObject({ unreachableInRow: 1, notBefore: 10 + 1_000 });
    expect(gateAfter(notSent(0, 10), notSent(10, 20)).unreachableInRow).toBe(2);
  });

  it('is back with any answer: submitting goes on at once, and the count starts anew', () => {
    const stopped = gateAfter(notSent(0), notSent(10 * minute));
    expect(stopped.stopped).toBe('unreachable');
    expect(passAnswer(stopped)).toMatchObject({
      stopped: null,
      failure: null,
      unreachableInRow: 0,
      notBefore: 0,
    });
    for (const end of [accepted(), refused(), passing(300)])
      expect(end(stopped)).toMatchObject({ stopped: null, unreachableInRow: 0 });
    expect(uncertain()(stopped).stopped).toBe('unreachable');
  });

  it('for creations alone is waited for no longer, whatever else is answered meanwhile', () => {
    let breaker = gateAfter(fine);
    let now = 0;
    const pauses: number[] = [];
    while (breaker.stopped === null) {
      breaker = notSent(now)(breaker);
      pauses.push(breaker.notBefore - now - 10);
      now = breaker.notBefore;
      if (breaker.stopped === null) breaker = fine(breaker);
      expect(pauses.length).toBeLessThan(30);
    }
    expect(pauses.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(breaker).toMatchObject({ stopped: 'unreachable', failure: 'connection refused' });
    expect(now).toBeGreaterThanOrEqual(policy.outageTimeoutMs);
    expect(answer(breaker)).toMatchObject({ stopped: null, unsentInRow: 0, notBefore: 0 });
    expect(gateAfter(notSent(0), answer, notSent(20), answer).notBefore).toBe(30 + 1_500);
    for (const end of [accepted(), refused(), passing(0)])
      expect(end(gateAfter(notSent(0), answer, notSent(20), answer)).unsentInRow).toBe(0);
    expect(gateAfter(notSent(0), answer, notSent(20), accepted()).notBefore).toBe(0);
  });

  it('leaves a breaker as it is that no answer heals', () => {
    const breaker = gateAfter(...times(3, uncertain()), notSent(0), notSent(minute));
    expect(breaker).toMatchObject({ stopped: 'uncertain-breaker', failure: 'connection lost' });
  });

  it('does not come into it while the service answers', () => {
    const breaker = gateAfter(accepted(), passing(5));
    expect(passAnswer(breaker)).toBe(breaker);
  });
});

describe('a busy service', () => {
  it('pauses all rows, longer each time, and at least as long as it asks, up to an hour', () => {
    expect(gateAfter(passing(1_000)).notBefore).toBe(2_000);
    expect(gateAfter(passing(1_000), passing(2_000)).notBefore).toBe(3_500);
    expect(gateAfter(...Array.from({ length: 30 }, (_, at) => passing(at))).notBefore).toBe(29 + minute);
    expect(gateAfter(passing(1_000, 60_000)).notBefore).toBe(61_000);
    expect(gateAfter(passing(1_000, 9_999_999)).notBefore).toBe(1_000 + 60 * minute);
  });

  it('hold all creations back for twice as long as last time where what they ask for is unclear', () => {
    const asked = passing(1_000, 300_000);
    const unclear = passing(301_000, 'unclear', { startedAt: 301_000 });
    expect(gateAfter(passing(1_000, 'unclear')).notBefore).toBe(3_000);
    expect(gateAfter(asked, unclear).notBefore).toBe(901_000);
    expect(gateAfter(asked, unclear, passing(301_000, 'unclear', { startedAt: 300_000 })).notBefore).toBe(
      901_000,
    );
  });

  it('counts once for all creations that were on their way', () => {
    const together = [1, 2, 3].map((at) => passing(at, null, { startedAt: 0 }));
    expect(gateAfter(...together)).toMatchObject({ passingInRow: 1, notBefore: 3 + 1_000 });
  });

  it('is given no more tasks than it has, and more again as it takes them', () => {
    const limited = gateAfter(passing(0, null, { open: 2 }));
    expect(limited.openLimit).toBe(2);
    expect(passing(10, null, { open: 0 })(limited).openLimit).toBe(1);
    expect(passing(10, null, { open: 9 })(limited).openLimit).toBe(2);
    // As many as it took while it was busy before one more is tried; one more with each once it has been calm for a while.
    expect(accepted(20)(limited).openLimit).toBe(2.5);
    expect(accepted(2 * minute)(limited).openLimit).toBe(3);
    expect(gateAfter(passing(0, null, { open: 49 }), accepted(2 * minute)).openLimit).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('that refuses one while fewer are open than it has accepted is not full, unless it refuses again', () => {
    const wide = gateAfter(accepted(0, 9), passing(10, null, { open: 4 }));
    expect(wide.openLimit).toBe(Number.POSITIVE_INFINITY);
    const again = passing(2_000, null, { open: 4 })(wide);
    expect(again.openLimit).toBe(4);
    // From then on four are many.
    expect(passing(4_000, null, { open: 4 })(accepted(3_000, 3)(again)).openLimit).toBe(4);
  });

  it('stops submitting when it has refused everything for too long and nothing is open that it may be busy with', () => {
    const breaker = gateAfter(answer, passing(0), passing(minute));
    const late = policy.outageTimeoutMs;
    expect(busyUntil(breaker, 0, 0, policy)).toBe(late);
    expect(passTime(breaker, late - 1, 0, policy)).toBe(breaker);
    expect(passTime(breaker, late, 0, policy)).toMatchObject({ stopped: 'busy', failure: 'slow down' });
    expect(passTime(breaker, 9 * late, 1, policy)).toBe(breaker);
    expect(passTime(accepted()(breaker), 9 * late, 0, policy).stopped).toBeNull();
    // An outage in between is forgotten when it is over, with its words.
    const back = answer(gateAfter(passing(0), notSent(minute), notSent(12 * minute)));
    expect(passTime(back, 13 * minute, 0, policy)).toMatchObject({ stopped: 'busy', failure: '' });
    // As many as it takes are open. When fewer are, patience begins, and the next creation is tried before it ends.
    const full = gateAfter(answer, passing(0, null, { open: 1 }));
    expect(passTime(full, 9 * late, 1, policy)).toBe(full);
    const free = passTime(full, 9 * late, 0, policy);
    expect(free).toMatchObject({ stopped: null, refusedSince: 9 * late });
    expect(passTime(free, 99 * late, 0, policy)).toBe(free);
    expect(busyUntil(passing(7 * late)(full), 0, 0, policy)).toBe(8 * late);
  });
});

describe('the patience with a service that refuses everything', () => {
  const late = policy.outageTimeoutMs;

  it('begins with tasks open, too, where fewer are open than it has accepted', () => {
    const story = [
      accepted(0, 4),
      passing(1_000, null, { open: 3 }),
      passing(late + 1_000, null, { open: 2 }),
    ];
    expect(gateAfter(...story)).toMatchObject({ stopped: 'busy', failure: 'slow down' });
    expect(gateAfter(...story.slice(0, 2), accepted(late), ...story.slice(2)).stopped).toBeNull();
    const other = gateAfter(...times(3, uncertain('x')), ...story.slice(1));
    expect(other.stopped).toBe('uncertain-breaker');
  });

  it('does not wait for the end of a pause, whatever the service asks for', () => {
    const full = gateAfter(answer, passing(0, 86_400_000, { open: 3 }));
    expect(full.notBefore).toBe(60 * minute);
    const free = passTime(full, minute, 2, policy);
    expect(free.refusedSince).toBe(minute);
    expect(passTime(free, minute + late, 2, policy)).toMatchObject({ stopped: 'busy' });
  });

  it('does not wait for the end of a pause of an earlier run either, unless the next creation can go before', () => {
    const long = passEarlierPause(freshBreaker, minute, 60 * minute);
    expect(long).toMatchObject({ notBefore: 61 * minute, refusedUntil: 61 * minute });
    expect(answer(long).notBefore).toBe(61 * minute);
    for (const open of [0, 2]) {
      expect(busyUntil(long, minute, open, policy)).toBe(minute + late);
      expect(passTime(long, minute + late, open, policy)).toMatchObject({ stopped: 'busy' });
    }
    expect(accepted(2 * minute)(long).refusedSince).toBe(Number.POSITIVE_INFINITY);
    const short = passEarlierPause(freshBreaker, minute, late - 1);
    expect(passTime(short, 9 * late, 0, policy)).toBe(short);
    expect(passing(minute + late)(short)).toMatchObject({ stopped: 'busy' });
  });
});

describe('tasks that become lost', () => {
  const lost: Step = (breaker) => passTask(breaker, 'lost', 'Task not found');
  const known: Step = (breaker) => passTask(breaker, 'known', null);

  it('stop submitting at the third in a row without one that is known', () => {
    expect(gateAfter(lost, lost).stopped).toBeNull();
    expect(gateAfter(lost, lost, known, lost, lost).stopped).toBeNull();
    expect(gateAfter(lost, lost, lost)).toMatchObject({ stopped: 'lost-breaker', failure: 'Task not found' });
    expect(gateAfter(...times(3, (breaker) => passTask(breaker, 'lost', null))).failure).toBe(
      'Task not found',
    );
  });

  it('are no reason any more once the service knows one of its tasks', () => {
    expect(gateAfter(lost, lost, lost, known)).toMatchObject({ stopped: null, failure: null, lostInRow: 0 });
    const breaker = gateAfter(answer);
    expect(known(breaker)).toBe(breaker);
  });

  it('leave another breaker as it is', () => {
    const breaker = gateAfter(...times(3, uncertain()), lost, lost, lost);
    expect(breaker.stopped).toBe('uncertain-breaker');
    expect(known(breaker).stopped).toBe('uncertain-breaker');
  });
});

describe('an answer to a creation that is not the service’s', () => {
  const page = creation(eventOf('creation-uncertain', { origin: 'page', failure: '<html>' }));
  const bare = creation(eventOf('creation-uncertain', { origin: 'bare', failure: 'HTTP 200' }));

  it('stops submitting at once: a page where no task was made yet, another one where nothing was heard of the service', () => {
    expect(gateAfter(answer, page)).toMatchObject({ stopped: 'foreign-answer', failure: '<html>' });
    expect(gateAfter(bare)).toMatchObject({ stopped: 'foreign-answer', failure: 'HTTP 200' });
    expect(gateAfter(answer, bare).stopped).toBeNull();
  });

  it('is about its row where the service has made tasks: the free question goes before the next creation', () => {
    const doubted = { stopped: null, probe: 'due', window: 1, uncertainInRow: 1 };
    expect(gateAfter(fine, accepted(), page)).toMatchObject(doubted);
    expect(page({ ...gateAfter(fine), wasKnown: true })).toMatchObject(doubted);
    expect(gateAfter(fine, accepted(), page, page, page).stopped).toBe('uncertain-breaker');
  });
});

describe('the free question who is there', () => {
  const outage = (breaker: Breaker): Breaker =>
    passUnreachable(breaker, { failure: 'bad gateway', startedAt: 0, at: 0 }, policy);

  it('is asked before the first creation, and after an outage', () => {
    expect(gateAfter(fine)).toMatchObject({ probe: 'fine', isKnown: true });
    expect(gateAfter(fine, outage).probe).toBe('due');
    expect(gateAfter(fine, outage, fine)).toMatchObject({ probe: 'fine', unreachableInRow: 0 });
  });

  it('ends the run where somebody else answers', () => {
    const foreign = { outcome: 'foreign', failure: 'a page answered' } as const;
    expect(whoAnswered(freshBreaker, foreign).outcome).toBe('wrong-service');
  });

  it('says that the service is away where it was there before', () => {
    const foreign = { outcome: 'foreign', failure: 'log in to the hotel' } as const;
    expect(whoAnswered(gateAfter(answer), foreign)).toEqual({ ...foreign, outcome: 'unreachable' });
    expect(whoAnswered({ ...freshBreaker, wasKnown: true }, foreign).outcome).toBe('unreachable');
    const gateway = { outcome: 'gateway', failure: 'HTTP 502' } as const;
    expect(whoAnswered(freshBreaker, gateway)).toEqual({ ...gateway, outcome: 'unreachable' });
    const odd = { outcome: 'odd', failure: 'HTTP 502' } as const;
    expect(whoAnswered(gateAfter(fine), odd)).toEqual({ ...odd, outcome: 'unreachable' });
    const away = { outcome: 'unreachable', failure: 'refused', obstacle: 'tls' } as const;
    expect(whoAnswered(freshBreaker, away)).toEqual(away);
  });

  it('lets an odd answer pass where the service could give it, and says so', () => {
    const odd = whoAnswered(freshBreaker, { outcome: 'odd', failure: 'HTTP 404' });
    expect(odd.outcome).toBe('odd');
    expect(odd.failure).toContain('"HTTP 404"');
    expect(whoAnswered(freshBreaker, { outcome: 'service' }).outcome).toBe('fine');
  });
});

it('knows the ends of creations from other events', () => {
  expect(isCreationEvent(events['creation-accepted'])).toBe(true);
  expect(isCreationEvent(events.claimed)).toBe(false);
  expect(fixed.creationsInFlight).toBe(16);
});

describe('a pause of the user', () => {
  it('takes nothing from the patience with a service that refuses everything', () => {
    const busy = passing(1_000)(freshBreaker);
    expect(busyUntil(busy, 0, 0, policy)).toBe(1_000 + policy.outageTimeoutMs);
    const rested = passRest(busy, 100 * minute);
    expect(busyUntil(rested, 0, 0, policy)).toBe(Number.POSITIVE_INFINITY);
    expect(passTime(rested, 300 * minute, 0, policy).stopped).toBeNull();
  });

  it('takes nothing from the patience with one that cannot be reached', () => {
    const away = notSent(0)(accepted()(freshBreaker));
    expect(notSent(100 * minute)(away).stopped).toBe('unreachable');
    expect(notSent(100 * minute)(passRest(away, 100 * minute)).stopped).toBeNull();
  });

  it('begins no patience where the service refused nothing', () => {
    expect(busyUntil(passRest(freshBreaker, minute), 0, 0, policy)).toBe(Number.POSITIVE_INFINITY);
  });
});
