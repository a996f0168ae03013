/** Numbers, times and durations in the reader's language. */

import type { Language } from '../../text/languages.ts';
import { roughMs } from '../../text/rough-time.ts';
import { currentLanguage } from './words.ts';

interface Formats {
  readonly number: Intl.NumberFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
  readonly shortTime: Intl.DateTimeFormat;
  readonly seconds: Intl.DateTimeFormat;
}

const known = new Map<Language, Formats>();

/** Creating a format takes longer than a thousand uses. */
function formats(): Formats {
  const language = currentLanguage();
  const found = known.get(language) ?? createFormats(language);
  known.set(language, found);
  return found;
}

/** International English, days before months; times are in the reader's time zone. */
function createFormats(language: Language): Formats {
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  return {
    number: new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }),
    clock: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
    time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
    shortTime: new Intl.DateTimeFormat(locale, {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
    seconds: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  };
}

/** A number, with at most two decimals. */
export function formatNumber(value: number): string {
  return formats().number.format(value);
}

/** Epoch ms as day and time to the second. */
export function formatTime(at: number): string {
  return formats().time.format(at);
}

/** Epoch ms as day and time to the minute. */
export function formatShortTime(at: number): string {
  return formats().shortTime.format(at);
}

/** A shorter run is a matter of seconds. */
const shortRunMs = 600_000;

/** Both ends of an axis of time (epoch ms): to the second where they are close. */
export function formatEnds(from: number, to: number): readonly [from: string, to: string] {
  const isShort = to - from < shortRunMs;
  const format = (at: number): string => (isShort ? formats().seconds.format(at) : formatShortTime(at));
  return [format(from), format(to)];
}

/** A time (epoch ms) soon after `now`: without the day where it is the same. */
export function formatMoment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? formats().clock.format(at) : formatShortTime(at);
}

/** An estimate in seconds, as `roughMs` rounds it. */
export function formatRough(seconds: number): string {
  return formatDuration(roughMs(seconds * 1_000) / 1_000);
}

/** Seconds as people write them: `3.2 s`, `41 s`, `3 min 20 s`, `1 h 12 min`. */
export function formatDuration(seconds: number): string {
  const isChinese = currentLanguage() === 'zh';
  const units = isChinese ? { s: '秒', min: '分', h: '小时' } : { s: 's', min: 'min', h: 'h' };
  if (seconds < 10) return `${formatNumber(Math.round(seconds * 10) / 10)} ${units.s}`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} ${units.s}`;
  if (whole < 3600) return joined(Math.floor(whole / 60), units.min, whole % 60, units.s);
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), units.h, minutes % 60, units.min);
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${formatNumber(large)} ${largeUnit}`;
  return small === 0 ? first : `${first} ${small} ${smallUnit}`;
}
