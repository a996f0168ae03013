/** Compares the files on disk with the checkpoint, and downloads damaged or missing ones again. */

import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { writeReports } from '../report/write-report.ts';
import type { Checkpoint } from '../store.ts';
import { checkFiles, type FileCheck, type FileNews, mendedBy } from './check-files.ts';
import { lookIntoFolder, openExistingFolder, optionsOfRun } from './output-folder.ts';
import { reportFacts } from './report-facts.ts';
import type { RunSetup } from './run-session.ts';
import type { Invocation } from './settings.ts';

/** Looks only, also while a run goes on; `told` hears of each file that is not as the checkpoint says. */
export async function verifyFiles(
  { out }: Pick<Invocation, 'out'>,
  told: (news: FileNews) => void,
): Promise<FileCheck> {
  await using store = await lookIntoFolder(out);
  return await checkFiles(
    store.checkpoint.filedItems(),
    await openFileOutputTree(out, systemClock.now),
    told,
  );
}

/** What is to be downloaded again, by whoever begins it. */
export interface Fixing<T> {
  readonly invocation: Invocation;
  /** Hears of each file that is not as the checkpoint says. */
  told(news: FileNews): void;
  /** Hears what the look came to; nothing is changed when it says no. */
  agree(check: FileCheck): Promise<boolean>;
  /** Fetches what is wanted. */
  session(setup: RunSetup): Promise<T>;
}

/** What came of it. */
export interface Fixed<T> {
  /** True where files are damaged or missing that nothing fetches again, or that could not be fetched. */
  readonly isLacking: boolean;
  /** What the session returned; null where nothing was to be fetched. */
  readonly session: T | null;
}

/** Downloads damaged and missing files again, free of charge. Null when it was not agreed to. */
export async function fixFiles<T>(fixing: Fixing<T>): Promise<Fixed<T> | null> {
  const { invocation, told, agree, session } = fixing;
  await using store = await openExistingFolder(invocation.out);
  const { checkpoint } = store;
  const tree = await openFileOutputTree(invocation.out, systemClock.now);
  const check = await checkFiles(checkpoint.filedItems(), tree, told);
  if (!(await agree(check))) return null;
  const { findings, back, lasting } = check;
  const isWanting = findings.some(({ damaged }) => damaged.length > 0);
  // Where nothing is to be fetched nobody needs a key.
  const options = isWanting ? await optionsOfRun(invocation, store) : null;
  await store.checkSound();
  const at = systemClock.now();
  await checkpoint.commit(findings.map((finding) => mendedBy(finding, at)));
  // What an earlier fix could not get is wanted still, and no damage any more.
  if (!isWanting && !(await isWaiting(checkpoint))) {
    if (back > 0) await writeReports(checkpoint, tree, await reportFacts(store.settings, invocation, false));
    return { isLacking: lasting > 0, session: null };
  }
  const ended = await session({
    submits: false,
    invocation,
    options: options ?? (await optionsOfRun(invocation, store)),
    store,
  });
  return { isLacking: lasting > 0 || (await isWaiting(checkpoint)), session: ended };
}

/** True while files are wanted of tasks that the service completed. */
async function isWaiting(checkpoint: Checkpoint): Promise<boolean> {
  const { counts } = await checkpoint.ledger();
  return counts.downloading + counts.undelivered > 0;
}
