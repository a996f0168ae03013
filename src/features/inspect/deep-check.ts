/** Looks into the videos of a run, also while another process works on it: `batch verify --deep`, `--inspect`. */

import { lookIntoRun, openExistingRun, openTree } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { RunSetup } from '../../app/session.ts';
import { storeIn } from '../../app/stores.ts';
import { HeldError } from '../../errors.ts';
import { attemptVideos, shownFiles } from '../../money/artifacts.ts';
import type { Item, SavedFile } from '../../money/item.ts';
import { networkDisk } from '../../outputs/network-disk.ts';
import { type ReportInUse, writeReports } from '../../reports/write-report.ts';
import type { OnProgress } from '../../stores/counted.ts';
import type { Inspections } from '../../stores/port/reviews.ts';
import { checkFiles, countedItems, type FileCheck, type FileNews } from './check-files.ts';
import { compareVideos, type Suspects } from './compare-videos.ts';
import { openInspector } from './inspect-videos.ts';

/** What was seen of the videos of a run. */
export interface DeepCheck extends Suspects {
  /** Videos that were looked into now; the others were known. */
  readonly looked: number;
  /** What is not installed here, so that less is seen. */
  readonly lacking: readonly string[];
  readonly inUse: readonly ReportInUse[];
}

/** Compares all files with the checkpoint, looks into those videos that are whole, and writes the reports. */
export async function verifyDeep(
  given: Invocation,
  report: (news: FileNews) => void,
  onProgress: OnProgress,
): Promise<{ readonly check: FileCheck; readonly deep: DeepCheck }> {
  await using opened = await lookIntoRun(given);
  await using outputs = await openTree(opened);
  const { checkpoint, reviews } = opened.store;
  await using saved = await openInspections(given);
  await using inspector = await openInspector(opened, saved.inspections);
  const check = await checkFiles(await countedItems(checkpoint, onProgress), outputs.tree, report, {
    preferred: await reviews.standing(),
    whole: async (item, file) => {
      if (videosOf(item).some(({ path }) => path === file.path)) await inspector.inspect(file, true);
    },
  });
  await inspector.flush();
  const suspects = await compareVideos(checkpoint, saved.inspections);
  const inUse = await writeReports(checkpoint, outputs.tree, await reportFacts(opened, opened.isInUse));
  const { looked, lacking } = inspector;
  return { check, deep: { ...suspects, looked, lacking, inUse } };
}

/** The same at the end of a run, for the process that worked on it: videos that nobody has seen yet are compared alone. */
export async function inspectRun(
  { store, invocation }: RunSetup,
  onProgress: OnProgress,
): Promise<DeepCheck> {
  const { checkpoint, inspections } = store;
  const opened = { store, invocation, [Symbol.asyncDispose]: async () => {} };
  await using inspector = await openInspector(opened, inspections);
  for await (const item of await countedItems(checkpoint, onProgress)) {
    for (const file of videosOf(item)) await inspector.inspect(file, false);
  }
  await inspector.flush();
  const suspects = await compareVideos(checkpoint, inspections);
  await using outputs = await openTree(opened);
  const inUse = await writeReports(checkpoint, outputs.tree, await reportFacts(opened, false));
  const { looked, lacking } = inspector;
  return { ...suspects, looked, lacking, inUse };
}

/** The saved videos of all attempts: any of them may be shown one day. */
function videosOf(item: Item): readonly SavedFile[] {
  const { video } = shownFiles(item);
  const files = attemptVideos(item).map(({ file }) => file);
  return [...new Set(video === null ? files : [...files, video])].flatMap(({ path, sizeBytes, sha256 }) =>
    path === null || sizeBytes === null || sha256 === null ? [] : [{ path, sizeBytes, sha256 }],
  );
}

interface OpenInspections extends AsyncDisposable {
  readonly inspections: Inspections;
}

/** Where to save what is seen, without delaying a process that works on the run or is about to. */
async function openInspections(given: Invocation): Promise<OpenInspections> {
  // Two machines that write one SQLite database on a network disk damage it: there the run is locked meanwhile.
  if (given.words.isShared || networkDisk(given.out) !== null) {
    const run = await openExistingRun(given, false);
    return { inspections: run.store.inspections, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() };
  }
  const settings = await storeIn(given.out).openSettings();
  return {
    inspections: settings.inspections,
    async [Symbol.asyncDispose]() {
      await settings[Symbol.asyncDispose]();
      await mergeLog(given);
    },
  };
}

/** The process that has locked the run merges what was written next to it into the checkpoint; without one, this process does. */
async function mergeLog(given: Invocation): Promise<void> {
  try {
    await using _ = await openExistingRun(given, false);
  } catch (error) {
    if (!(error instanceof HeldError)) throw error;
  }
}
