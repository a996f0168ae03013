/** One request on the wire, with the latch that says whether it left. */

import type { Dispatcher } from 'undici';
import { messageOf, raise } from '../errors.ts';
import { keepDeadline, type Timers } from './deadline.ts';
import type { Turns } from './turns.ts';

/** Longer answers are read one after the other: many at once would fill the memory. */
const largeBytes = 4 * 1024 * 1024;

/** One request and its result: keeps what arrived, however it ends. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** The latch: closed just before the request's first byte is written. */
  sent = false;
  /** Status of the final answer; null while there is none. */
  status: number | null = null;
  headers: Readonly<Record<string, string | string[] | undefined>> = {};
  /** Why the answer is missing or incomplete; null when it is complete. */
  error: Error | null = null;
  /** The answer exceeded the limit and was cut. */
  isTooLong = false;
  #chunks: Buffer[] = [];
  readonly #mostBytes: number;
  readonly #large: Turns | null;
  readonly #mayLeave: () => boolean;
  #isLarge = false;
  #isLetGo = false;
  #bytes = 0;
  #over = false;
  #controller: Dispatcher.DispatchController | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly ended: Promise<void> = this.#ended.promise;

  /** `large` queues the answers that need much memory; null for no queue. */
  constructor(mostBytes: number, large: Turns | null = null, mayLeave: () => boolean = () => true) {
    this.#mostBytes = mostBytes;
    this.#large = large;
    this.#mayLeave = mayLeave;
  }

  /** The body that arrived, in one piece; the exchange releases it. */
  releaseBody(): Buffer {
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return body;
  }

  /** After a large answer is read, the next one may start. */
  letGo(): void {
    if (this.#isLarge) this.#large?.leave();
    this.#isLarge = false;
    this.#isLetGo = true;
  }

  /** Ends the exchange from this side. A request that has not left by now never will. */
  stop(error: Error): void {
    this.#end(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborting here keeps the bytes off the socket. A second start would be a replay by the library.
    if (this.#over || this.sent || !this.#mayLeave()) {
      controller.abort(new Error('the request must not leave any more'));
      return;
    }
    this.sent = true;
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Exchange['headers']): void {
    if (this.#over || status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    const room = this.#mostBytes - this.#bytes;
    this.#chunks.push(chunk.subarray(0, room));
    const before = this.#bytes;
    this.#bytes += chunk.length;
    if (chunk.length > room) {
      this.isTooLong = true;
      this.stop(new Error(`the answer is longer than ${this.#mostBytes} bytes`));
    } else if (before <= largeBytes && this.#bytes > largeBytes) this.#waitForTurn(controller);
  }

  #waitForTurn(controller: Dispatcher.DispatchController): void {
    if (this.#large === null) return;
    controller.pause();
    const enter = async (turns: Turns): Promise<void> => {
      await turns.enter();
      this.#isLarge = true;
      // It may have ended while it waited.
      if (this.#isLetGo) this.letGo();
      else controller.resume();
    };
    enter(this.#large).catch(raise);
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #end(error: Error | null): void {
    if (this.#over) return;
    this.#over = true;
    this.error = error;
    this.#ended.resolve();
  }
}

/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

const timers: Timers = {
  now: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, Math.min(ms, longestTimerMs));
    return () => clearTimeout(timer);
  },
};

/** Sends one request, within the deadline and until the signal aborts. Never rejects. */
export async function sendOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: {
    readonly timeoutMs: number;
    readonly mostBytes: number;
    readonly large?: Turns;
    readonly mayLeave?: () => boolean;
  },
  signal: AbortSignal,
): Promise<Exchange> {
  const exchange = new Exchange(limits.mostBytes, limits.large, limits.mayLeave);
  const leave = () => exchange.stop(new Error('the program is exiting'));
  if (signal.aborted) {
    leave();
    return exchange;
  }
  // The library's own timeouts and signals do not cover queueing or connecting, nor a slow drip.
  const late = () => exchange.stop(new Error(`no complete answer within ${limits.timeoutMs / 1000} s`));
  // What has not left by now must not leave during a grace.
  const forget = keepDeadline(timers, limits.timeoutMs, () => exchange.sent, late);
  signal.addEventListener('abort', leave, { once: true });
  try {
    dispatcher.dispatch(request, exchange);
  } catch (error) {
    exchange.stop(error instanceof Error ? error : new Error(messageOf(error)));
  }
  await exchange.ended;
  forget();
  signal.removeEventListener('abort', leave);
  return exchange;
}
