/** Reads the Retry-After header: seconds, or an HTTP date in any of its three legal forms. */

/** How long a server asks to wait (ms); `unclear` where it asks in words that cannot be read, null where it does not ask. */
export type AskedPause = number | 'unclear' | null;

const second = 1_000;
const day = 86_400 * second;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const zone = '(?:gmt|utc?|[+-]0000)';
const dateForms = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^[a-z]{3}, (?<day>\\d{2}) (?<month>[a-z]{3}) (?<year>\\d{4}) ${time} ${zone}$`, 'i'),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^[a-z]+day, (?<day>\\d{2})-(?<month>[a-z]{3})-(?<year>\\d{2}) ${time} ${zone}$`, 'i'),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`, 'i'),
];

/** Days from 1970-01-01 to a day of the Gregorian calendar; years are counted from March, so that a leap day ends one. */
export function daysSinceEpoch(year: number, month: number, dayOfMonth: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + dayOfMonth - 719_469;
}

/** Epoch ms of an HTTP date, or null. A two-digit year is never more than 50 years from `now`. */
function parseHttpDate(text: string, now: number): number | null {
  const parts = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return null;
  const { year = '', month = '', day: dayOfMonth = '', hour = '', minute = '', second: seconds = '' } = parts;
  const monthNumber = months.indexOf(month.toLowerCase()) + 1;
  if (monthNumber === 0 || Number(dayOfMonth) < 1 || Number(dayOfMonth) > 31) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 60) return null;
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(seconds)) * second;
  const inYear = (fullYear: number) =>
    daysSinceEpoch(fullYear, monthNumber, Number(dayOfMonth)) * day + timeMs;
  if (year.length === 4) return inYear(Number(year));
  const thisCentury = inYear(2000 + Number(year));
  return thisCentury > now + 50 * 365.25 * day ? inYear(1900 + Number(year)) : thisCentury;
}

/** Between values of a list; a date has a comma too. */
const comma = new RegExp(`,(?!\\s*\\d{2}[ -](?:${months.join('|')}))`, 'i');

const seconds = /^(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?$/i;

/** The longest pause that a header asks for, from `now` (epoch ms on the clock of its sender). */
export function parseRetryAfter(header: string | null, now: number): AskedPause {
  const words = (header ?? '').split(comma).map((word) => word.trim());
  const asked = words.flatMap((word) => {
    const [, count] = seconds.exec(word) ?? [];
    if (count !== undefined) return [Math.min(Math.ceil(Number(count)) * second, Number.MAX_SAFE_INTEGER)];
    const at = parseHttpDate(word, now);
    return at === null ? [] : [Math.max(0, at - now)];
  });
  if (asked.length > 0) return Math.max(...asked);
  return words.join('') === '' ? null : 'unclear';
}
