/** Tasks that an earlier process received and could not record: its disk was full, or its store was away. */

import { syncFolderNow } from '../outputs/directory-sync.ts';
import { type LateTaskStore, saveLateTasks } from '../runner/late-answers/late-tasks.ts';
import { openIdJournal, readIdJournal } from '../stores/id-journal.ts';

/** Saves those of this folder, and empties its journal of them. */
export async function adoptJournal(folder: string, store: LateTaskStore, now: number): Promise<void> {
  const kept = readIdJournal(folder);
  if (kept.length === 0) return;
  const saved = await saveLateTasks(store, kept, now);
  using journal = openIdJournal(folder, syncFolderNow);
  journal.forget(saved);
}
