/** Removes secrets from text, by value, before it reaches a message, a log or a report. */

/** Returns the text without its secrets. Applying it twice changes nothing more. */
export type Redact = (text: string) => string;

const mark = '[secret]';

/** A secret shorter than this may also occur inside ordinary words. */
const shortLength = 8;

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const entityNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Hex digits, in either case. */
function hex(code: number, length = 1): string {
  const digits = code.toString(16).padStart(length, '0');
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** The spellings of one character: plain, in JSON (also nested in JSON), in an address, in HTML. */
function spelledLetter(letter: string): string {
  const code = Number(letter.codePointAt(0));
  const plain = letter === '\\' ? '\\\\{1,8}' : escapeForRegExp(letter);
  const bytes = [...new TextEncoder().encode(letter.toWellFormed())];
  const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at));
  const name = entityNames[letter];
  return [
    /["/]/.test(letter) ? `\\\\{0,8}${plain}` : plain,
    bytes.map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join(''),
    units.map((unit) => `\\\\{1,4}u${hex(unit, 4)}`).join(''),
    `&(?:#0{0,5}${code}|#[xX]0{0,5}${hex(code)}${name === undefined ? '' : `|${name}`});`,
  ].join('|');
}

/**
 * What may come between two letters of a long secret that is wrapped or disguised: line breaks and invisible
 * characters.
 */
const unseen = '\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff';
const gap = `(?:(?:[${unseen}]|\\\\{1,4}(?:[nrt]|u00[01][0-9a-fA-F])){1,4} {0,8})?`;

function pattern(secret: string): string {
  const letters = [...secret].map((letter) => `(?:${spelledLetter(letter)})`);
  return secret.length < shortLength
    ? `(?<![\\p{L}\\p{N}_])${letters.join('')}(?![\\p{L}\\p{N}_])`
    : letters.join(gap);
}

/** Base64 of a text that contains the secret, without the end letters that depend on its neighbours. */
function base64Patterns(secret: string): string[] {
  if (secret.length < 2 * shortLength || /[^\x00-\x7f]/.test(secret)) return [];
  return [0, 1, 2].map((shift) => {
    const letters = btoa(' '.repeat(shift) + secret);
    const whole = letters.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + secret.length) * 8) / 6));
    return whole.replace(/[+/]/g, (letter) => (letter === '+' ? '(?:[+-]|%2[bB])' : '(?:[/_]|%2[fF])'));
  });
}

/** A scheme and what precedes the host, plain or percent-encoded. */
const scheme = '(?:https?|wss?|ftps?|socks\\w{0,3})(?::|%3a)(?:\\\\{0,8}/|%2f){2}';

/**
 * The whole address is matched and cut in code: a pattern that searches for the `?` itself is quadratic on
 * `http://http://…`.
 */
const address = new RegExp(`(?:${scheme}|(?<=^|[\\s"'(<>])\\\\{0,8}/)(?:[^\\s"'<>\\\\]|\\\\+[/u])*`, 'gi');
const isWhole = new RegExp(`^${scheme}`, 'i');
const credentials = new RegExp(`^(${scheme})(?:(?!%2f|%3f|%23)[^/\\\\?#])*(?:@|%40)`, 'i');

/** A query that signs: the path before it may also hold a key or a token. */
const signed = /sig|token|expire|credential|auth|policy|[-_]key/i;

/** An address with only the last segment of its path. */
function shortened(place: string): string {
  const start = /^[a-z]+(?::|%3a)(?:\\{0,8}\/|%2f){2}/i.exec(place)?.[0].length ?? 0;
  const separators = [...place.slice(start).matchAll(/\\{0,8}\/|%2f/gi)];
  const [first, last] = [separators[0], separators.at(-1)];
  if (start === 0 || first === undefined || last === undefined || first === last) return place;
  return `${place.slice(0, start + first.index)}${first[0]}…${place.slice(start + last.index)}`;
}

/** A bare path is cut only where it certainly has a query; an address at any `?`. */
function cutAddress(url: string): string {
  const query = url.search(isWhole.test(url) ? /\?|%3f/i : /\?(?=[\w.~%-]+=)(?=[^?]*=[^?&]{6})/);
  const place = query === -1 ? url : url.slice(0, query);
  const shown = query === -1 ? url : `${signed.test(url.slice(query)) ? shortened(place) : place}?…`;
  return shown.replace(credentials, `$1${mark}@`);
}

/**
 * A signature without its address: only a value that mixes letters and digits, because `token=3` and `signature=valid`
 * are ordinary words in a question. Also the unguessable end of a callback path.
 */
const bareSignature =
  /\b((?:x-[a-z]+-)?(?:signature|credential|security-token)|sig|(?:access_|auth_)?token|auth_key)(=|%3d)(?!\[secret\])(?=[^\s"'<>&]{0,40}[a-z])(?=[^\s"'<>&]{0,40}\d)(?:(?!%26)[^\s"'<>&\\]){6,}/gi;
const callbackToken = /(callback(?:\\{0,8}\/|%2f)\d{1,15}-)[0-9a-f]{32}/gi;

/** What finds the secrets, however they are spelled; null where there are none. */
function valuesOf(secrets: readonly string[]): RegExp | null {
  const known = [...new Set(secrets.filter((secret) => secret.trim() !== ''))];
  // Longest first: otherwise a secret that is the prefix of another would leave its tail behind.
  known.sort((a, b) => b.length - a.length);
  const patterns = [...known.map(pattern), ...known.flatMap(base64Patterns)];
  return patterns.length === 0 ? null : new RegExp(patterns.join('|'), 'gu');
}

/** Tells texts that hold one of the secrets: those in which `createRedact` would replace it. */
export function createFinder(secrets: readonly string[]): (text: string) => boolean {
  const values = valuesOf(secrets);
  return (text) => values !== null && text.search(values) !== -1;
}

/**
 * Replaces every secret with `[secret]`, however it is spelled: JSON-escaped, percent-encoded, as HTML entities, in
 * base64, wrapped over lines. Cuts the query and credentials of every address, and the value of a bare signature. A
 * secret of fewer than 8 characters is replaced only where no letter or digit touches it, so that ordinary words stay
 * readable; empty ones are ignored.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const values = valuesOf(secrets);
  return (text) => {
    const withoutValues = values === null ? text : text.replace(values, mark);
    // Every match contains one of these, and few other texts do: this check saves four fifths of the time.
    if (!/[/%=]/.test(withoutValues)) return withoutValues;
    return withoutValues
      .replace(address, cutAddress)
      .replace(bareSignature, `$1$2${mark}`)
      .replace(callbackToken, `$1${mark}`);
  };
}
