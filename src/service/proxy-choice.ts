/** Which proxy an address is reached through, by the usual environment variables, as curl, Go and Python read them. */

import { BlockList, isIP } from 'node:net';
import { UsageError } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that names it. The address may hold credentials, so it never appears in a message. */
export interface ProxyChoice {
  readonly variable: string;
  readonly uri: string;
}

/** The lower-case name wins, as in other programs. Empty means unset. */
function lookUp(env: Environment, name: string): ProxyChoice | null {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable]?.trim() ?? '';
    if (value !== '') return { variable, uri: value.includes('://') ? value : `http://${value}` };
  }
  return null;
}

/** Where the proxy is. Throws `UsageError` where its address is none of a proxy of HTTP or SOCKS. */
export function proxyAddress({ variable, uri }: ProxyChoice): URL {
  try {
    const url = new URL(uri);
    decodeURIComponent(url.username + url.password);
    if (/^(?:https?|socks[45]?|socks4a|socks5h):$/.test(url.protocol) && url.hostname !== '') return url;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${variable} is not the address of an http(s) or SOCKS proxy; correct or unset it`);
}

export function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks');
}

/** A host in comparable form: lower case, without brackets or the trailing dot. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^\*?\./, '')
    .replace(/(.)\.$/, '$1');
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/.test(host);
}

/** True where the host is an address in a range such as `10.0.0.0/8`; names are not resolved for it. */
function isInRange(host: string, range: string): boolean {
  const [, first = '', bits = ''] = /^\[?([^[\]]*)\]?\/(\d{1,3})$/.exec(range) ?? [];
  const family = isIP(first);
  if (family === 0 || family !== isIP(host) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(first, Number(bits), name);
  return list.check(host, name);
}

/**
 * True where one entry of NO_PROXY matches: `*`, a host, or a domain with or without leading dot, each with or without
 * a port, or a range of addresses.
 */
function excepts(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return isInRange(host, entry);
  // A bare IPv6 address does not match the pattern; all of it is the name.
  const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (name === '*') return true;
  const domain = bareHost(name);
  return domain !== '' && (host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*')));
}

/**
 * The proxy for `url`, or null for none: HTTPS_PROXY for https, HTTP_PROXY for http, else ALL_PROXY, in upper or lower case,
 * except for NO_PROXY. A loopback host is never reached through a proxy.
 */
export function chooseProxy(url: string, env: Environment): ProxyChoice | null {
  const { protocol, hostname, port } = new URL(url);
  const proxy = lookUp(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? lookUp(env, 'ALL_PROXY');
  if (proxy === null) return null;
  const host = bareHost(hostname);
  if (isLoopback(host)) return null;
  const effectivePort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[,\s]+/).filter((entry) => entry !== '');
  if (exceptions.some((entry) => excepts(entry, host, effectivePort))) return null;
  return proxy;
}
