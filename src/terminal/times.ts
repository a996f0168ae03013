/** Times as people read them: `1 h 12 min`, `14:32`. */

import { roughMs } from '../text/rough-time.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Each unit with the next smaller one. */
const units = [
  { ms: day, name: 'd', rest: { ms: hour, name: 'h' } },
  { ms: hour, name: 'h', rest: { ms: minute, name: 'min' } },
  { ms: minute, name: 'min', rest: { ms: second, name: 's' } },
] as const;

const unitNames = { d: 'd', h: 'h', min: 'min', s: 's' };

/** A time span (ms) in at most two units, rounded down: `41 s`, `3 min 20 s`, `2 d 3 h`. `names` are the units'. */
export function renderSpan(ms: number, names: Readonly<typeof unitNames> = unitNames): string {
  const unit = units.find((one) => ms >= one.ms);
  if (unit === undefined) return `${Math.floor(Math.max(0, ms) / second)} ${names.s}`;
  const rest = Math.floor((ms % unit.ms) / unit.rest.ms);
  const more = rest === 0 ? '' : ` ${rest} ${names[unit.rest.name]}`;
  return `${Math.floor(ms / unit.ms)} ${names[unit.name]}${more}`;
}

/** An estimate of a time span (ms), as `roughMs` rounds it. */
export function renderRough(ms: number): string {
  return renderSpan(roughMs(ms));
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Local hours and minutes (`at`: epoch ms). */
export function renderTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', clock);
}

/** A future time as seen from `now` (both epoch ms): `14:32`, `Tue 14:32`, `3 Mar 14:32`. */
export function renderMoment(at: number, now: number, locale = 'en-GB'): string {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return renderTime(at);
  const date: Intl.DateTimeFormatOptions =
    at - now < 6 * day ? { weekday: 'short' } : { day: 'numeric', month: 'short' };
  return `${new Date(at).toLocaleDateString(locale, date)} ${renderTime(at)}`;
}
