/** The expiry time of a signed link, read from the link in the forms that object stores use; never saved. */

import { daysSinceEpoch } from '../money/answers/retry-after.ts';

const second = 1_000;
const day = 86_400 * second;

/**
 * Epoch ms at which the link says it expires; null where it does not say. Only a hint: clocks differ, and hosts end
 * links early.
 */
export function linkExpiry(url: string): number | null {
  const query = readQuery(url);
  return signedFor(query) ?? lastSecond(query) ?? readTime(query.get('se')) ?? lastOfSpan(query);
}

/** Names in lower case; the first of duplicates wins. */
function readQuery(url: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const pair of (/\?([^#]*)/.exec(url)?.[1] ?? '').split('&')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const key = name.toLowerCase();
    if (!query.has(key)) query.set(key, decoded(value));
  }
  return query;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * `X-Amz-Date` and `X-Amz-Expires`, and the equivalents of Google, Alibaba, Volcengine and others: the signing time,
 * and a lifetime in seconds.
 */
function signedFor(query: ReadonlyMap<string, string>): number | null {
  for (const [name, value] of query) {
    const [, vendor] = /^x-([a-z]+)-date$/.exec(name) ?? [];
    const seconds = query.get(`x-${vendor}-expires`) ?? '';
    const signedAt = readTime(value);
    if (vendor !== undefined && signedAt !== null && /^\d{1,9}$/.test(seconds))
      return signedAt + Number(seconds) * second;
  }
  return null;
}

/** `Expires=1767225600`, in seconds or milliseconds. Shorter numbers may be anything: a duration, a version. */
function lastSecond(query: ReadonlyMap<string, string>): number | null {
  const number = query.get('expires') ?? query.get('expire') ?? query.get('exp') ?? query.get('e') ?? '';
  if (/^[1-9]\d{9}$/.test(number)) return Number(number) * second;
  return /^[1-9]\d{12}$/.test(number) ? Number(number) : null;
}

/** `q-sign-time=FROM;TO`, in seconds, as Tencent signs. */
function lastOfSpan(query: ReadonlyMap<string, string>): number | null {
  const end = /^\d{10};([1-9]\d{9})$/.exec(query.get('q-sign-time') ?? '')?.[1];
  return end === undefined ? null : Number(end) * second;
}

/** `20260101T000000Z` and `2026-01-01T00:00:00Z`: UTC, in the two forms of ISO 8601. */
function readTime(text: string | undefined): number | null {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?:\.\d+)?Z$/.exec(text ?? '');
  if (parts === null) return null;
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, seconds = 0] = parts.slice(1).map(Number);
  return daysSinceEpoch(year, month, dayOfMonth) * day + ((hour * 60 + minute) * 60 + seconds) * second;
}
