/** Assembles the live page of a run from the checkpoint, the files and the follower of the run. */

import { readCrew } from '../../app/fleet/crew.ts';
import { placeOf } from '../../app/open-run.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { OpenRun, ShownOutputs } from '../../app/run-handles.ts';
import { systemClock } from '../../app/system-clock.ts';
import { pagePolicy } from '../../reports/page-shell.ts';
import { RunFollower } from './follow-run.ts';
import { type MarkDesk, saveMark, saveSample } from './save-marks.ts';
import { mayShow } from './show-file.ts';
import { showImage } from './show-image.ts';
import type { ViewContent } from './view-server.ts';

/**
 * The content of the page. `failed` receives a `UsageError` when the run is no longer there. What reviewers do is saved at the
 * `desk`; null where the page only shows it. `confidence` is that of what is said of a sample (0..1).
 */
export async function openLivePage(
  { store, invocation }: OpenRun,
  outputs: ShownOutputs,
  failed: (error: unknown) => void,
  desk: Omit<MarkDesk, 'store'> | null = null,
  confidence?: number,
): Promise<ViewContent> {
  const facts = async () => {
    const crew = await readCrew(store);
    const workers = crew?.workers.filter(({ isAlive }) => isAlive).length;
    return {
      ...(await reportFacts({ store, invocation }, false)),
      ...(workers === undefined ? {} : { workers }),
      ...(desk === null ? {} : { review: true, reviewer: desk.reviewer }),
      ...(confidence === undefined ? {} : { confidence }),
    };
  };
  const { assets, hasFile } = await facts();
  const watch = await store.openWatch();
  const follower = new RunFollower({
    watch,
    clock: systemClock,
    facts,
    assets,
    failed,
    ...(hasFile === undefined ? {} : { hasFile }),
  });
  const { layout } = await placeOf(invocation);
  return {
    policy: pagePolicy(assets, true),
    page: () => follower.page(),
    openFile: async (path) => ((await mayShow(watch, path, layout)) ? outputs.openFile(path) : null),
    image: (key, field, index) => showImage(watch, outputs.images, { key, field, index }),
    marks: () => watch.reviews.marks(),
    desk:
      desk === null
        ? null
        : {
            saveMark: (id, body) => saveMark({ ...desk, store }, id, body),
            saveSample: (body) => saveSample({ ...desk, store }, body),
          },
    join: (listener, since) => follower.join(listener, since),
    failed,
  };
}
