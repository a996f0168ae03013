/**
 * Two copies of an output folder, or of the database of a shared run, would each pay for the pending rows, so the user
 * must confirm a copied or moved one.
 */

import { readFolderPlace } from '../adapters/folder-place.ts';
import { comparePlaces, type FolderPlace, type PlaceChange } from '../core/folder-place.ts';
import { shellPath, shellWord } from '../core/text/shell-word.ts';
import type { Settings, Store } from '../store.ts';
import type { Options } from './options.ts';
import { readSetting } from './output-folder.ts';
import type { Invocation } from './settings.ts';
import { storeIn } from './stores.ts';

const settingName = 'place';

/** The same for a run that machines share. */
const databaseName = 'database';

/** Receives what changed, and returns whether to continue. */
export type AskPlace = (news: string) => Promise<boolean>;

/** Follows the news when the user cannot be asked. */
export const placeAdvice = 'if no run is going in the other one, use --moved';

type Placed = Pick<Store, 'settings' | 'sharing'>;

/**
 * True when rows of this run may be paid for: it is where it was at the last payment, its earlier place is unknown, or
 * the user agrees.
 */
export async function mayPayHere(
  store: Placed,
  invocation: Pick<Invocation, 'out' | 'outShown' | 'shared'>,
  { moved }: Options,
  ask: AskPlace,
): Promise<boolean> {
  const news = moved ? null : await placeNews(store, invocation);
  return news === null || (await ask(news));
}

/** How the run was copied or moved since its rows were last paid for, for people; null when it was not. */
export async function placeNews(
  { settings, sharing }: Placed,
  { out, outShown, shared }: Pick<Invocation, 'out' | 'outShown' | 'shared'>,
): Promise<string | null> {
  if (shared === null) return folderNews(settings, out, outShown);
  const [then, now] = [await settings.get(databaseName), await sharing?.database()];
  if (then === null || !now || then === now) return null;
  return `the run ${shellWord(shared.run)} was last run in another database; ${danger}`;
}

const danger = 'a run in each would pay twice for the waiting rows';

/** How the folder was copied or moved since its rows were last paid for, for people; null when it was not. */
export async function folderNews(settings: Settings, out: string, outShown: string): Promise<string | null> {
  const then = await readSetting<FolderPlace>(settings, settingName);
  // Earlier versions did not save the place.
  if (then === null) return null;
  const change = comparePlaces(then, readFolderPlace(out));
  if (change === null) return null;
  return `${shellPath(outShown)} ${await wordsOf(change, then)}; ${danger}`;
}

async function wordsOf(change: PlaceChange, { path }: FolderPlace): Promise<string> {
  if (change === 'other-machine') return `was last run on another computer, as ${path}`;
  if (change === 'renamed') return `was last run as ${path}`;
  if (change === 'replaced') return 'is not the folder that was last run here, but a copy of it';
  const isThere = await storeIn(path)
    .exists()
    .catch(() => false);
  return isThere ? `is a copy of ${path}, which is still there` : `was copied or moved from ${path}`;
}

/** Saves the place of the run, once the user has agreed to pay for rows there. */
export async function notePlace(
  { settings, sharing }: Placed,
  { out, shared }: Pick<Invocation, 'out' | 'shared'>,
): Promise<void> {
  const name = shared === null ? settingName : databaseName;
  const place = shared === null ? JSON.stringify(readFolderPlace(out)) : await sharing?.database();
  if (place && (await settings.get(name)) !== place) await settings.save(name, place);
}
