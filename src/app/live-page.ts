/** Assembles the live page of a run from the checkpoint, the files and the follower of the run. */

import { openSavedFile } from '../adapters/file-output-tree/saved-file.ts';

import { systemClock } from '../adapters/system-clock.ts';
import { type ShownFile, shownFile } from '../adapters/view-server/answer-file.ts';
import type { ViewContent } from '../adapters/view-server.ts';
import type { ImageFiles } from '../ports.ts';
import { pagePolicy } from '../report/page.ts';
import { RunFollower } from '../view/follow-run.ts';
import { mayShow } from '../view/show-file.ts';
import { showImage } from '../view/show-image.ts';
import { readCrew } from './crew.ts';
import type { OpenRun } from './open-run.ts';
import { reportFacts } from './report-facts.ts';
import { imagesOf } from './run-images.ts';
import { type MarkDesk, saveMark } from './save-marks.ts';

/** The files that a live page shows. */
export interface ShownOutputs extends AsyncDisposable {
  readonly openFile: ViewContent['openFile'];
  readonly images: ImageFiles;
}

/** Opens them: in the output folder, or wherever the outputs of a shared run are. */
export async function openShownOutputs(opened: OpenRun): Promise<ShownOutputs> {
  const { shared, out } = opened.invocation;
  if (shared !== null) return (await import('./shared-place.ts')).openSharedOutputs(opened);
  return {
    images: imagesOf(out),
    openFile: (path) => openShownFile(out, path),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A file of an output folder. */
export async function openShownFile(folder: string, path: string): Promise<ShownFile | null> {
  const handle = await openSavedFile(folder, path);
  return handle === null ? null : shownFile(handle);
}

/**
 * The content of the page. `failed` receives a `UsageError` when the run is no longer there. Marks are saved at the
 * `desk`; null where the page only shows them.
 */
export async function openLivePage(
  { store, invocation }: OpenRun,
  outputs: ShownOutputs,
  failed: (error: unknown) => void,
  desk: Omit<MarkDesk, 'checkpoint'> | null = null,
): Promise<ViewContent> {
  const facts = async () => {
    const crew = await readCrew(store);
    const workers = crew?.workers.filter(({ isHeard }) => isHeard).length;
    return {
      ...(await reportFacts({ store, invocation }, false)),
      ...(workers === undefined ? {} : { workers }),
      ...(desk === null ? {} : { review: true, reviewer: desk.reviewer }),
    };
  };
  const { assets, hasFile } = await facts();
  const watch = await store.openWatch();
  const follower = new RunFollower({
    ...{ watch, clock: systemClock, facts, assets, failed },
    ...(hasFile === undefined ? {} : { hasFile }),
  });
  const layout = invocation.shared === null ? 'by-item' : 'by-attempt';
  return {
    policy: pagePolicy(assets, true),
    page: () => follower.page(),
    openFile: async (path) => ((await mayShow(watch, path, layout)) ? outputs.openFile(path) : null),
    image: (key, field, index) => showImage(watch, outputs.images, { key, field, index }),
    marks: () => watch.reviews.marks(),
    saveMark:
      desk === null ? null : (id, body) => saveMark({ ...desk, checkpoint: store.checkpoint }, id, body),
    join: (listener, since) => follower.join(listener, since),
    failed,
  };
}
