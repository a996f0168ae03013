/**
 * The remote service over HTTP. The law of this file: a creation puts its bytes on a socket at most once, and only a
 * latch says whether it did. Error codes cannot: each occurs both before and after the bytes left. So: latch open,
 * certainly no task; latch closed and no readable answer, uncertain.
 */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import * as zlib from 'node:zlib';
import { type Dispatcher, errors } from 'undici';
import { codeOf, raise } from '../errors.ts';
import { judgeCreation } from '../money/answers/creation-answer.ts';
import type { ServiceReply } from '../money/answers/service-reply.ts';
import {
  judgeSilence,
  obstacleOf,
  probeText,
  proxyRefusalCode,
  type Silence,
  silenceText,
} from '../money/answers/silent-creation.ts';
import { judgeProbe, judgeStatus, type PollEnd, type ProbeAnswer } from '../money/answers/status-answer.ts';
import type { CreationEvent } from '../money/item.ts';
import type { TaskService } from '../ports.ts';
import type { Redact } from '../text/redact.ts';
import { cleanText, textLimits } from '../text/service-text.ts';
import { type Exchange, sendOnce } from './exchange.ts';
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
  /** Hears the clock (epoch ms) of whoever answers a probe, where the answer tells it. */
  readonly hearClock?: (at: number) => void;
}

const mebibyte = 1024 * 1024;
/** Far above any valid answer; a longer one is cut there, and what arrived is still read. */
const creationAnswerBytes = mebibyte;
/** Status answers carry a signed link per frame, and there may be thousands. */
const statusAnswerBytes = 64 * mebibyte;

/** Decodes the content-encoding of whatever arrived. Throws on an unknown or broken one, or a decompression bomb. */
function inflate(bytes: Buffer, encoding: string, mostBytes: number): Buffer {
  if (encoding === '' || encoding === 'identity') return bytes;
  // Flushing instead of finishing decodes what a cut stream contains.
  const bounds = { maxOutputLength: mostBytes };
  const flushed = { ...bounds, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(bytes, flushed);
  if (encoding === 'br') {
    const { BROTLI_OPERATION_FLUSH } = zlib.constants;
    return zlib.brotliDecompressSync(bytes, { ...bounds, finishFlush: BROTLI_OPERATION_FLUSH });
  }
  if (encoding !== 'deflate') throw new Error('an unknown one');
  // Some servers send the raw stream, without the two-byte header.
  const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8;
  return isWrapped ? zlib.inflateSync(bytes, flushed) : zlib.inflateRawSync(bytes, flushed);
}

/** JSON is UTF-8; some services in China write GBK, and say so or not. A body that is cut may end inside a character. */
function textOfBody(bytes: Buffer, isWhole: boolean): string {
  if (isWhole && !isUtf8(bytes)) {
    try {
      return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
    } catch {
      // Neither: whatever can be read of it.
    }
  }
  return new TextDecoder().decode(bytes);
}

function oneLine(error: Error | null): string {
  const cause = error?.cause instanceof Error ? ` (${error.cause.message})` : '';
  const text = `${error?.message || codeOf(error)}${cause}`.replace(/\s+/g, ' ').trim();
  return text === '' ? 'unknown reason' : text;
}

/** The answer as far as it arrived; null when not even a status line did. */
function replyOf(
  exchange: Exchange,
  { forwardedBy }: Route,
  mostBytes: number,
  redact: Redact,
): ServiceReply | null {
  const { status, headers, error } = exchange;
  if (status === null || (status === proxyRefusal && forwardedBy !== null)) return null;
  const header = (name: string): string | null => [headers[name] ?? []].flat()[0] ?? null;
  const reply = {
    status,
    location: header('location'),
    retryAfter: header('retry-after'),
    ...(forwardedBy !== null && { forwardedBy }),
  };
  const cut =
    error === null
      ? null
      : cleanText(`the body is incomplete: ${oneLine(error)}`, textLimits.failure, redact);
  const encoding = (header('content-encoding') ?? '').trim().toLowerCase();
  try {
    const body = textOfBody(inflate(exchange.takeBody(), encoding, mostBytes), cut === null);
    return { ...reply, body, defect: cut };
  } catch {
    const name = cleanText(encoding, textLimits.label, redact);
    return { ...reply, body: '', defect: cut ?? `its content-encoding ${name} cannot be read` };
  }
}

/**
 * What arrived of an answer from where the library could not read on, as text behind what it had read; null where it read
 * all, and where the text holds not exactly one task id.
 */
function scrapOf({ status, error }: Exchange, read: string): ServiceReply | null {
  const unread = error instanceof errors.HTTPParserError && 'data' in error ? error.data : undefined;
  if (typeof unread !== 'string') return null;
  const text = `${read}${unread}`;
  const ids = text.match(/"task_id"\s*:/g) ?? [];
  if (ids.length !== 1) return null;
  const body = text.slice(text.indexOf('{'));
  return { status: status ?? 0, body, defect: oneLine(error), location: null, retryAfter: null };
}

/** One path segment. A segment of only dots would be read as a way up the path. */
function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** The status a proxy answers itself; the service never sees a request it does not forward. */
const proxyRefusal = 407;

/** What is known of a request that the service did not answer. */
function silenceOf({ sent, status, error }: Exchange, { place }: Route): Silence {
  if (status === proxyRefusal) return { sent: false, why: 'HTTP 407', codes: [proxyRefusalCode], place };
  const why = oneLine(error);
  const codes = [codeOf(error), codeOf(error?.cause)].filter((code) => code !== '');
  return { sent, why, codes: /\(407\) !== 200/.test(why) ? [proxyRefusalCode] : codes, place };
}

/**
 * The reason for closing a connection after its one creation. Shared, because creating an error takes as long as
 * opening a file.
 */
const creationEnded = new Error('the creation has ended');

/** Opens the service at `baseUrl`; nothing is sent yet. Throws `UsageError` for an invalid address or proxy. */
export function createHttpTaskService(options: HttpTaskServiceOptions): TaskService {
  const { redact, requestTimeoutMs, now } = options;
  const route = planRoute(options);
  const { origin, prefix } = route;
  const headers = {
    authorization: `Bearer ${options.apiKey}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'batch',
  };
  const forced = new AbortController();
  /**
   * One combined signal for all requests with the same signal. With one per request, `npm run bench -- sweep` with 100,000 open tasks takes
   * 837 MB instead of 395 MB, and 50 µs of the processor for a poll instead of 40 µs.
   */
  const eitherSignals = new WeakMap<AbortSignal, AbortSignal>();
  const orForced = (signal: AbortSignal): AbortSignal => {
    const either = eitherSignals.get(signal) ?? AbortSignal.any([signal, forced.signal]);
    eitherSignals.set(signal, either);
    return either;
  };
  const wire = { pipelining: 1, signal: forced.signal } as const;
  const polls = route.open({ ...wire, connections: options.pollConnections });
  /** For probes, which must not wait behind slow answers. */
  const probes = route.open({ ...wire, connections: 1 });
  /** A request leaves when it has a connection, and its deadline begins then. */
  const turns = new Turns(options.pollConnections);
  const large = new Turns(1);
  /** Sends a free request. */
  const ask = (over: Dispatcher, path: string, mostBytes: number, signal: AbortSignal): Promise<Exchange> => {
    const to = route.target(path);
    const request = { ...to, method: 'GET' as const, headers: { ...headers, ...to.headers } };
    return sendOnce(over, request, { timeoutMs: requestTimeoutMs, mostBytes, large }, orForced(signal));
  };

  return {
    async create(body, signal, mayLeave): Promise<CreationEvent> {
      const path = `${prefix}/api/gen_video`;
      const to = route.target(path);
      const hangUp = new AbortController();
      const dispatcher = route.open({ connections: 1, pipelining: 0, signal: hangUp.signal });
      const exchange = await sendOnce(
        dispatcher,
        {
          ...to,
          method: 'POST',
          headers: { ...headers, ...to.headers, 'content-type': 'application/json' },
          body,
        },
        { timeoutMs: requestTimeoutMs, mostBytes: creationAnswerBytes, ...(mayLeave && { mayLeave }) },
        orForced(signal),
      );
      // Nothing may be left that could still connect; destroying alone does not stop a connection attempt.
      dispatcher.destroy(creationEnded).catch(raise);
      hangUp.abort(creationEnded);
      const reply = replyOf(exchange, route, creationAnswerBytes, redact);
      const context = { url: `${origin}${path}`, now: now(), redact };
      const event =
        reply === null ? judgeSilence(silenceOf(exchange, route), context) : judgeCreation(reply, context);
      const scrap = event.type === 'creation-uncertain' ? scrapOf(exchange, reply?.body ?? '') : null;
      const found = scrap === null ? event : judgeCreation(scrap, context);
      return found.type === 'creation-accepted' ? found : event;
    },

    async status(taskId, signal): Promise<PollEnd> {
      const path = `${prefix}/api/get_status/${pathSegment(taskId)}`;
      const exchange = await turns.take(() => ask(polls, path, statusAnswerBytes, signal));
      const reply = replyOf(exchange, route, statusAnswerBytes, redact);
      if (reply !== null) {
        const end = judgeStatus(reply, taskId, { url: `${origin}${path}`, now: now(), redact });
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
      const failure = silenceText(silenceOf(exchange, route), redact);
      return { type: 'poll-unanswered', failure, retryAfterMs: null };
    },

    async probe(signal): Promise<ProbeAnswer> {
      const path = `${prefix}/api/get_status/no-such-task-${randomUUID()}`;
      const exchange = await ask(probes, path, creationAnswerBytes, signal);
      const reply = replyOf(exchange, route, creationAnswerBytes, redact);
      exchange.letGo();
      const clock = Date.parse(String(exchange.headers.date));
      if (!Number.isNaN(clock)) options.hearClock?.(clock);
      if (reply !== null) return judgeProbe(reply, { url: `${origin}${path}`, now: now(), redact });
      const silence = silenceOf(exchange, route);
      const failure = probeText(silence, redact);
      return { outcome: 'unreachable', failure, obstacle: obstacleOf(silence.codes) };
    },

    async close(force = false): Promise<void> {
      const closed = [polls, probes].map((each) => (force ? each.destroy() : each.close()));
      if (force) forced.abort();
      // Closing twice is not an error.
      await Promise.allSettled(closed);
    },
  };
}
