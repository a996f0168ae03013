/** Parses signed links without re-encoding them: a signature covers path and query byte for byte. */

/** An http(s) address, ready to be asked. */
export interface FileLink {
  readonly scheme: 'http' | 'https';
  readonly origin: string;
  /** Normalized by the URL standard: `0x7f.1` becomes `127.0.0.1`; no brackets around IPv6. */
  readonly hostname: string;
  /** Path and query, byte for byte. */
  readonly path: string;
  /** `user:password`, for the host alone; null where the link has none. Never shown. */
  readonly credentials: string | null;
}

/** Null for anything but an http(s) address. */
export function parseLink(text: string): FileLink | null {
  const parts = /^(https?):\/\/([^/?#\\\s]+)([/?][^#]*)?(?:#.*)?$/is.exec(text.trim());
  const [, scheme = '', authority = '', rest = ''] = parts ?? [];
  const root = URL.parse(`${scheme}://${authority}/`);
  if (parts === null || root === null) return null;
  return {
    scheme: root.protocol === 'https:' ? 'https' : 'http',
    origin: root.origin,
    hostname: bareHostname(root.hostname),
    path: encodeUnsendable(rest.startsWith('/') ? rest : `/${rest}`),
    credentials: root.username + root.password === '' ? null : decoded(`${root.username}:${root.password}`),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without the brackets of an IPv6 address. */
export function bareHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Percent-encodes, as UTF-8, what a request line cannot hold: white space, control and non-ASCII characters. */
function encodeUnsendable(path: string): string {
  return path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/**
 * Where a redirect leads: absolute targets keep their bytes, and the host its credentials. What is not read so is read by the URL
 * standard. Null for anything but an http(s) address.
 */
export function resolveRedirect(from: FileLink, location: string): FileLink | null {
  const standard = URL.parse(location, from.origin + from.path)?.href ?? '';
  const to = keptTarget(from, location) ?? parseLink(standard);
  return to?.origin === from.origin ? { ...to, credentials: to.credentials ?? from.credentials } : to;
}

function keptTarget(from: FileLink, location: string): FileLink | null {
  if (/^https?:\/\//i.test(location)) return parseLink(location);
  if (location.startsWith('//')) return parseLink(`${from.scheme}:${location}`);
  return location.startsWith('/') ? parseLink(from.origin + location) : null;
}

/** A host with a port, an address, or a name that ends like one of the internet; and, unlike a file's name, a path. */
const hostAndPath =
  /^(?:[\w.-]+:\d{1,5}|\[[\da-f:.]+\](?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+(?:[a-z]{2,24}|xn--[a-z\d-]+))\\?\/\S*$/i;

/** A slash may be escaped, see `spellingsOf`. */
const rooted = /^\\?\//;
const hosted = /^(?:\\?\/){2}/;

/**
 * A link as the service wrote it: one without a scheme has that of the service's address, a relative one is relative to it, an
 * absolute one and what is no link keep their bytes.
 */
export function absoluteLink(text: string, serviceUrl: string): string {
  const written = text.trim();
  const link = hostAndPath.test(written) ? `//${written}` : written;
  const service = parseLink(serviceUrl);
  const isPath = rooted.test(link) || (/^[^\s:?#]*[./?]\S*$/.test(link) && !/^https?:/i.test(link));
  if (service === null || !isPath) return text;
  if (hosted.test(link)) return `${service.scheme}:${link}`;
  if (rooted.test(link)) return service.origin + link;
  const folder = `${service.origin}${service.path.replace(/\/*$/, '')}/`;
  return link.startsWith('.') ? new URL(link, folder).href : folder + link;
}

/**
 * How a link may be meant: one that was escaped for a web page, or twice for JSON, is tried as it is and unescaped; then as the URL
 * standard reads it, which leaves line breaks out and mends slashes. What is no link stays as it is.
 */
export function spellingsOf(link: string): readonly string[] {
  const plain = unescaped(link);
  const standard = /^\s*https?:/i.test(plain) ? (URL.parse(plain)?.href ?? plain) : plain;
  const requests = new Map<string, string>();
  for (const spelling of [link, plain, standard]) {
    const read = parseLink(spelling);
    const request = read === null ? null : read.origin + read.path;
    if (request !== null && !requests.has(request)) requests.set(request, spelling);
  }
  return requests.size === 0 ? [link] : [...requests.values()];
}

/** The start of a file that is in its link: a browser opens that, too. */
export const inlineFile = /^data:(?:video|image)\/[\w.+-]+(?:;[\w.+=-]+)*,/i;

/** The link as a person takes it to a browser, in visible characters; null for what is no link. */
export function browserLink(link: string): string | null {
  if (inlineFile.test(link.trim())) return link.trim();
  const read = spellingsOf(link.trim()).find((spelling) => parseLink(spelling) !== null);
  if (read === undefined) return null;
  return /[\s\p{Cc}\p{Cf}]/u.test(read) ? new URL(read).href : read;
}

/** Links without the escapes of JSON and of web pages. */
export function unescaped(text: string): string {
  return text
    .replace(/\\+u00([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')
    .replaceAll('&amp;', '&');
}

/** Longest last path segment that is shown: a longer one is not a file name. */
const nameMaxLength = 60;

/**
 * The link for messages and logs: its host and the last path segment. The query may hold a signature, and any part of
 * the path a key or token.
 */
export function placeOf(link: FileLink): string {
  const path = link.path.replace(/[?;].*/s, '');
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const shown = name.length <= nameMaxLength ? name : `…${name.slice(-12)}`;
  return `${link.origin}${slash > 0 ? '/…' : ''}/${shown}`;
}
