/** Who is let in: who asks this machine by its own name, and knows the word in the path. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a request is answered with at the gate, or the rest of its path, as it was sent. */
export type Admission =
  | { readonly refusal: 403 | 404 | 405 }
  /** The path ends after the word: the page lies one slash further. */
  | { readonly refusal: 308 }
  | { readonly refusal: null; readonly path: string; readonly query: string };

/** Judges a request from its head alone. */
export function admit(request: IncomingMessage, port: number, token: string): Admission {
  // A page of another site can have its own name point to this machine; the browser then sends that name.
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const hosts = names.map((name) => `${name}:${port}`);
  // The port that a browser asks by itself is the one it does not name.
  if (port === 80) hosts.push(...names);
  if (!hosts.includes((request.headers.host ?? '').toLowerCase())) return { refusal: 403 };
  if (request.method !== 'GET' && request.method !== 'HEAD') return { refusal: 405 };
  const [, word = '', slash, path = '', query = ''] =
    /^\/([^/?]*)(?:(\/)([^?]*))?(?:\?(.*))?$/s.exec(request.url ?? '') ?? [];
  if (!isSame(word, token)) return { refusal: 404 };
  return slash === undefined ? { refusal: 308 } : { refusal: null, path, query };
}

/** Takes as long for a wrong word as for the right one. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** The path a request means, each name decoded once; null for what could mean more than one name says. */
export function decodePath(path: string): string | null {
  try {
    const names = path.split('/').map(decodeURIComponent);
    const isPlain = names.every((name) => name !== '' && !/^\.{1,2}$/.test(name) && !/[/\\\0]/.test(name));
    return isPlain ? names.join('/') : null;
  } catch {
    return null;
  }
}
