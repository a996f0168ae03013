/** The pause that the service asked for belongs to the run: the row that was refused may be edited, or leave the file. */

import { fixed } from '../money/policy.ts';
import type { Change } from './port/checkpoint.ts';

/** The setting with the end of the pause (epoch ms). */
export const askedPauseSetting = 'askedPause';

/** Until when the refusals among these changes ask to wait (epoch ms); 0 where none does. */
export function askedPause(changes: readonly Change[]): number {
  const asked = changes.map(({ before, after }) =>
    after.notBefore === before.notBefore ? 0 : after.notBefore,
  );
  return Math.max(0, ...asked);
}

const until = (value: string): string => `CAST(${value} AS bigint)`;

/**
 * Saves the pause that the rest of the statement selects, unless a longer one is running. One longer than any that is kept was
 * saved before the clock was set back.
 */
export const saveAskedPause = (selected: string): string => `
  INSERT INTO settings AS s (name, value) ${selected}
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
  WHERE ${until('s.value')} NOT BETWEEN ${until('excluded.value')} AND ${until('excluded.value')} + ${fixed.retryAfterMaxMs}`;

export const readAskedPause = `SELECT ${until('value')} AS at FROM settings WHERE name = '${askedPauseSetting}'`;
