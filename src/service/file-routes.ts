/** Connections to file hosts: direct ones, which do not lead into this network, and those through a proxy. */

import { promises as dns, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { bareHostname, type FileLink } from '../files/file-link.ts';
import { longestHeadBytes } from './answer-heads.ts';
import { attemptsWithin, mended } from './mended-connections.ts';
import { isPrivateAddress, isPrivateTarget } from './private-addresses.ts';
import { openProxyAgent } from './proxy-agent.ts';
import { chooseProxy } from './proxy-choice.ts';

export interface FileRouteOptions {
  /** The service's address: links may lead to a private address only if it is private itself. */
  readonly serviceUrl: string;
  /** Connections to one host. */
  readonly connections: number;
  /** Until the headers arrive, redirects included. */
  readonly requestTimeoutMs: number;
  /** HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case; loopback never goes through a proxy. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Only a new link can help. */
export class LinkRefusedError extends Error {}

/** One pool per route: direct, or through a proxy. */
export function createFileRoutes(options: FileRouteOptions) {
  const isServicePrivate = serviceProbe(options.serviceUrl);
  const forced = new AbortController();
  const timeout = options.requestTimeoutMs;
  const wire = { allowH2: false, connections: options.connections, maxHeaderSize: longestHeadBytes };
  const guarded = {
    lookup: guardedLookup(isServicePrivate),
    timeout,
    signal: forced.signal,
    allowH2: false,
    ...attemptsWithin(timeout),
  };
  const direct = new Agent({
    ...wire,
    connect: mended(buildConnector(guarded as buildConnector.BuildOptions)),
  });
  const proxies = new Map<string, Dispatcher>();
  return {
    /** Throws `LinkRefusedError` for a link to a private address, unless the service is at one too. */
    async routeTo({ origin, hostname }: FileLink): Promise<Dispatcher> {
      if (isPrivateAddress(hostname) && !(await isServicePrivate())) throw privateAddress(hostname);
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
