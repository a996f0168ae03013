/** Two copies of an output folder would each pay for the rows that wait: one that was copied or moved is asked about first. */

import { readFolderPlace } from '../adapters/folder-place.ts';
import { comparePlaces, type FolderPlace, type PlaceChange } from '../core/folder-place.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { Settings, Store } from '../store.ts';
import type { Options } from './options.ts';
import { readSetting } from './output-folder.ts';
import type { Invocation } from './settings.ts';
import { storeIn } from './stores.ts';

const settingName = 'place';

/** Hears what is different, and says whether to go on all the same. */
export type AskPlace = (news: string) => Promise<boolean>;

/** Stands behind the news where nobody can be asked. */
export const placeAdvice = 'if no run is going in the other one, use --moved';

/**
 * True when rows of this folder may be paid for: it is where it was when that was last done, or nobody knows, or the user agrees
 * to it as it is.
 */
export async function mayPayHere(
  { settings }: Pick<Store, 'settings'>,
  { out, outShown }: Pick<Invocation, 'out' | 'outShown'>,
  { moved }: Options,
  ask: AskPlace,
): Promise<boolean> {
  const news = moved ? null : await placeNews(settings, out, outShown);
  return news === null || (await ask(news));
}

/** What is to be said of a folder that was copied or moved since rows of it were last paid for; null where it was not. */
export async function placeNews(settings: Settings, out: string, outShown: string): Promise<string | null> {
  const then = await readSetting<FolderPlace>(settings, settingName);
  // A folder of an earlier version says nothing.
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

/** Remembers that the run is here now, once it is agreed that rows are paid for. */
export async function notePlace(settings: Settings, out: string): Promise<void> {
  const place = JSON.stringify(readFolderPlace(out));
  if ((await settings.get(settingName)) !== place) await settings.save(settingName, place);
}
