/** Two copies of an output folder would each pay for the pending rows, so the user must confirm a copied or moved one. */

import { readFolderPlace } from '../adapters/folder-place.ts';
import { comparePlaces, type FolderPlace, type PlaceChange } from '../core/folder-place.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { Settings, Store } from '../store.ts';
import type { Options } from './options.ts';
import { readSetting } from './output-folder.ts';
import type { Invocation } from './settings.ts';
import { storeIn } from './stores.ts';

const settingName = 'place';

/** Receives what changed, and returns whether to continue. */
export type AskPlace = (news: string) => Promise<boolean>;

/** Follows the news when the user cannot be asked. */
export const placeAdvice = 'if no run is going in the other one, use --moved';

/**
 * True when rows of this folder may be paid for: it is where it was at the last payment, its earlier place is unknown, or
 * the user agrees.
 */
export async function mayPayHere(
  { settings }: Pick<Store, 'settings'>,
  { out, outShown, shared }: Pick<Invocation, 'out' | 'outShown' | 'shared'>,
  { moved }: Options,
  ask: AskPlace,
): Promise<boolean> {
  // A store knows its processes, wherever they are.
  const news = moved || shared !== null ? null : await placeNews(settings, out, outShown);
  return news === null || (await ask(news));
}

/** How the folder was copied or moved since its rows were last paid for, for people; null when it was not. */
export async function placeNews(settings: Settings, out: string, outShown: string): Promise<string | null> {
  const then = await readSetting<FolderPlace>(settings, settingName);
  // Earlier versions did not save the place.
  if (then === null) return null;
  const change = comparePlaces(then, readFolderPlace(out));
  if (change === null) return null;
  return `${shellPath(outShown)} ${await wordsOf(change, then)}; a run in each would pay twice for the waiting rows`;
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
  settings: Settings,
  { out, shared }: Pick<Invocation, 'out' | 'shared'>,
): Promise<void> {
  if (shared !== null) return;
  const place = JSON.stringify(readFolderPlace(out));
  if ((await settings.get(settingName)) !== place) await settings.save(settingName, place);
}
