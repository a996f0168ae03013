/** Two copies of an output folder would each pay for the rows that wait: one that was copied or moved is asked about first. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFolderPlace } from '../adapters/folder-place.ts';
import { checkpointName, parseSaved } from '../adapters/sqlite/database.ts';
import type { SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { comparePlaces, type FolderPlace, type PlaceChange } from '../core/folder-place.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { Options } from './options.ts';
import type { Invocation } from './settings.ts';

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
  checkpoint: SqliteCheckpoint,
  { out, outShown }: Pick<Invocation, 'out' | 'outShown'>,
  { moved }: Options,
  ask: AskPlace,
): Promise<boolean> {
  const news = moved ? null : placeNews(checkpoint, out, outShown);
  return news === null || (await ask(news));
}

/** What is to be said of a folder that was copied or moved since rows of it were last paid for; null where it was not. */
export function placeNews(checkpoint: SqliteCheckpoint, out: string, outShown: string): string | null {
  const saved = checkpoint.setting(settingName);
  // One of an earlier version says nothing.
  if (saved === null) return null;
  const then: FolderPlace = parseSaved(checkpointName, saved);
  const change = comparePlaces(then, readFolderPlace(out));
  if (change === null) return null;
  return `${shellPath(outShown)} ${wordsOf(change, then)}; a run in each would pay twice for the waiting rows`;
}

function wordsOf(change: PlaceChange, { path }: FolderPlace): string {
  if (change === 'other-machine') return `was last run on another computer, as ${path}`;
  if (change === 'renamed') return `was last run as ${path}`;
  if (change === 'replaced') return 'is not the folder that was last run here, but a copy of it';
  const isThere = existsSync(join(path, checkpointName));
  return isThere ? `is a copy of ${path}, which is still there` : `was copied or moved from ${path}`;
}

/** Remembers that the run is here now, once it is agreed that rows are paid for. The caller has waited for `sound`. */
export function notePlace(checkpoint: SqliteCheckpoint, out: string): void {
  const place = JSON.stringify(readFolderPlace(out));
  if (checkpoint.setting(settingName) !== place) checkpoint.saveSetting(settingName, place);
}
