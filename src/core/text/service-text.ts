/** Text that somebody else wrote, made fit for a report: whole characters, no control codes, no secrets, an end. */

import type { Redact } from './redact.ts';

/** Longest text kept of each kind, in UTF-16 units. */
export const textLimits = { failure: 2_000, title: 500, label: 100, excerpt: 200 } as const;

/** How much of a page is looked at for an excerpt of it. */
const excerptSource = 4_000;

/**
 * The text without NUL and control characters (line feed and tab stay), well-formed, redacted and at most `limit`
 * long. Redacted before it is cut: half a secret would not be recognised any more.
 */
export function cleanText(text: string, limit: number, redact: Redact): string {
  const plain = text.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  const safe = redact(plain).trim();
  return safe.length <= limit ? safe : `${safe.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** One short line of what an unexpected page says, without its markup; '' when it says nothing. */
export function excerpt(page: string, redact: Redact): string {
  const words = redact(page)
    .slice(0, excerptSource)
    .replace(/<(script|style)\b[^<]*/gi, ' ')
    .replace(/<[^<>]*>?/g, ' ')
    .replace(/\s+/g, ' ');
  return cleanText(words, textLimits.excerpt, redact);
}
