/** Assembles the live page of a run from the checkpoint, the files and the follower of the run. */

import { openSavedFile } from '../adapters/file-output-tree/saved-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { ViewContent } from '../adapters/view-server.ts';
import { pagePolicy } from '../report/page.ts';
import type { Store } from '../store.ts';
import { RunFollower } from '../view/follow-run.ts';
import { mayShow } from '../view/show-file.ts';
import { showImage } from '../view/show-image.ts';
import { reportFacts } from './report-facts.ts';
import { imagesOf } from './run-images.ts';
import type { Invocation } from './settings.ts';

/** The content of the page. `failed` receives a `UsageError` when the folder no longer holds the run. */
export async function openLivePage(
  store: Store,
  { out, outShown }: Pick<Invocation, 'out' | 'outShown'>,
  failed: (error: unknown) => void,
): Promise<ViewContent> {
  const facts = () => reportFacts(store.settings, { out, outShown }, false);
  const { assets } = await facts();
  const watch = await store.openWatch();
  const images = imagesOf(out);
  const follower = new RunFollower({ watch, clock: systemClock, facts, assets, failed });
  return {
    policy: pagePolicy(assets, true),
    page: () => follower.page(),
    openFile: async (path) => ((await mayShow(watch, path)) ? openSavedFile(out, path) : null),
    image: (key, field, index) => showImage(watch, images, { key, field, index }),
    join: (listener, since) => follower.join(listener, since),
    failed,
  };
}
