/** Connections to whatever host is asked for: through the proxy that the environment names for it, or directly. */

import { Agent, type buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { attemptsWithin, mended, mendedTunnels } from './mended-connections.ts';
import { chooseProxy, type ProxyChoice } from './proxy-choice.ts';
import { socksConnector } from './socks-proxy.ts';

/** Where the proxy is. Throws `UsageError` where its address is not that of an HTTP or SOCKS proxy. */
export function proxyAddress({ variable, uri }: ProxyChoice): URL {
  try {
    const url = new URL(uri);
    decodeURIComponent(url.username + url.password);
    if (/^(?:https?|socks[45]?|socks4a|socks5h):$/.test(url.protocol) && url.hostname !== '') return url;
  } catch {
    // Reported below.
  }
  throw new UsageError(message('refused.proxy', { variable }));
}

export function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks');
}

/** `timeout` (ms) is that of connecting. */
interface Wire extends Omit<Agent.Options, 'connect' | 'factory'> {
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/** Throws `UsageError` where the proxy's address is not valid. */
export function openProxyAgent(choice: ProxyChoice, { timeout, signal, ...wire }: Wire): Dispatcher {
  const uri = proxyAddress(choice);
  const limits = { timeout, ...(signal && { signal }) };
  if (isSocks(uri)) return new Agent({ ...wire, connect: mended(socksConnector(uri, limits)) });
  const proxyTls = attemptsWithin(timeout) as buildConnector.BuildOptions;
  return new ProxyAgent({
    ...wire,
    uri: uri.href,
    connectTimeout: timeout,
    proxyTls,
    factory: mendedTunnels,
  });
}

/** For the requests to one address. Throws `UsageError` where the proxy's address is not valid. */
export function openAgent(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  { timeout, ...wire }: Wire,
): Dispatcher {
  const proxy = chooseProxy(url, env);
  return proxy === null
    ? new Agent({ ...wire, connect: { timeout, ...attemptsWithin(timeout) } })
    : openProxyAgent(proxy, { ...wire, timeout });
}
