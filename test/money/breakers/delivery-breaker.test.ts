import { describe, expect, it } from 'vitest';
import {
  type DeliveryBreaker,
  deliveryBreakerAt,
  mostUndelivered,
  passCounts,
  passDelivered,
  passUndelivered,
  roomForDeliveries,
} from '../../../src/money/breakers/delivery-breaker.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { createLedger, type Ledger } from '../../../src/money/summary.ts';

const policy = { ...defaultPolicy, concurrency: 3 };
const failure = 'refused with HTTP 403';

function counts(some: Partial<Ledger['counts']>): Ledger['counts'] {
  return { ...createLedger().counts, ...some };
}

function failing(breaker: DeliveryBreaker, keys: readonly number[], isTriedAgain = true): DeliveryBreaker {
  return keys.reduce((last, key) => passUndelivered(last, { key, isNew: true, isTriedAgain }), breaker);
}

const fresh = deliveryBreakerAt(counts({}), policy);
const look = (breaker: DeliveryBreaker, now: Partial<Ledger['counts']>, isShared = false) =>
  passCounts(breaker, counts(now), { policy, failure, isShared });

describe('a run whose videos cannot be fetched', () => {
  it('stops submitting at as many in a row as tasks may be open, but ten at most', () => {
    expect([1, 3, 10, 64].map((concurrency) => mostUndelivered({ concurrency }))).toEqual([1, 3, 10, 10]);
    const two = look(failing(fresh, [1, 2, 2, 1]), { downloading: 2 });
    expect(two.stopped).toBeNull();
    const three = look(failing(two, [3]), { downloading: 3 });
    expect(three.stopped).toBe(failure);
    expect(roomForDeliveries(three, counts({}), policy)).toBe(0);
    expect(look(three, {})).toBe(three);
  });

  it('stops, too, when other processes of the run gave so many up', () => {
    expect(look(fresh, { undelivered: 2 }, true).stopped).toBeNull();
    expect(look(fresh, { undelivered: 3 }, true).stopped).toBe(failure);
    expect(look(fresh, { undelivered: 3 }).stopped).toBeNull();
  });

  it('does not count a video again that is tried again', () => {
    const again = passUndelivered(failing(fresh, [1, 2]), { key: 3, isNew: false, isTriedAgain: true });
    expect(look(again, { downloading: 3 }).stopped).toBeNull();
  });

  it('adds no more rows to those that wait than may fail', () => {
    expect(roomForDeliveries(fresh, counts({ downloading: 2, undelivered: 1 }), policy)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(roomForDeliveries(fresh, counts({ downloading: 3, undelivered: 1 }), policy)).toBe(0);
  });

  it('goes on when one is delivered, and counts from there', () => {
    const after = passDelivered(counts({ downloading: 5, undelivered: 4 }));
    expect(after).toMatchObject({ stopped: null, isDoubtful: false });
    expect(roomForDeliveries(after, counts({ downloading: 8, undelivered: 4 }), policy)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(roomForDeliveries(after, counts({ downloading: 7, undelivered: 6 }), policy)).toBe(0);
    expect(look(after, { downloading: 3, undelivered: 6 }).stopped).toBeNull();
  });
});

describe('a later run', () => {
  const later = deliveryBreakerAt(counts({ downloading: 1, undelivered: 2 }), policy);

  it('goes on as ever where fewer wait than may fail', () => {
    const few = deliveryBreakerAt(counts({ downloading: 1, undelivered: 1 }), policy);
    expect(few.isDoubtful).toBe(false);
  });

  it('first tries those that wait, then submits one row alone', () => {
    expect(later.isDoubtful).toBe(true);
    const trying = counts({ downloading: 3 });
    expect(roomForDeliveries(later, trying, policy)).toBe(0);
    const tried = look(failing(later, [1, 2, 3]), trying);
    expect(tried.stopped).toBeNull();
    expect(roomForDeliveries(tried, trying, policy)).toBe(1);
    expect(roomForDeliveries(tried, counts({ downloading: 3, open: 1 }), policy)).toBe(0);
    expect(roomForDeliveries(tried, counts({ downloading: 3, submitting: 1 }), policy)).toBe(0);
  });

  it('stops when that one fails, too', () => {
    const tried = failing(later, [1, 2, 3]);
    expect(look(tried, { downloading: 4 }).stopped).toBeNull();
    expect(look(failing(tried, [4]), { downloading: 4 }).stopped).toBe(failure);
  });

  it('stops also when fewer wait than at its start', () => {
    const tried = look(failing(failing(later, [1, 2]), [1, 2], false), { undelivered: 2 });
    expect(tried).toMatchObject({ waitingThen: 2, stopped: null });
    expect(look(failing(tried, [4]), { undelivered: 2, downloading: 1 }).stopped).toBe(failure);
  });

  it('has all room once a video is delivered', () => {
    const after = passDelivered(counts({ downloading: 2 }));
    expect(roomForDeliveries(after, counts({ downloading: 2 }), policy)).toBe(Number.POSITIVE_INFINITY);
  });
});
