/** Admits only requests that use this machine's own name and the secret in the path. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The refusal, or the rest of the path as it was sent. */
export type Admission =
  | { readonly refusal: 403 | 404 | 405 }
  /** The path ends after the secret: redirect to add the slash. */
  | { readonly refusal: 308 }
  | { readonly refusal: null; readonly path: string; readonly query: string };

/** Judges a request by its head alone. `isOpen`: marks and a sample are accepted, too. */
export function admit(request: IncomingMessage, port: number, token: string, isOpen = false): Admission {
  // DNS rebinding: another site can point its own name to this machine; the browser then sends that name.
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const hosts = names.map((name) => `${name}:${port}`);
  // Browsers omit the default port.
  if (port === 80) hosts.push(...names);
  if (!hosts.includes((request.headers.host ?? '').toLowerCase())) return { refusal: 403 };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !(isOpen && request.method === 'PUT')) return { refusal: 405 };
  const [, word = '', slash, path = '', query = ''] =
    /^\/([^/?]*)(?:(\/)([^?]*))?(?:\?(.*))?$/s.exec(request.url ?? '') ?? [];
  if (!isSame(word, token)) return { refusal: 404 };
  if (!isRead && !/^(marks\/.|sample$)/.test(path)) return { refusal: 405 };
  return slash === undefined ? { refusal: 308 } : { refusal: null, path, query };
}

/** Takes constant time, right or wrong. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** The decoded path, each segment decoded once; null where it is ambiguous. */
export function decodePath(path: string): string | null {
  try {
    const names = path.split('/').map(decodeURIComponent);
    const isPlain = names.every((name) => name !== '' && !/^\.{1,2}$/.test(name) && !/[/\\\0]/.test(name));
    return isPlain ? names.join('/') : null;
  } catch {
    return null;
  }
}
