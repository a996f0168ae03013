/**
 * The remote service over HTTP. The law of this file: a creation puts its bytes on a socket at most once, and only a
 * latch says whether it did. Error codes cannot: each occurs both before and after the bytes left. So: latch open,
 * certainly no task; latch closed and no readable answer, uncertain.
 */

import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { raise } from '../errors.ts';
import { judgeCreation } from '../money/answers/creation-answer.ts';
import { judgeSilence, obstacleOf, probeText, silenceText } from '../money/answers/silent-creation.ts';
import { judgeProbe, judgeStatus, type PollEnd, type ProbeAnswer } from '../money/answers/status-answer.ts';
import type { CreationEvent } from '../money/event.ts';
import type { TaskService } from '../ports.ts';
import type { Redact } from '../text/redact.ts';
import { type Exchange, sendOnce } from './exchange.ts';
import { replyOf, scrapOf, silenceOf } from './read-reply.ts';
import { planRoute, type Route, type RouteOptions } from './route.ts';
import { Turns } from './turns.ts';

export interface HttpTaskServiceOptions extends RouteOptions {
  readonly apiKey: string;
  /** Status requests at once, from all callers. */
  readonly pollConnections: number;
  /** Applied to every text that leaves, not to task ids and links. */
  readonly redact: Redact;
  /** Epoch ms: a pause that the service names as a date is counted from it. */
  readonly now: () => number;
  /** Receives the clock (epoch ms) of the host that answers a probe, where the answer contains it. */
  readonly hearClock?: (at: number) => void;
  /** The links in the answers to status requests are wanted. */
  readonly wantsLinks?: boolean;
}

const mebibyte = 1024 * 1024;
/** Far above any valid answer; a longer one is cut there, and what arrived is still read. */
const creationAnswerBytes = mebibyte;
/** Status answers carry a signed link per frame, and there may be thousands. */
const statusAnswerBytes = 64 * mebibyte;

/** One path segment. A segment of only dots would be read as a way up the path. */
function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** True where somebody answered, but did not say of the task that it is not there. */
function isDoubtful(answer: ProbeAnswer): boolean {
  if (answer.outcome === 'service') return !answer.knowsTasks && !answer.isBusy;
  return answer.outcome === 'odd' || answer.outcome === 'foreign';
}

/**
 * The reason for closing a connection after its one creation. Shared, because creating an error takes as long as
 * opening a file.
 */
const creationEnded = new Error('the creation has ended');

/** Opens the service at `baseUrl`; nothing is sent yet. Throws `UsageError` for an invalid address or proxy. */
export function createHttpTaskService(options: HttpTaskServiceOptions): TaskService {
  return new HttpTaskService(options);
}

class HttpTaskService implements TaskService {
  readonly #options: HttpTaskServiceOptions;
  readonly #route: Route;
  readonly #forced = new AbortController();
  /**
   * One combined signal for all requests with the same signal. With one per request, `npm run bench -- sweep` with 100,000 open tasks takes
   * 837 MB instead of 395 MB, and 50 µs of the processor for a poll instead of 40 µs.
   */
  readonly #eitherSignals = new WeakMap<AbortSignal, AbortSignal>();
  readonly #polls: Dispatcher;
  /** For probes, which must not wait behind slow answers. */
  readonly #probes: Dispatcher;
  /** A request leaves when it has a connection, and its deadline begins then. */
  readonly #turns: Turns;
  readonly #large = new Turns(1);

  constructor(options: HttpTaskServiceOptions) {
    this.#options = options;
    this.#route = planRoute(options);
    const wire = { pipelining: 1, signal: this.#forced.signal } as const;
    this.#polls = this.#route.open({ ...wire, connections: options.pollConnections });
    this.#probes = this.#route.open({ ...wire, connections: 1 });
    this.#turns = new Turns(options.pollConnections);
  }

  async create(body: string, signal: AbortSignal, mayLeave?: () => boolean): Promise<CreationEvent> {
    const { requestTimeoutMs, redact } = this.#options;
    const path = `${this.#route.prefix}/api/gen_video`;
    const { headers, ...to } = this.#requestTo(path);
    const hangUp = new AbortController();
    const dispatcher = this.#route.open({ connections: 1, pipelining: 0, signal: hangUp.signal });
    const exchange = await sendOnce(
      dispatcher,
      { ...to, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
      { timeoutMs: requestTimeoutMs, mostBytes: creationAnswerBytes, ...(mayLeave && { mayLeave }) },
      this.#orForced(signal),
    );
    // Nothing may be left that could still connect; destroying alone does not stop a connection attempt.
    dispatcher.destroy(creationEnded).catch(raise);
    hangUp.abort(creationEnded);
    const reply = replyOf(exchange, this.#route, creationAnswerBytes, redact);
    const context = this.#contextOf(path);
    const event =
      reply === null
        ? judgeSilence(silenceOf(exchange, this.#route), context)
        : judgeCreation(reply, context);
    const scrap = event.type === 'creation-uncertain' ? scrapOf(exchange, reply?.body ?? '') : null;
    const found = scrap === null ? event : judgeCreation(scrap, context);
    return found.type === 'creation-accepted' ? found : event;
  }

  async status(taskId: string, signal: AbortSignal): Promise<PollEnd> {
    const { redact } = this.#options;
    const path = `${this.#route.prefix}/api/get_status/${pathSegment(taskId)}`;
    const exchange = await this.#turns.run(() => this.#ask(this.#polls, path, statusAnswerBytes, signal));
    const reply = replyOf(exchange, this.#route, statusAnswerBytes, redact);
    if (reply !== null) {
      const end = judgeStatus(reply, taskId, this.#contextOf(path));
      exchange.letGo();
      if (end.type !== 'poll-unanswered') return end;
      const { isTooLong, error } = exchange;
      return {
        ...end,
        ...(isTooLong && { isTooLong }),
        // Also what cannot be decoded.
        ...((isTooLong || error === null) && { isWhole: true }),
      };
    }
    exchange.letGo();
    const failure = silenceText(silenceOf(exchange, this.#route), redact);
    return { type: 'poll-unanswered', failure, retryAfterMs: null };
  }

  async probe(signal: AbortSignal): Promise<ProbeAnswer> {
    const { origin, prefix } = this.#route;
    const answer = await this.#probeAt(prefix, signal);
    if (!isDoubtful(answer)) return answer;
    // One step off, a service may still answer in its own words, and then refuse every creation.
    const near = prefix.endsWith('/api') ? prefix.slice(0, -'/api'.length) : `${prefix}/api`;
    const other = await this.#probeAt(near, signal);
    if (other.outcome !== 'service' || !other.knowsTasks) return answer;
    const failure = this.#options.redact(`${origin}${near} answers as the service does`);
    return { outcome: 'foreign', failure };
  }

  async #probeAt(prefix: string, signal: AbortSignal): Promise<ProbeAnswer> {
    const { redact, hearClock } = this.#options;
    const path = `${prefix}/api/get_status/no-such-task-${randomUUID()}`;
    const exchange = await this.#ask(this.#probes, path, creationAnswerBytes, signal);
    const reply = replyOf(exchange, this.#route, creationAnswerBytes, redact);
    exchange.letGo();
    if (reply?.sentAt !== undefined) hearClock?.(reply.sentAt);
    if (reply !== null) return judgeProbe(reply, this.#contextOf(path));
    const silence = silenceOf(exchange, this.#route);
    const failure = probeText(silence, redact);
    return { outcome: 'unreachable', failure, obstacle: obstacleOf(silence.codes) };
  }

  async close(force = false): Promise<void> {
    const closed = [this.#polls, this.#probes].map((each) => (force ? each.destroy() : each.close()));
    if (force) this.#forced.abort();
    // Closing twice is not an error.
    await Promise.allSettled(closed);
  }

  /** Sends a free request. */
  #ask(over: Dispatcher, path: string, mostBytes: number, signal: AbortSignal): Promise<Exchange> {
    const { requestTimeoutMs: timeoutMs } = this.#options;
    const request = { ...this.#requestTo(path), method: 'GET' as const };
    return sendOnce(over, request, { timeoutMs, mostBytes, large: this.#large }, this.#orForced(signal));
  }

  #requestTo(path: string) {
    const to = this.#route.target(path);
    const headers = {
      authorization: `Bearer ${this.#options.apiKey}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'batch',
      ...to.headers,
    };
    return { ...to, headers };
  }

  #orForced(signal: AbortSignal): AbortSignal {
    const either = this.#eitherSignals.get(signal) ?? AbortSignal.any([signal, this.#forced.signal]);
    this.#eitherSignals.set(signal, either);
    return either;
  }

  /** What the judges of an answer need in addition to it. */
  #contextOf(path: string) {
    const { now, redact, wantsLinks = false } = this.#options;
    return { url: `${this.#route.origin}${path}`, now: now(), redact, wantsLinks };
  }
}
