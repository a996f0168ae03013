/** The faults the embedded service can simulate, and when they happen. */

import { seededRandom } from './seeded-random.ts';

/** Every fault, in the order in which a question meets them. */
export const faultNames = [
  'capacity',
  'rate-limit',
  'busy',
  'refuse',
  'server-error',
  'reset-before',
  'reset-after',
  'garbled',
  'slow',
  'poll-error',
  'unknown-state',
  'vanish',
  'no-video',
  'expired-link',
  'error-page',
  'cut-download',
  'damaged-video',
] as const;
export type FaultName = (typeof faultNames)[number];

/** One sentence per fault, for people. */
export const faultMeaning: Readonly<Record<FaultName, string>> = {
  capacity: 'capacity=N: a creation is answered as by rate-limit while N tasks are open',
  'rate-limit': 'a creation is answered with 429 and Retry-After: 1; no task',
  busy: 'a creation is refused temporarily, with the error envelope (503); no task',
  refuse: 'a creation is refused permanently, with the error envelope; no task',
  'server-error': 'a creation is answered with a bare 502 page; no task',
  'reset-before': 'the connection is reset before the creation is accepted; no task',
  'reset-after': 'the connection is reset after the creation is accepted; the task is made and charged',
  garbled: 'an accepted creation is answered with broken JSON; the task is made and charged',
  slow: 'a creation or a status request is answered three seconds late',
  'poll-error': 'a status request is answered with a bare 503 page',
  'unknown-state': 'a task reports an undocumented state during the second half of its life',
  vanish: 'the service forgets a task halfway; it is never charged',
  'no-video': 'a task is completed and charged, but its result has no video',
  'expired-link': 'the first link to a file has already expired; later ones work',
  'error-page': 'the first download of a video returns an HTML page with status 200',
  'cut-download': 'the first download of a file is cut off halfway',
  'damaged-video': 'a video arrives whole, but it is cut off, far too short, or that of another question',
};

/**
 * Parses one `NAME=RATE` of the command line, RATE as a share (`0.05`) or in percent (`5%`); that of `capacity` is a number
 * of tasks. Null for what is none.
 */
export function parseFault(text: string): { readonly name: FaultName; readonly rate: number } | null {
  const separator = text.indexOf('=');
  const given = (separator < 0 ? text : text.slice(0, separator)).trim();
  const name = faultNames.find((known) => known === given);
  if (name === undefined) return null;
  const written = separator < 0 ? '' : text.slice(separator + 1).trim();
  if (name === 'capacity') return /^[1-9]\d{0,8}$/.test(written) ? { name, rate: Number(written) } : null;
  const rate = parseRate(written);
  return rate === null ? null : { name, rate };
}

/** null where the text is neither a share of 0..1 nor 0..100 %. */
function parseRate(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text);
  if (match === null) return null;
  const rate = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return rate <= 1 ? rate : null;
}

/** Decides whether faults happen, from only the seed, the rate and the subject. */
export interface Faults {
  happens(name: FaultName, ...subject: readonly (string | number)[]): boolean;
  /** Like `happens`, but true at most once for each subject while the service runs. */
  happensOnce(name: FaultName, ...subject: readonly (string | number)[]): boolean;
}

/** `rates` are shares of 0..1 but for that of `capacity`; faults not named never happen. */
export function createFaults(seed: number, rates: ReadonlyMap<FaultName, number>): Faults {
  const spent = new Set<string>();

  function happens(name: FaultName, ...subject: readonly (string | number)[]): boolean {
    const rate = rates.get(name) ?? 0;
    return rate > 0 && seededRandom(seed, name, ...subject) < rate;
  }

  return {
    happens,
    happensOnce(name, ...subject) {
      if (!happens(name, ...subject)) return false;
      const fault = JSON.stringify([name, ...subject]);
      if (spent.has(fault)) return false;
      spent.add(fault);
      return true;
    },
  };
}
