/** Times as statements have them. One without a zone is of this machine's, or of one that the user names. */

/** A time as it is written. */
interface WrittenTime {
  /** Epoch ms. */
  readonly at: number;
  /** How long (ms) what is written lasts. */
  readonly span: number;
  /** What it shows, as if it were of UTC (epoch ms); null where its zone is known. */
  readonly wall: number | null;
}

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const date = String.raw`(?<year>\d{4})\s*[-/.年]\s*(?<month>\d{1,2})\s*[-/.月]\s*(?<date>\d{1,2})\s*日?`;
const clock = String.raw`(?<hour>\d{1,2})\s*[:时時]\s*(?<minute>\d{1,2})(?:\s*[:分]\s*(?<second>\d{1,2})(?:[.,](?<part>\d{1,9}))?)?\s*[分秒]?`;
const zone = String.raw`(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})`;
const written = new RegExp(
  `^${date}(?:[T\\s,]*(?<early>上午|下午)?\\s*${clock}\\s*(?<late>[AP]M)?)?\\s*${zone}?$`,
  'i',
);

/** Null where the text is no time that can be told for sure. `ahead` (ms) is the zone of a time that names none; null: this machine's. */
export function readTime(text: string, ahead: number | null = null): WrittenTime | null {
  const plain = text.normalize('NFKC').trim();
  if (/^\d{10}$/.test(plain)) return { at: Number(plain) * second, span: second, wall: null };
  if (/^\d{13}$/.test(plain)) return { at: Number(plain), span: 1, wall: null };
  const { groups } = written.exec(plain) ?? {};
  if (groups === undefined) return null;
  const [year, month, dayOfMonth] = [groups.year, groups.month, groups.date].map(Number) as [
    number,
    number,
    number,
  ];
  const hours = hourOf(Number(groups.hour ?? 0), groups.early ?? groups.late);
  const ms = Math.floor(Number(`0.${groups.part ?? 0}`) * second);
  const parts = [
    year,
    month - 1,
    dayOfMonth,
    hours,
    Number(groups.minute ?? 0),
    Number(groups.second ?? 0),
    ms,
  ];
  const [, , , , minutes, seconds] = parts as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return null;
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const span = spanOf(groups);
  const shown = Date.UTC(...(parts as Parts));
  const known = groups.zone === undefined ? ahead : aheadOf(groups.zone);
  if (known !== null) return { at: shown - known, span, wall: null };
  return { at: new Date(...(parts as Parts)).getTime(), span, wall: shown };
}

type Parts = [number, number, number, number, number, number, number];

/** How far (ms) a zone such as `+08:00` is ahead of UTC. */
function aheadOf(written: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(written) ?? [];
  const ahead = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * minute;
  return sign === '-' ? -ahead : ahead;
}

/** `UTC`, or hours such as `+8` and `+05:30`, in ms; null for anything else. */
export function readZone(text: string): number | null {
  const found = /^(?:UTC|GMT|Z)?(?:([+-])(\d{1,2})(?::?([0-5]\d))?)?$/i.exec(text.trim());
  const [written = '', sign = '+', hours = '0', minutes = '00'] = found ?? [];
  if (written === '' || Number(hours) > 14) return null;
  return aheadOf(`${sign}${hours.padStart(2, '0')}:${minutes}`);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12) return hour;
  return (hour % 12) + (/下午|pm/i.test(half) ? 12 : 0);
}

function spanOf({ hour, second: seconds, part }: Readonly<Record<string, string | undefined>>): number {
  if (hour === undefined) return day;
  if (seconds === undefined) return minute;
  return part === undefined ? second : 1;
}

/** Makes days at this machine, `2026-11-27`, of times (epoch ms): each once, for a statement has few of them. */
export function createDays(): (at: number) => string {
  const known = new Map<string, string>();
  return (at) => {
    const name = dayOf(at);
    const first = known.get(name) ?? name;
    known.set(name, first);
    return first;
  };
}

function dayOf(at: number): string {
  const time = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
