/** Pure. Which proxy an address is reached through, by the usual environment variables. */

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

/**
 * True where one entry of NO_PROXY matches: `*`, a host, or a domain with or without leading dot, each with or without
 * a port.
 */
function excepts(entry: string, host: string, port: string): boolean {
  // A bare IPv6 address does not match the pattern; all of it is the name.
  const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (name === '*') return true;
  const domain = bareHost(name);
  return domain !== '' && (host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*')));
}

/**
 * The proxy for `url`, or null for none: HTTPS_PROXY for https, HTTP_PROXY for http, in upper or lower case, except for
 * NO_PROXY. A loopback host is never reached through a proxy.
 */
export function chooseProxy(url: string, env: Environment): ProxyChoice | null {
  const { protocol, hostname, port } = new URL(url);
  const proxy = lookUp(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === null) return null;
  const host = bareHost(hostname);
  if (isLoopback(host)) return null;
  const effectivePort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[,\s]+/).filter((entry) => entry !== '');
  if (exceptions.some((entry) => excepts(entry, host, effectivePort))) return null;
  return proxy;
}
