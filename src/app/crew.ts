/** Who works on a shared run. */

import type { Store, WorkerMark } from '../store.ts';

/** The workers at one moment. */
export interface SeenCrew {
  readonly workers: readonly WorkerMark[];
  /** Epoch ms by the clock of the store. */
  readonly now: number;
}

/** Null for a run in a folder. Processes that work on no row are left out: an import, a command that looks. */
export async function readCrew({ sharing }: Pick<Store, 'sharing'>): Promise<SeenCrew | null> {
  if (sharing === null) return null;
  const workers = await sharing.workers();
  return { workers: workers.filter(({ scratch }) => scratch !== null), now: await sharing.now() };
}
