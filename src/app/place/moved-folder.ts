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
import type { Invocation } from '../options/invocation.ts';
import type { Options } from '../options/options.ts';
import { readSetting } from '../output-folder.ts';
import { storeIn } from '../stores.ts';

const settingName = 'place';

/** The same for a run that machines share. */
const databaseName = 'database';

/** Receives what changed, and returns whether to continue. */
export type AskPlace = (news: Message) => Promise<boolean>;

/** Follows the news when the user cannot be asked. */
export const placeAdvice = message('moved.advice');

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
): Promise<Message | null> {
  if (shared === null) return folderNews(settings, out, outShown);
  const [then, now] = [await settings.get(databaseName), await sharing?.database()];
  if (then === null || !now || then === now) return null;
  return several([message('moved.database', { run: shellWord(shared.run) }), danger]);
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

/** Saves the place of the run, once the user has agreed to pay for rows there. */
export async function notePlace(
  { settings, sharing }: Placed,
  { out, shared }: Pick<Invocation, 'out' | 'shared'>,
): Promise<void> {
  const name = shared === null ? settingName : databaseName;
  const place = shared === null ? JSON.stringify(readFolderPlace(out)) : await sharing?.database();
  if (place && (await settings.get(name)) !== place) await settings.save(name, place);
}
