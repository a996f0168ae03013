/**
 * The id of a run: it stays with the run in another folder, under another name, in another store, and whatever becomes
 * of its rows. A copy of a run has the same id, because nothing in it tells which of the two is the first.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { Settings } from '../stores/port/settings.ts';

const secretSetting = 'callback-secret';

/** The secret of the run, made with its first session. The id is a hash of it, so that it may be shown. */
export async function runSecret(settings: Settings): Promise<string> {
  const known = await settings.get(secretSetting);
  if (known !== null) return known;
  const secret = randomBytes(32).toString('hex');
  await settings.save(secretSetting, secret);
  return secret;
}

/** 16 hex digits; null for a run that has not begun to work, and so has made nothing. */
export async function readRunId(settings: Pick<Settings, 'get'>): Promise<string | null> {
  const secret = await settings.get(secretSetting);
  return secret === null ? null : runIdOf(secret);
}

export function runIdOf(secret: string): string {
  return createHash('sha256').update(`page of ${secret}`).digest('hex').slice(0, 16);
}

/** The id by which reports know the run: of one that has not begun to work that of its folder (absolute). */
export async function reportedRunId(settings: Pick<Settings, 'get'>, out: string): Promise<string> {
  return (await readRunId(settings)) ?? runIdOf(out);
}
