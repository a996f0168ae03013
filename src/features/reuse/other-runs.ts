/** The runs whose videos are taken: they are only read, whether a process works on them or not. */

import { resolve } from 'node:path';
import type { OpenedRun } from '../../app/begin-work.ts';
import { realPath } from '../../app/files/own-files.ts';
import { noRunIn, openToLook, readSavedOptions } from '../../app/output-folder.ts';
import { hasRun } from '../../app/stores.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { shellPath } from '../../text/shell-word.ts';
import { FileDigests, type KnownVideos, type VideoRun } from './known-videos.ts';

/** A run with its options, and who hears what is to be said of other runs. */
export interface ReusingRun extends OpenedRun {
  readonly say: (said: Message) => void;
  /** False for a command that pays nothing. */
  readonly pays: boolean;
}

/** True where rows of this run take known videos. */
export function isReusing({ invocation, options }: Pick<OpenedRun, 'invocation' | 'options'>): boolean {
  return invocation.shared === null && (options.reuse ?? []).length > 0;
}

/** The run itself, as one whose videos its own rows may take. */
export function ownRun({ store, invocation, options }: OpenedRun): VideoRun {
  return { store, root: invocation.out, isOwn: true, quality: options.quality ?? null };
}

/**
 * Adds the videos of the runs that `--reuse` names. Throws `UsageError` where there is none, or only a rehearsal; where nothing
 * is paid for, a folder that was named by an earlier command may be gone by now.
 */
export async function addOtherRuns(videos: KnownVideos, run: ReusingRun): Promise<void> {
  const { invocation, options, say, pays } = run;
  const own = realPath(invocation.out);
  const isNamedNow = invocation.options.reuse !== undefined;
  for (const folder of options.reuse ?? []) {
    const root = resolve(folder);
    if (realPath(root) === own) continue;
    await using store = await lookInto(root, isNamedNow);
    if (store === null) {
      const away = { folder: shellPath(folder) };
      if (pays) throw new UsageError(message('reuse.away', away));
      say(message('reuse.gone', away));
      continue;
    }
    const isRehearsal = (await readSavedOptions(store)).simulate === true;
    if (isRehearsal && !options.simulate)
      throw new UsageError(message('refused.reused-rehearsal', { folder: shellPath(folder) }));
    await addVideos(videos, { store, root, isOwn: false, quality: null });
  }
}

/** What to say where nothing is paid for: folders of `--reuse` in which there is no run any more. */
export async function awayNotes(run: Pick<OpenedRun, 'invocation' | 'options'>): Promise<readonly Message[]> {
  const notes: Message[] = [];
  for (const folder of isReusing(run) ? (run.options.reuse ?? []) : []) {
    if (!(await hasRun(folder))) notes.push(message('reuse.gone', { folder: shellPath(folder) }));
  }
  return notes;
}

async function lookInto(root: string, isNamedNow: boolean) {
  const store = await openToLook(root).catch((error: unknown) => {
    if (isNamedNow) throw error;
    return null;
  });
  if (store === null && isNamedNow) throw noRunIn(root);
  return store;
}

/** Adds what the rows of a run have. */
export async function addVideos(videos: KnownVideos, run: VideoRun): Promise<void> {
  const digests = new FileDigests(run.store);
  for await (const row of run.store.checkpoint.reportRows()) await videos.add(run, row, digests);
}
