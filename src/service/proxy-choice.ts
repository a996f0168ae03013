/** Pure. Which proxy an address is reached through, by the usual environment variables, as curl, Go and Python read them. */

import { bareHostname } from '../files/file-link.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that names it. The address may contain credentials, so it never appears in a message. */
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

/** A host in comparable form: lower case, without brackets or the trailing dot. */
function bareHost(host: string): string {
  return bareHostname(host.toLowerCase())
    .replace(/^\*?\./, '')
    .replace(/(.)\.$/, '$1');
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/.test(host);
}

/** All bits of an IP address, as the URL standard writes it; null for a name. */
function bitsOf(host: string): string | null {
  if (/^\d+(?:\.\d+){3}$/.test(host))
    return host
      .split('.')
      .map((part) => bits(Number(part), 8))
      .join('');
  if (!host.includes(':')) return null;
  const [head = [], tail = []] = host
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const between = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...between, ...tail].map((group) => bits(Number.parseInt(group, 16), 16)).join('');
}

function bits(number: number, length: number): string {
  return number.toString(2).padStart(length, '0');
}

/** True where the host is an address in a range such as `10.0.0.0/8`; names are not resolved for it. */
function isInRange(host: string, range: string): boolean {
  const [, first = '', length = ''] = /^\[?([\d.]+|[\da-f:]+)\]?\/(\d{1,3})$/i.exec(range) ?? [];
  const url = URL.parse(first.includes(':') ? `http://[${first}]` : `http://${first}`);
  const own = bitsOf(host);
  const other = url === null ? null : bitsOf(bareHost(url.hostname));
  if (own === null || own.length !== other?.length || Number(length) > own.length) return false;
  return own.startsWith(other.slice(0, Number(length)));
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
