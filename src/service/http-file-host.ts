/**
 * The hosts that signed links point at, over HTTP/1.1 with undici.
 *
 * A link comes from outside, so three things hold for each request: it carries no key, its path and query leave byte
 * for byte as they came (a signature covers them), and the address checked is the address connected to. Every ending is
 * an answer, and every message names the link without its query.
 */

import { createHash } from 'node:crypto';
import { promises as dns, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { codeOf, messageOf } from '../errors.ts';
import { impostorIn } from '../files/file-kind.ts';
import { bareHostname, type FileLink, parseLink, placeOf, resolveRedirect } from '../files/file-link.ts';
import { fileVersion, ifRangeOf } from '../files/file-version.ts';
import { fixed } from '../money/policy.ts';
import type { FileAnswer, FileHost } from '../ports.ts';
import { longestHeadBytes } from './answer-heads.ts';
import { keepDeadline, type Timers } from './deadline.ts';
import { decodeBody, isDecodable } from './decoding.ts';
import { EndWatch } from './end-watch.ts';
import { mended } from './mended-connections.ts';
import { isPrivateAddress, isPrivateTarget } from './private-addresses.ts';
import { openProxyAgent } from './proxy-agent.ts';
import { chooseProxy } from './proxy-choice.ts';
import { type AnswerHead, Transfer } from './transfer.ts';

export interface FileHostOptions {
  /** The service's address: links may lead to a private address only if it is private itself. */
  readonly serviceUrl: string;
  /** Connections to one host. */
  readonly connections: number;
  /** Until the headers arrive, redirects included. */
  readonly requestTimeoutMs: number;
  /** A body that receives nothing for this long is cut. */
  readonly stallMs: number;
  /** HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case; loopback never goes through a proxy. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type From = Parameters<FileHost['get']>[1];

interface Answer extends AnswerHead {
  readonly transfer: Transfer;
}

const timers: Timers = {
  now: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** Only a new link can help. */
class LinkRefusedError extends Error {}

const refusingStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);
/** A whole file. 201 and 203 are odd, but a file comes with them. */
const wholeStatuses: ReadonlySet<number> = new Set([200, 201, 203]);
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Opens connections to file hosts. Behind a proxy, the proxy resolves names, so only links with a literal address can
 * be recognized as private.
 */
export function createHttpFileHost(options: FileHostOptions): FileHost {
  const isServicePrivate = serviceProbe(options.serviceUrl);
  const routes = createRoutes(options, isServicePrivate);

  /** `until` is the deadline of the headers, in steady ms. */
  async function send(link: FileLink, from: From, signal: AbortSignal, until: number): Promise<Answer> {
    if (isPrivateAddress(link.hostname) && !(await isServicePrivate())) throw privateAddress(link.hostname);
    const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'batch' };
    const ifRange = from.validator === null ? null : ifRangeOf(from.validator);
    const range = { range: `bytes=${from.offset}-`, ...(ifRange !== null && { 'if-range': ifRange }) };
    const request = {
      origin: link.origin,
      path: link.path,
      method: 'GET' as const,
      headers: from.offset > 0 && from.validator !== null ? { ...headers, ...range } : headers,
      headersTimeout: 0,
      bodyTimeout: options.stallMs,
    };
    const transfer = Transfer.send(routes.routeTo(link), request, signal);
    const late = (): void =>
      transfer.drop(new Error(`no answer within ${options.requestTimeoutMs / 1000} s`));
    const forget = keepDeadline(timers, Math.max(0, until - performance.now()), () => true, late);
    try {
      const { status, headers } = await transfer.head();
      return { status, headers, transfer };
    } finally {
      forget();
    }
  }

  /** The answer after all redirects, within the deadline; the signal also aborts its body. */
  async function ask(first: FileLink, from: From, signal: AbortSignal): Promise<Answer> {
    const until = performance.now() + options.requestTimeoutMs;
    let link = first;
    for (let redirects = 0; ; redirects++) {
      const answer = await send(link, from, signal, until);
      if (!redirectStatuses.has(answer.status)) return answer;
      answer.transfer.drop();
      if (redirects === fixed.downloadRedirects)
        throw new LinkRefusedError(`more than ${fixed.downloadRedirects} redirects`);
      link = redirectTarget(link, headerOf(answer, 'location'));
    }
  }

  return {
    async get(url, from, signal) {
      const link = parseLink(url);
      if (link === null)
        return { outcome: 'link-refused', failure: 'the link is not a plain http(s) address' };
      const place = placeOf(link);
      try {
        const answer = await ask(link, from, signal);
        const told = judge(answer, from, place, () => ask(link, { offset: 0, validator: null }, signal));
        if (told.outcome !== 'content') answer.transfer.drop();
        return told;
      } catch (error) {
        const outcome = error instanceof LinkRefusedError ? 'link-refused' : 'unanswered';
        return { outcome, failure: `${place}: ${describe(error)}` };
      }
    },
    close: (force = false) => routes.close(force),
  };
}

// Addresses

/** `address` is what the name resolves to here; null for a literal address. */
function privateAddress(hostname: string, address: string | null = null): LinkRefusedError {
  const what = 'a loopback, private or link-local address, and the service is not at one';
  const why = 'a link must not lead into this network';
  return new LinkRefusedError(
    address === null
      ? `${hostname} is ${what}: ${why}`
      : `${hostname} resolves here to ${address}, ${what}: ${why}; correct the DNS of this computer, or set HTTPS_PROXY`,
  );
}

/** Checks whether the service is at a private address; cached, but repeated after a failed lookup. */
function serviceProbe(serviceUrl: string): () => Promise<boolean> {
  const hostname = bareHostname(URL.parse(serviceUrl)?.hostname ?? '');
  let known: boolean | null = isIP(hostname) === 0 ? null : isPrivateAddress(hostname);
  return async () => {
    if (known !== null) return known;
    const found = await dns.lookup(hostname, { all: true }).catch(() => null);
    if (found === null) return false;
    known = found.some(({ address }) => isPrivateTarget(address));
    return known;
  };
}

/**
 * Resolves a name for the connector itself, so that no second lookup can return another address than the checked one.
 */
function guardedLookup(isServicePrivate: () => Promise<boolean>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, async (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error, '');
      const refused = addresses.find(({ address }) => isPrivateTarget(address));
      if (refused !== undefined && !(await isServicePrivate()))
        return callback(privateAddress(hostname, refused.address), '');
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** Follows one redirect manually: its target is trusted no more than the link. */
function redirectTarget(from: FileLink, location: string | null): FileLink {
  const to = location === null ? null : resolveRedirect(from, Buffer.from(location, 'latin1').toString());
  if (to === null) throw new LinkRefusedError('redirected to something other than an http(s) address');
  if (from.scheme === 'https' && to.scheme === 'http')
    throw new LinkRefusedError(`redirected from https to http (${placeOf(to)})`);
  return to;
}

// Connections

/** One pool per route: direct, or through a proxy. */
function createRoutes(options: FileHostOptions, isServicePrivate: () => Promise<boolean>) {
  const forced = new AbortController();
  const timeout = options.requestTimeoutMs;
  const wire = { allowH2: false, connections: options.connections, maxHeaderSize: longestHeadBytes };
  const guarded = { lookup: guardedLookup(isServicePrivate), timeout, signal: forced.signal, allowH2: false };
  const direct = new Agent({
    ...wire,
    connect: mended(buildConnector(guarded as buildConnector.BuildOptions)),
  });
  const proxies = new Map<string, Dispatcher>();
  return {
    routeTo({ origin }: FileLink): Dispatcher {
      const choice = chooseProxy(origin, options.env);
      if (choice === null) return direct;
      const proxy =
        proxies.get(choice.uri) ?? openProxyAgent(choice, { ...wire, timeout, signal: forced.signal });
      proxies.set(choice.uri, proxy);
      return proxy;
    },
    async close(force: boolean): Promise<void> {
      if (force) forced.abort();
      await Promise.all([direct, ...proxies.values()].map((each) => (force ? each.destroy() : each.close())));
    },
  };
}

// Answers

function judge(answer: Answer, from: From, place: string, askAgain: () => Promise<Answer>): FileAnswer {
  const { status, transfer } = answer;
  const versionOf = (totalBytes: number | null): string | null =>
    fileVersion({
      etag: headerOf(answer, 'etag'),
      lastModified: headerOf(answer, 'last-modified'),
      totalBytes,
    });
  const isResumed = from.offset > 0;
  if (status === 416 && isResumed) {
    const total = /^bytes \*\/(\d+)$/.exec(headerOf(answer, 'content-range') ?? '')?.[1];
    // Another file may have the same length as this part: without its version they cannot be told apart.
    const version = total === undefined ? null : versionOf(Number(total));
    const isSameFile = version !== null && version === from.validator;
    return { outcome: Number(total) === from.offset && isSameFile ? 'already-whole' : 'out-of-range' };
  }
  if (refusingStatuses.has(status))
    return { outcome: 'link-refused', failure: `${place}: refused with HTTP ${status}` };
  if (!wholeStatuses.has(status) && status !== 206)
    return { outcome: 'unanswered', failure: `${place}: answered HTTP ${status}` };
  const transferEncodings = encodingsOf(answer, 'transfer-encoding');
  const encodings = [...encodingsOf(answer, 'content-encoding'), ...transferEncodings].filter(
    (encoding) => encoding !== 'identity' && encoding !== 'chunked',
  );
  const isDecoded = encodings.some(isDecodable);
  const contentType = headerOf(answer, 'content-type');
  const arriving = readBody(transfer, place);
  const isUnknownPart = status === 206 && !isResumed && isPerhapsWhole(headerOf(answer, 'content-range'));
  if (status === 206 && !isUnknownPart) {
    const totalBytes = totalOfRange(headerOf(answer, 'content-range'), from.offset);
    const validator = versionOf(totalBytes);
    // Without its own version a part may be of another file, despite If-Range; and one of an encoded file is of no use.
    const isWanted = totalBytes !== null && !isDecoded && (!isResumed || validator === from.validator);
    if (!isWanted && isResumed) return { outcome: 'out-of-range' };
    if (!isWanted) return { outcome: 'unanswered', failure: `${place}: sent a part that was not requested` };
    const body = isResumed ? arriving : decodeBody(arriving, encodings, place);
    return { outcome: 'content', offset: from.offset, totalBytes, validator, contentType, body };
  }
  const length = headerOf(answer, 'content-length');
  const isEndMarked = length !== null || transferEncodings.includes('chunked');
  const whole = isEndMarked || isDecoded ? arriving : readToEnd(arriving, place, askAgain);
  const decoded = decodeBody(whole, encodings, place);
  const body = isUnknownPart ? withDeclaredEnd(decoded, place) : decoded;
  // The announced length, which the connection checks, is that of the encoded bytes.
  const totalBytes = length === null || isDecoded ? null : Number(length);
  const validator = isDecoded ? null : versionOf(totalBytes);
  return { outcome: 'content', offset: 0, totalBytes, validator, contentType, body };
}

function readBody(transfer: Transfer, place: string): AsyncGenerator<Uint8Array> {
  return transfer.body(
    (reason) => new Error(`${place}: the transfer was cut: ${describe(reason)}`, { cause: reason }),
  );
}

/**
 * A body without announced length looks complete wherever it was cut. Where the file itself does not say where it ends, it
 * counts as complete when a second download returns the same bytes; such servers are rare enough for the double cost. A
 * link that works only once tells nothing more, so what it gave is the file.
 */
async function* readToEnd(
  first: AsyncIterable<Uint8Array>,
  place: string,
  askAgain: () => Promise<Answer>,
): AsyncGenerator<Uint8Array> {
  const [hash, hashAgain] = [createHash('sha256'), createHash('sha256')];
  const watch = new EndWatch();
  let isPage = false;
  for await (const bytes of first) {
    if (watch.seenBytes === 0) isPage = impostorIn('frame', bytes, null) !== null;
    watch.note(bytes);
    hash.update(bytes);
    yield bytes;
  }
  const verdict = watch.verdict();
  if (verdict === 'whole') return;
  if (verdict === 'cut') throw cutBeforeEnd(place);
  const again = await askAgain();
  if (!wholeStatuses.has(again.status) && again.status !== 206) {
    again.transfer.drop();
    if (refusingStatuses.has(again.status)) return;
    throw new Error(
      `${place}: the length was not announced, and a second reading answered HTTP ${again.status}`,
    );
  }
  let isFirst = true;
  for await (const bytes of readBody(again.transfer, place)) {
    // A page that says that the link was used.
    if (isFirst && !isPage && impostorIn('frame', bytes, headerOf(again, 'content-type')) !== null) return;
    isFirst = false;
    hashAgain.update(bytes);
  }
  if (hash.digest('hex') !== hashAgain.digest('hex'))
    throw new Error(`${place}: the length was not announced, and two readings differ`);
}

/** A part of unknown length, as which a host sent what may be the whole file. */
async function* withDeclaredEnd(body: AsyncIterable<Uint8Array>, place: string): AsyncGenerator<Uint8Array> {
  const watch = new EndWatch();
  for await (const bytes of body) {
    watch.note(bytes);
    yield bytes;
  }
  if (watch.verdict() === 'cut') throw cutBeforeEnd(place);
}

function cutBeforeEnd(place: string): Error {
  return new Error(`${place}: the transfer was cut before the end of the file`);
}

/** True where a part that nobody asked for may be all there is: it begins at the start, of an unknown total. */
function isPerhapsWhole(range: string | null): boolean {
  return range === null || /^bytes 0-\d+\/\*$/.test(range);
}

/** Total length out of `bytes START-END/TOTAL`, or null when invalid or not from the offset. */
function totalOfRange(header: string | null, offset: number): number | null {
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? [];
  const isSound = Number(start) === offset && Number(end) >= offset && Number(end) < Number(total);
  return isSound ? Number(total) : null;
}

/** All encodings in a header, in lower case, over any number of lines. */
function encodingsOf({ headers }: AnswerHead, name: string): string[] {
  const header = headers[name];
  if (header === undefined) return [];
  const words = [header].flat().join(',').toLowerCase().split(',');
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

function headerOf({ headers }: AnswerHead, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function describe(error: unknown): string {
  if (codeOf(error) === 'UND_ERR_BODY_TIMEOUT') return 'no data arrived for too long';
  return messageOf(error) || codeOf(error) || 'connection lost';
}
