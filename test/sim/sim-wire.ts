/** The wire of a simulated world: it loses, delays and cuts, under the latch of the real program. */

import type { ServiceReply } from '../../src/money/answers/service-reply.ts';
import { keepDeadline, type Timers } from '../../src/service/deadline.ts';
import { Exchange } from '../../src/service/exchange.ts';
import type { World } from './sim-process.ts';
import type { SimResponse } from './sim-service.ts';

/** Who sent a request. */
interface Sender {
  readonly isAlive: () => boolean;
  /** Resolves when it is not stopped: its timers ring, and its requests leave. */
  readonly awake: () => Promise<void>;
  /** ...and when it comes to reading what has arrived meanwhile, which is later. */
  readonly reads: () => Promise<void>;
  /** Deadline of the request. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Asked last before a creation leaves. */
  readonly mayLeave?: () => boolean;
  /** Told when it has left. */
  readonly left?: () => void;
}

/** Carries one request out; `arrive` is what the service does with it when it gets there. */
export async function exchangeOnWire(
  world: World,
  sender: Sender,
  arrive: () => SimResponse | null,
): Promise<Exchange> {
  const exchange = new Exchange(1 << 20, null, sender.mayLeave);
  const cut = (): void => exchange.stop(new Error('the program is leaving'));
  sender.signal.addEventListener('abort', cut, { once: true });
  const late = (): void => exchange.stop(new Error('no whole answer'));
  const forget = keepDeadline(timersOf(world, sender), sender.timeoutMs, () => exchange.sent, late);
  void carry(world, sender, exchange, arrive);
  await exchange.ended;
  forget();
  sender.signal.removeEventListener('abort', cut);
  return exchange;
}

/** Timers of a process: those that were due while it was stopped ring when it goes on. */
function timersOf(world: World, { awake }: Sender): Timers {
  return {
    now: () => steady(world),
    after: (ms, ring) => {
      const taken = new AbortController();
      const dueAt = steady(world) + ms;
      const wait = async (): Promise<void> => {
        while (steady(world) < dueAt && !taken.signal.aborted)
          await world.clock.wait(dueAt - steady(world), taken.signal);
        await awake();
        if (!taken.signal.aborted) ring();
      };
      void wait();
      return () => taken.abort();
    },
  };
}

/** Milliseconds that no sleep counts in. */
function steady({ clock, sleptMs }: World): number {
  return clock.now() - sleptMs;
}

/** Once its bytes have left a request goes its way, whether or not its sender still lives or waits. */
async function carry(
  world: World,
  sender: Sender,
  exchange: Exchange,
  arrive: () => SimResponse | null,
): Promise<void> {
  const { clock, dice, weather, service } = world;
  const { isAlive, awake, reads, timeoutMs, signal } = sender;
  const startedAt = steady(world);
  const travel = (): Promise<void> =>
    clock.wait(weather.strikes('slow') ? dice.integer(20_000, 120_000) : dice.integer(5, 400));
  const controller = createController();
  let isOver = (): boolean => false;
  void exchange.ended.then(() => {
    isOver = () => true;
  });
  await clock.wait(dice.integer(5, 100));
  await awake();
  if (!isAlive()) return;
  if (weather.strikes('unreachable'))
    return exchange.onResponseError(controller, systemError('connect', 'ECONNREFUSED'));
  exchange.onRequestStart(controller);
  if (controller.aborted) return;
  sender.left?.();
  service.onTheWay += 1;
  await travel();
  service.onTheWay -= 1;
  const response = arrive();
  await travel();
  const isInTime = steady(world) - startedAt < timeoutMs;
  await reads();
  if (!isAlive()) return;
  if (isInTime && isOver() && !signal.aborted) world.break('an answer that came in time was thrown away');
  if (response === null) return exchange.onResponseError(controller, systemError('read', 'ECONNRESET'));
  const { status, body, location, retryAfter } = response;
  const headers = { ...(location && { location }), ...(retryAfter && { 'retry-after': retryAfter }) };
  exchange.onResponseStart(controller, status, headers);
  exchange.onResponseData(controller, Buffer.from(body));
  exchange.onResponseEnd();
}

function createController() {
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: () => {
      controller.aborted = true;
    },
    pause: () => {},
    resume: () => {},
  };
  return controller;
}

function systemError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code });
}

/** The answer as far as it arrived; null when not even a status line did. */
export function replyOf(exchange: Exchange): ServiceReply | null {
  const { status, headers, error } = exchange;
  if (status === null) return null;
  const header = (name: string): string | null => [headers[name] ?? []].flat()[0] ?? null;
  return {
    status,
    body: exchange.releaseBody().toString(),
    defect: error === null ? null : 'the body is incomplete',
    location: header('location'),
    retryAfter: header('retry-after'),
  };
}
