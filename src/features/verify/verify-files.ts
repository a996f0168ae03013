/** Compares the files on disk with the checkpoint, and downloads damaged or missing ones again. */

import { lookIntoRun, openExistingRun, openTree } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { optionsOfRun } from '../../app/output-folder.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { RunSetup } from '../../app/session.ts';
import { timeOf } from '../../app/system-clock.ts';
import { type ReportInUse, writeReports } from '../../reports/write-report.ts';
import type { OnProgress } from '../../stores/counted.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { checkFiles, countedItems, type FileCheck, type FileNews, mendedBy } from '../inspect/check-files.ts';

/** Checks the files, even during a run, and changes nothing; `report` receives each file that differs from the checkpoint. */
export async function verifyFiles(
  given: Invocation,
  report: (news: FileNews) => void,
  onProgress: OnProgress,
): Promise<FileCheck> {
  await using opened = await lookIntoRun(given);
  await using tree = await openTree(opened);
  const { checkpoint, reviews } = opened.store;
  const preferred = await reviews.standing();
  return await checkFiles(await countedItems(checkpoint, onProgress), tree.tree, report, { preferred });
}

/** A repair, with the caller's decisions. */
export interface Fixing<T> {
  readonly invocation: Invocation;
  /** Receives each file that differs from the checkpoint. */
  report(news: FileNews): void;
  /** Hears of the check, row by row. */
  readonly onProgress: OnProgress;
  /** Receives the result of the check; nothing is changed when it returns false. */
  agree(check: FileCheck): Promise<boolean>;
  /** Downloads the wanted files. */
  session(setup: RunSetup): Promise<T>;
}

/** The result of a repair. */
export interface Fixed<T> {
  /** True when damaged or missing files remain. */
  readonly isLacking: boolean;
  /** Files that were damaged or missing and could be downloaded again, and how many of them were. */
  readonly wanted: number;
  readonly fetched: number;
  /** The result of the session; null when nothing had to be downloaded. */
  readonly session: T | null;
  /** Of the reports that were written without a session. */
  readonly inUse: readonly ReportInUse[];
}

/** Downloads damaged and missing files again, free of charge. Null when the caller declined. */
export async function fixFiles<T>(fixing: Fixing<T>): Promise<Fixed<T> | null> {
  const { report, agree, session, onProgress } = fixing;
  await using opened = await openExistingRun(fixing.invocation, false);
  const { store, invocation } = opened;
  const { checkpoint } = store;
  await using outputs = await openTree(opened);
  const { tree } = outputs;
  const preferred = await store.reviews.standing();
  const check = await checkFiles(await countedItems(checkpoint, onProgress), tree, report, { preferred });
  if (!(await agree(check))) return null;
  const { findings, back, lasting } = check;
  const isWanting = findings.some(({ damaged }) => damaged.length > 0);
  // Without downloads no key is needed.
  const options = isWanting ? await optionsOfRun(invocation, store) : null;
  await store.checkSound();
  const at = await timeOf(store);
  await checkpoint.commit(findings.map((finding) => mendedBy(finding, at)));
  // Files that an earlier fix could not download are wanted, and no longer damaged.
  if (!isWanting && !(await isWaiting(checkpoint))) {
    const inUse = back === 0 ? [] : await writeReports(checkpoint, tree, await reportFacts(opened, false));
    return { isLacking: lasting > 0, wanted: 0, fetched: 0, session: null, inUse };
  }
  const ended = await session({
    submits: false,
    invocation,
    options: options ?? (await optionsOfRun(invocation, store)),
    store,
  });
  const isLacking = lasting > 0 || (await isWaiting(checkpoint));
  return { isLacking, ...(await countFetched(checkpoint, check)), session: ended, inUse: [] };
}

async function countFetched(
  checkpoint: Checkpoint,
  { findings }: FileCheck,
): Promise<Pick<Fixed<unknown>, 'wanted' | 'fetched'>> {
  let wanted = 0;
  let fetched = 0;
  for (const { item, damaged } of findings) {
    if (damaged.length === 0) continue;
    const now = (await checkpoint.itemWithKey(item.key))?.artifacts ?? [];
    wanted += damaged.length;
    fetched += damaged.filter(({ kind, ordinal }) =>
      now.some((file) => file.kind === kind && file.ordinal === ordinal && file.state === 'saved'),
    ).length;
  }
  return { wanted, fetched };
}

/** True while files of completed tasks are wanted. */
async function isWaiting(checkpoint: Checkpoint): Promise<boolean> {
  const { counts } = await checkpoint.ledger();
  return counts.downloading + counts.undelivered > 0;
}
