/** The route to the service: direct or through a proxy, over connections that accept everything HTTP allows. */

import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { longestHeadBytes } from './answer-heads.ts';
import { attemptsWithin, mended, mendedTunnels } from './mended-connections.ts';
import { isSocks, proxyAddress } from './proxy-agent.ts';
import { chooseProxy } from './proxy-choice.ts';
import { socksConnector } from './socks-proxy.ts';

/** How connections are opened. */
interface Wire {
  readonly connections: number;
  /** 0 gives every request its own connection. */
  readonly pipelining: 0 | 1;
  /** Cuts every connection, in any phase. */
  readonly signal: AbortSignal;
}

/** The route to the service. */
export interface Route {
  readonly origin: string;
  /** Path prefix of the service, without a trailing slash. */
  readonly prefix: string;
  /** The origin, and the variable that names the proxy; for messages. */
  readonly place: string;
  /** The proxy that forwards the requests themselves, and may answer in its own name; null for none. */
  readonly forwardedBy: string | null;
  /** The part of a request that says where it goes. */
  target(path: string): Pick<Dispatcher.DispatchOptions, 'origin' | 'path'> & {
    readonly headers: Readonly<Record<string, string>>;
  };
  open(wire: Wire): Dispatcher;
}

/** What a route depends on. */
export interface RouteOptions {
  /** http(s) address; may have a path prefix and a trailing slash. */
  readonly baseUrl: string;
  /** Total deadline of one request: queueing, connecting, headers and body. */
  readonly requestTimeoutMs: number;
  /** Read for HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Throws `UsageError` for an invalid address or proxy. */
export function planRoute({ baseUrl, env, requestTimeoutMs }: RouteOptions): Route {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(message('refused.base-url'));
  }
  const { origin, pathname, host, protocol } = new URL(baseUrl);
  const proxy = chooseProxy(baseUrl, env);
  const where = { origin, prefix: pathname.replace(/\/+$/, '') };
  const timeout = requestTimeoutMs;
  const straight = {
    ...where,
    forwardedBy: null,
    target: (path: string) => ({ origin, path, headers: {} }),
  };
  if (proxy === null)
    return { ...straight, place: origin, open: (wire) => openStraight(origin, wire, { timeout }) };
  const uri = proxyAddress(proxy);
  const named = `the proxy of ${proxy.variable}, ${uri.host}`;
  const place = `${origin} (through ${named})`;
  if (isSocks(uri))
    return { ...straight, place, open: (wire) => openStraight(origin, wire, { timeout, socks: uri }) };
  if (protocol === 'https:') return { ...straight, place, open: (wire) => openTunnels(uri, wire, timeout) };
  // Many proxies tunnel only https: plain requests carry the whole address.
  const headers = { host, ...credentials(uri) };
  const target = (path: string) => ({ origin: uri.origin, path: `${origin}${path}`, headers });
  return {
    ...where,
    place,
    forwardedBy: named,
    target,
    open: (wire) => openStraight(uri.origin, wire, { timeout }),
  };
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}

/**
 * The deadline is kept elsewhere: the library's timeouts are off, and HTTP/2 too, because it would replay refused
 * requests.
 */
const plain = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: longestHeadBytes } as const;

function openStraight(
  origin: string,
  { connections, pipelining, signal }: Wire,
  { timeout, socks = null }: { readonly timeout: number; readonly socks?: URL | null },
): Dispatcher {
  const limits = { timeout, signal };
  const connect = mended(
    socks === null
      ? buildConnector({
          ...limits,
          ...attemptsWithin(timeout),
          allowH2: false,
        } as buildConnector.BuildOptions)
      : socksConnector(socks, limits),
  );
  return pipelining === 0
    ? new Client(origin, { ...plain, pipelining, connect })
    : new Pool(origin, { ...plain, pipelining, connect, connections });
}

function openTunnels(uri: URL, { connections, pipelining, signal }: Wire, timeout: number): Dispatcher {
  const connect = { timeout, signal, allowH2: false, ...attemptsWithin(timeout) };
  return new ProxyAgent({
    ...plain,
    uri: uri.href,
    connections,
    pipelining,
    proxyTunnel: true,
    proxyTls: connect,
    requestTls: connect,
    factory: mendedTunnels,
  });
}
