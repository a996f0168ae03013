/**
 * Notices that the store of a shared run went back in time: a database restored from a backup, or a standby that lagged
 * behind, knows fewer creations than its processes saw. Rows paid for since then are pending in it, so nothing is
 * submitted until the user has looked them up and says so.
 */

import type { StoreMemory } from '../runner/shared-run.ts';
import type { Settings, Store } from '../store.ts';
import { readSetting } from './output-folder.ts';
import type { Scratch } from './scratch.ts';

const settingName = 'older-store';

/** What processes found, as saved in the store for all of them. */
interface Finding {
  /** Creations that the store has forgotten, and when nobody submits because of them. */
  readonly missing: number;
  readonly isSettled: boolean;
}

const nothing: Finding = { missing: 0, isSettled: true };

async function readFinding(settings: Settings): Promise<Finding> {
  return (await readSetting<Finding>(settings, settingName)) ?? nothing;
}

/** `known`: the most creations that a process on this machine has seen in the store. */
export function storeMemory(
  settings: Settings,
  known: number,
  scratch: Pick<Scratch, 'noteCreations'>,
): StoreMemory {
  let most = known;
  let forgotten = 0;
  return {
    get least() {
      return most - forgotten;
    },
    async check(creations) {
      const found = await readFinding(settings);
      const now = creations + found.missing;
      if (now > most) {
        most = now;
        scratch.noteCreations(most);
      }
      const missing = found.missing + most - now;
      forgotten = missing;
      if (missing > found.missing)
        await settings.save(settingName, JSON.stringify({ missing, isSettled: false }));
      else if (found.isSettled) return null;
      return `the store has forgotten ${missing} creations that were sent: it is an older copy. Look their tasks up in the log (batch.log) of each worker and in your account, name each with \`batch resolve ID --task-id T\`, then \`batch resolve --accept-store\``;
    },
  };
}

/** True while the store has forgotten creations, and the user has not settled them. */
export async function hasForgotten(settings: Settings): Promise<boolean> {
  return !(await readFinding(settings)).isSettled;
}

/** The user has settled what the store forgot. Returns how many creations that were; 0 where there was nothing to settle. */
export async function acceptStore({ settings }: Pick<Store, 'settings'>): Promise<number> {
  const found = await readFinding(settings);
  if (found.isSettled) return 0;
  await settings.save(settingName, JSON.stringify({ ...found, isSettled: true }));
  return found.missing;
}
