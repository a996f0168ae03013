import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { Exchange } from '../../src/service/exchange.ts';
import { Turns } from '../../src/service/turns.ts';

/** What the HTTP library hands to a request that it starts; remembers whether it was let through. */
function controller(): Dispatcher.DispatchController {
  let reason: Error | null = null;
  return {
    get aborted() {
      return reason !== null;
    },
    get reason() {
      return reason;
    },
    paused: false,
    abort: (error) => {
      reason = error;
    },
    pause: () => undefined,
    resume: () => undefined,
  };
}

test('a request that the library starts a second time is not let through', () => {
  const exchange = new Exchange(100);
  const [first, second] = [controller(), controller()];
  exchange.onRequestStart(first);
  expect([exchange.sent, first.aborted]).toEqual([true, false]);
  exchange.onRequestStart(second);
  expect(second.aborted).toBe(true);
});

test('a request that was stopped before it started is not let through and counts as not sent', async () => {
  const exchange = new Exchange(100);
  exchange.stop(new Error('too late'));
  const late = controller();
  exchange.onRequestStart(late);
  expect([exchange.sent, late.aborted]).toEqual([false, true]);
  await exchange.ended;
  expect(exchange.error?.message).toBe('too late');
});

test('what arrives after the end changes nothing', async () => {
  const exchange = new Exchange(100);
  const wire = controller();
  exchange.onRequestStart(wire);
  exchange.onResponseStart(wire, 200, {});
  exchange.onResponseData(wire, Buffer.from('abc'));
  exchange.onResponseEnd();
  await exchange.ended;
  exchange.onResponseStart(wire, 500, {});
  exchange.onResponseData(wire, Buffer.from('def'));
  exchange.onResponseError(wire, new Error('reset'));
  expect([exchange.status, exchange.releaseBody().toString(), exchange.error]).toEqual([200, 'abc', null]);
});

test('an interim answer is no answer', () => {
  const exchange = new Exchange(100);
  exchange.onResponseStart(controller(), 103, { link: '</x>' });
  expect([exchange.status, exchange.headers]).toEqual([null, {}]);
});

test('an answer is read up to its bound, and then cut', async () => {
  const exchange = new Exchange(4);
  const wire = controller();
  exchange.onRequestStart(wire);
  exchange.onResponseStart(wire, 200, {});
  exchange.onResponseData(wire, Buffer.from('abc'));
  exchange.onResponseData(wire, Buffer.from('def'));
  await exchange.ended;
  expect([exchange.releaseBody().toString(), wire.aborted]).toEqual(['abcd', true]);
  expect(exchange.error?.message).toContain('longer than 4 bytes');
});

test('large answers are read one after the other, and one that ends while it waits keeps nobody back', async () => {
  const turns = new Turns(1);
  const chunk = Buffer.alloc(5 * 1024 * 1024);
  const [first, second, third] = [0, 1, 2].map(() => new Exchange(64 * 1024 * 1024, turns));
  const wires = [0, 1, 2].map(() => {
    const wire = { ...controller(), resumed: 0, paused: 0 };
    wire.pause = () => {
      wire.paused += 1;
    };
    wire.resume = () => {
      wire.resumed += 1;
    };
    return wire;
  });
  for (const [i, exchange] of [first, second, third].entries()) {
    exchange?.onResponseStart(wires[i] as never, 200, {});
    exchange?.onResponseData(wires[i] as never, chunk);
  }
  await new Promise(setImmediate);
  expect(wires.map(({ paused, resumed }) => [paused, resumed])).toEqual([
    [1, 1],
    [1, 0],
    [1, 0],
  ]);
  second?.stop(new Error('too late'));
  second?.letGo();
  first?.letGo();
  await new Promise(setImmediate);
  expect(wires.map(({ resumed }) => resumed)).toEqual([1, 0, 1]);
});
