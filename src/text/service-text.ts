/** Makes foreign text fit for a report: whole characters, no control codes, no secrets, limited length. */

import type { Redact } from './redact.ts';

/** Longest text kept of each kind, in UTF-16 units. */
export const textLimits = { failure: 2_000, title: 500, label: 100, excerpt: 200 } as const;

/** How much of a page is read for an excerpt. */
const excerptSource = 4_000;

/**
 * The text without NUL and control characters (line feed and tab stay), well-formed, redacted and at most `limit` long.
 * Redacted before it is cut: half a secret would go unrecognized.
 */
export function cleanText(text: string, limit: number, redact: Redact): string {
  const plain = text.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  const safe = redact(plain).trim();
  return safe.length <= limit ? safe : `${safe.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** One short line of the text of an unexpected page, each part of it once and without its markup; '' for none. */
export function excerpt(page: string, redact: Redact): string {
  const words = redact(page)
    .slice(0, excerptSource)
    .replace(/<(script|style)\b[^<]*/gi, ' ')
    .split(/<[^<>]*>?/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '');
  const parts = [...new Set(words)];
  // A title says `503 Service Unavailable`, and the heading below it the same without the number.
  const said = parts.filter(
    (part) => !parts.some((other) => other !== part && ` ${other} `.includes(` ${part} `)),
  );
  return cleanText(said.join(' '), textLimits.excerpt, redact);
}
