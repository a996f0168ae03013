/** Takes secrets out of text, by value, before it reaches a message, a log or a report. */

/** Returns the text without its secrets. Applying it twice changes nothing more. */
export type Redact = (text: string) => string;

const mark = '[secret]';

/** Below this length a secret is also a piece of ordinary words. */
const shortLength = 8;

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The ways one secret may be spelled in a text: as it is, inside JSON, inside an address. */
function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [secret, json, json.replaceAll('/', '\\/'), encoded];
}

function pattern(spelling: string): string {
  // Percent-encoding may write its hex digits in either case.
  const literal = escapeForRegExp(spelling).replace(/%[0-9A-F]{2}/g, (code) =>
    code.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`),
  );
  return spelling.length < shortLength ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal;
}

/** The whole address is matched and cut in code: a pattern that looks for the `?` itself is quadratic on `http://http://…`. */
const address = /https?:\\?\/\\?\/[^\s"'<>]*/gi;

function cutAddress(url: string): string {
  const query = url.indexOf('?');
  const shown = query === -1 ? url : `${url.slice(0, query)}?…`;
  return shown.replace(/^(https?:\\?\/\\?\/)[^/\\?#@]*@/i, `$1${mark}@`);
}

/**
 * Replaces every secret with `[secret]`, also where it is JSON-escaped or percent-encoded, and cuts the query and
 * the credentials of every http(s) address. A secret of fewer than 8 characters is replaced only where no letter or
 * digit touches it, so that ordinary words stay readable; empty ones are ignored.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets.filter((secret) => secret.trim() !== '').flatMap(spellings))];
  // Longest first: otherwise a secret that starts with another one would leave its tail behind.
  known.sort((a, b) => b.length - a.length);
  const values = known.length === 0 ? null : new RegExp(known.map(pattern).join('|'), 'gu');
  return (text) => {
    const withoutValues = values === null ? text : text.replace(values, mark);
    return withoutValues.replace(address, cutAddress);
  };
}
