import { sqliteStoreIn } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { PlaceUnderTest } from '../../support/store-contract/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The place of a run in a new folder. */
export async function openPlace(): Promise<PlaceUnderTest> {
  const folder = await temporaryFolder();
  return {
    place: sqliteStoreIn(folder.path, { pid: process.pid, now: Date.now, isRunning: () => false }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
