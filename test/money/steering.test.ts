import { expect, it } from 'vitest';
import { pauseAt, steered, stopsFor, strictest, unsteered } from '../../src/money/steering.ts';

it('a pause holds until its end, or without one until it is taken away', () => {
  expect(pauseAt(null, 5)).toBeNull();
  expect(pauseAt({ until: null }, 5)).toEqual({ until: null });
  expect(pauseAt({ until: 6 }, 5)).toEqual({ until: 6 });
  expect(pauseAt({ until: 5 }, 5)).toBeNull();
});

it.each([
  [null, null, null],
  [null, { until: 5 }, { until: 5 }],
  [{ until: 5 }, null, { until: 5 }],
  [{ until: 5 }, { until: 7 }, { until: 7 }],
  [{ until: null }, { until: 7 }, { until: null }],
])('of %j and %j the one that ends last is the strictest', (one, other, both) => {
  expect(strictest(one, other)).toEqual(both);
});

it('each change has the next number, and leaves what it does not name', () => {
  const paused = steered(unsteered, { pause: { until: 7 }, isLimitNew: false });
  expect(paused).toEqual({ number: 1, pause: { until: 7 }, limitNumber: 0, stops: [] });
  const limited = steered(paused, { isLimitNew: true });
  expect(limited).toEqual({ number: 2, pause: { until: 7 }, limitNumber: 2, stops: [] });
  expect(steered(limited, { pause: null, isLimitNew: false })).toEqual({
    number: 3,
    pause: null,
    limitNumber: 2,
    stops: [],
  });
});

it('an order to stop is for the session it names, or for all that had begun, and the last hundred are kept', () => {
  const all = { session: null, isNow: false };
  const one = steered(unsteered, { stop: { session: 'one', isNow: true }, isLimitNew: false });
  expect(stopsFor(one, { name: 'one', begunAt: 1 })).toEqual([{ number: 1, session: 'one', isNow: true }]);
  expect(stopsFor(one, { name: 'two', begunAt: 0 })).toEqual([]);
  const both = steered(one, { stop: all, isLimitNew: false });
  expect(stopsFor(both, { name: null, begunAt: 1 })).toEqual([{ number: 2, ...all }]);
  expect(stopsFor(both, { name: 'three', begunAt: 2 })).toEqual([]);
  expect(steered(both, { pause: null, isLimitNew: false }).stops).toEqual(both.stops);
  let many = both;
  for (let at = 0; at < 99; at += 1) many = steered(many, { stop: all, isLimitNew: false });
  expect(many.stops).toHaveLength(100);
  expect(stopsFor(many, { name: 'one', begunAt: 999 })).toEqual([]);
});
