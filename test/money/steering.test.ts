import { expect, it } from 'vitest';
import { pauseAt, steered, unsteered } from '../../src/money/steering.ts';

it('a pause holds until its end, or without one until it is taken away', () => {
  expect(pauseAt(null, 5)).toBeNull();
  expect(pauseAt({ until: null }, 5)).toEqual({ until: null });
  expect(pauseAt({ until: 6 }, 5)).toEqual({ until: 6 });
  expect(pauseAt({ until: 5 }, 5)).toBeNull();
});

it('each change has the next number, and leaves what it does not name', () => {
  const paused = steered(unsteered, { pause: { until: 7 }, isLimitNew: false });
  expect(paused).toEqual({ number: 1, pause: { until: 7 }, limitNumber: 0 });
  const limited = steered(paused, { isLimitNew: true });
  expect(limited).toEqual({ number: 2, pause: { until: 7 }, limitNumber: 2 });
  expect(steered(limited, { pause: null, isLimitNew: false })).toEqual({
    number: 3,
    pause: null,
    limitNumber: 2,
  });
});
