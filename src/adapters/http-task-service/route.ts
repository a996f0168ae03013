/** Where the service is and how it is reached: straight or through a proxy, over connections that take all that HTTP says. */

import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { longestHeadBytes, mendAnswers } from '../../core/answer-heads.ts';
import { chooseProxy, type ProxyChoice } from '../../core/proxy-choice.ts';
import { UsageError } from '../../errors.ts';
import type { HttpTaskServiceOptions } from '../http-task-service.ts';

/** What connections are opened with. */
interface Wire {
  readonly connections: number;
  /** 0 gives every request a connection of its own. */
  readonly pipelining: 0 | 1;
  /** Cuts every connection, in whatever phase it is. */
  readonly signal: AbortSignal;
}

/** Where the service is and how it is reached. */
export interface Route {
  readonly origin: string;
  /** Path in front of every path of the service, without a slash at its end. */
  readonly prefix: string;
  /** The origin, and the variable that names the proxy on the way to it; for messages. */
  readonly place: string;
  /** True where a proxy carries the requests themselves, and may answer in its own name. */
  readonly forwards: boolean;
  /** What a request for a path of the service says of where it goes. */
  target(path: string): Pick<Dispatcher.DispatchOptions, 'origin' | 'path'> & {
    readonly headers: Readonly<Record<string, string>>;
  };
  open(wire: Wire): Dispatcher;
}

type Options = Pick<HttpTaskServiceOptions, 'baseUrl' | 'env' | 'requestTimeoutMs'>;

/** Throws `UsageError` for an address or a proxy that is none. */
export function planRoute({ baseUrl, env, requestTimeoutMs }: Options): Route {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError('--base-url is not an http(s) address; use one like https://service.example');
  }
  const { origin, pathname, host, protocol } = new URL(baseUrl);
  const proxy = chooseProxy(baseUrl, env);
  const where = { origin, prefix: pathname.replace(/\/+$/, '') };
  const timeout = requestTimeoutMs;
  if (proxy === null) {
    const target = (path: string) => ({ origin, path, headers: {} });
    return {
      ...where,
      place: origin,
      forwards: false,
      target,
      open: (wire) => openStraight(origin, wire, timeout),
    };
  }
  const uri = proxyAddress(proxy);
  const place = `${origin} (through the proxy of ${proxy.variable})`;
  if (protocol === 'https:') {
    const target = (path: string) => ({ origin, path, headers: {} });
    return { ...where, place, forwards: false, target, open: (wire) => openTunnels(uri, wire, timeout) };
  }
  // Many proxies open tunnels to https alone: what is plain is asked for by its whole address.
  const headers = { host, ...credentials(uri) };
  const target = (path: string) => ({ origin: uri.origin, path: `${origin}${path}`, headers });
  return {
    ...where,
    place,
    forwards: true,
    target,
    open: (wire) => openStraight(uri.origin, wire, timeout),
  };
}

function proxyAddress({ variable, uri }: ProxyChoice): URL {
  try {
    const url = new URL(uri);
    decodeURIComponent(url.username + url.password);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {
    // Said below.
  }
  throw new UsageError(`${variable} is not the address of an http(s) proxy; correct or unset it`);
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}

/** The deadline is kept elsewhere: timeouts of the library are off, its HTTP/2 would replay refused requests. */
const plain = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: longestHeadBytes } as const;

function openStraight(
  origin: string,
  { connections, pipelining, signal }: Wire,
  timeout: number,
): Dispatcher {
  const connect = mended(buildConnector({ timeout, signal, allowH2: false } as buildConnector.BuildOptions));
  return pipelining === 0
    ? new Client(origin, { ...plain, pipelining, connect })
    : new Pool(origin, { ...plain, pipelining, connect, connections });
}

function openTunnels(uri: URL, { connections, pipelining, signal }: Wire, timeout: number): Dispatcher {
  const connect = { timeout, signal, allowH2: false };
  return new ProxyAgent({
    ...plain,
    ...{ uri: uri.href, connections, pipelining, proxyTunnel: true, proxyTls: connect, requestTls: connect },
    factory: (origin: string | URL, options: Pool.Options) => {
      if (typeof options.connect !== 'function') throw new Error('the library connects in another way now');
      return new Pool(origin, { ...options, connect: mended(options.connect) });
    },
  });
}

function mended(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      mendAnswers(socket);
      callback(null, socket);
    });
}
