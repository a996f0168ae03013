/** Parses signed links without re-encoding them: a signature covers path and query byte for byte. */

/** An http(s) address, ready to be asked. */
export interface FileLink {
  readonly scheme: 'http' | 'https';
  readonly origin: string;
  /** Normalized by the URL standard: `0x7f.1` becomes `127.0.0.1`; no brackets around IPv6. */
  readonly hostname: string;
  /** Path and query, byte for byte. */
  readonly path: string;
}

/** Null for anything but a plain http(s) address; an address with credentials is not plain. */
export function parseLink(text: string): FileLink | null {
  const parts = /^(https?):\/\/([^/?#\\\s@]+)([/?][^#]*)?(?:#.*)?$/is.exec(text.trim());
  const [, scheme = '', authority = '', rest = ''] = parts ?? [];
  const root = URL.parse(`${scheme}://${authority}/`);
  if (parts === null || root === null) return null;
  return {
    scheme: root.protocol === 'https:' ? 'https' : 'http',
    origin: root.origin,
    hostname: root.hostname.replace(/^\[(.*)\]$/, '$1'),
    path: encodeUnsendable(rest.startsWith('/') ? rest : `/${rest}`),
  };
}

/** Percent-encodes, as UTF-8, what a request line cannot hold: white space, control and non-ASCII characters. */
function encodeUnsendable(path: string): string {
  return path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** Where a redirect leads; absolute targets keep their bytes. Null for anything but a plain http(s) address. */
export function resolveRedirect(from: FileLink, location: string): FileLink | null {
  if (/^https?:\/\//i.test(location)) return parseLink(location);
  if (location.startsWith('//')) return parseLink(`${from.scheme}:${location}`);
  if (location.startsWith('/')) return parseLink(from.origin + location);
  return parseLink(URL.parse(location, from.origin + from.path)?.href ?? '');
}

/**
 * A link as the service wrote it: a relative one is relative to the service's address, an absolute one and what is no
 * link keep their bytes.
 */
export function absoluteLink(text: string, serviceUrl: string): string {
  const link = text.trim();
  const service = parseLink(serviceUrl);
  const isPath = link.startsWith('/') || (/^[^\s:?#]*[./?]\S*$/.test(link) && !/^https?:/i.test(link));
  if (service === null || !isPath) return text;
  if (link.startsWith('//')) return `${service.scheme}:${link}`;
  if (link.startsWith('/')) return service.origin + link;
  const folder = `${service.origin}${service.path.replace(/\/*$/, '')}/`;
  return link.startsWith('.') ? new URL(link, folder).href : folder + link;
}

/** How a link may be meant: one that was escaped for a web page is tried as it is and unescaped. */
export function spellingsOf(link: string): readonly string[] {
  const unescaped = link.replaceAll('&amp;', '&');
  return unescaped === link ? [link] : [link, unescaped];
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
