/**
 * Two copies of an output folder, or of the database of a shared run, would each pay for the pending rows, so the user
 * must confirm a copied or moved one.
 */

import { comparePlaces, type FolderPlace, type PlaceChange } from '../../files/folder-place.ts';
import { type Message, message, several } from '../../messages/message.ts';
import { readFolderPlace } from '../../outputs/folder-place.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath, shellWord } from '../../text/shell-word.ts';
import { readSetting } from '../output-folder.ts';
import { sharingOf } from '../scratch.ts';
import { storeIn } from '../stores.ts';

const settingName = 'place';

/** The same for a run that machines share. */
const databaseName = 'database';

/** Receives what changed, and returns whether to continue. */
export type AskPlace = (news: Message) => Promise<boolean>;

/** Follows the news when the user cannot be asked. */
export const placeAdvice = message('moved.advice');

/** How the database of a shared run was copied or moved; null when it was not. */
export async function databaseNews(store: Store, run: string): Promise<Message | null> {
  const then = await store.settings.get(databaseName);
  const now = await sharingOf(store).database(then);
  if (then === null || now === null || now.isSame) return null;
  return several([message('moved.database', { run: shellWord(run) }), danger]);
}

const danger = message('moved.danger');

/** How the folder was copied or moved since its rows were last paid for, for people; null when it was not. */
export async function folderNews(settings: Settings, out: string, outShown: string): Promise<Message | null> {
  const then = await readSetting<FolderPlace>(settings, settingName);
  if (then === null) return null;
  const change = comparePlaces(then, readFolderPlace(out));
  if (change === null) return null;
  return several([await changeNews(change, shellPath(outShown), then.path), danger]);
}

async function changeNews(change: PlaceChange, folder: string, path: string): Promise<Message> {
  if (change === 'other-machine') return message('moved.machine', { folder, path });
  if (change === 'renamed') return message('moved.renamed', { folder, path });
  if (change === 'replaced') return message('moved.replaced', { folder });
  const isThere = await storeIn(path)
    .exists()
    .catch(() => false);
  return message(isThere ? 'moved.copy' : 'moved.either', { folder, path });
}

export async function noteFolder({ settings }: Store, out: string): Promise<void> {
  await note(settings, settingName, JSON.stringify(readFolderPlace(out)));
}

export async function noteDatabase(store: Store): Promise<void> {
  await note(store.settings, databaseName, (await sharingOf(store).database(null))?.name ?? null);
}

async function note(settings: Settings, name: string, place: string | null): Promise<void> {
  if (place && (await settings.get(name)) !== place) await settings.save(name, place);
}
