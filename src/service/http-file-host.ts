/**
 * The hosts that signed links point at, over HTTP/1.1 with undici.
 *
 * A link comes from outside, so three rules apply to each request: it carries no key of the service, its path and query leave byte
 * for byte as they came (a signature covers them), and the address checked is the address connected to. Every ending is
 * an answer, and every message names the link without its query.
 */

import { type FileLink, parseLink, placeOf, resolveRedirect } from '../files/file-link.ts';
import { ifRangeOf } from '../files/file-version.ts';
import { fixed } from '../money/policy.ts';
import type { FileHost } from '../ports.ts';
import { keepDeadline, type Timers } from './deadline.ts';
import { createFileRoutes, type FileRouteOptions, LinkRefusedError } from './file-routes.ts';
import { type Answer, describe, type From, headerOf, judgeFileAnswer } from './judge-file-answer.ts';
import { Transfer } from './transfer.ts';

export interface FileHostOptions extends FileRouteOptions {
  /** A body that receives nothing for this long is cut. */
  readonly stallMs: number;
}

const timers: Timers = {
  now: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** 300 offers several places, and may name one of them as the best. */
const redirectStatuses: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/**
 * Opens connections to file hosts. Behind a proxy, the proxy resolves names, so only links with a literal address can
 * be recognized as private.
 */
export function createHttpFileHost(options: FileHostOptions): FileHost {
  const routes = createFileRoutes(options);

  /** `until` is the deadline of the headers, in steady ms. */
  async function send(
    link: FileLink,
    from: From,
    { cookie, until }: { readonly cookie: string; readonly until: number },
    signal: AbortSignal,
  ): Promise<Answer> {
    const route = await routes.routeTo(link);
    const basic = Buffer.from(link.credentials ?? '').toString('base64');
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'batch',
      ...(link.credentials !== null && { authorization: `Basic ${basic}` }),
      ...(cookie !== '' && { cookie }),
    };
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
    const transfer = Transfer.send(route, request, signal);
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

  /**
   * The answer after all redirects, within the deadline; the signal also aborts its body. A host that sets a cookie on the way gets it
   * back until then, because many redirect again and again without.
   */
  async function ask(first: FileLink, from: From, signal: AbortSignal): Promise<Answer> {
    const until = performance.now() + options.requestTimeoutMs;
    const cookies = new Map<string, Map<string, string>>();
    let link = first;
    for (let redirects = 0; ; redirects++) {
      const own = cookies.get(link.hostname) ?? new Map<string, string>();
      const answer = await send(link, from, { cookie: [...own.values()].join('; '), until }, signal);
      if (!redirectStatuses.has(answer.status)) return answer;
      if (answer.status === 300 && headerOf(answer, 'location') === null) return answer;
      answer.transfer.drop();
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [pair = ''] = set.split(';');
        own.set(pair.replace(/=.*/s, ''), pair.trim());
      }
      cookies.set(link.hostname, own);
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
        const askAgain = () => ask(link, { offset: 0, validator: null }, signal);
        const judged = judgeFileAnswer(answer, from, place, askAgain);
        if (judged.outcome !== 'content') answer.transfer.drop();
        return judged;
      } catch (error) {
        const outcome = error instanceof LinkRefusedError ? 'link-refused' : 'unanswered';
        return { outcome, failure: `${place}: ${describe(error)}` };
      }
    },
    close: (force = false) => routes.close(force),
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
