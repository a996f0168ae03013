/** The facts about a run that its reports show. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pictureFolder } from '../adapters/file-output-tree/picture-folder.ts';
import { pageAssets } from '../adapters/page-assets.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { LimitCourse } from '../core/limit-steps.ts';
import { pauseAt } from '../core/steering.ts';
import type { ReportFacts } from '../report/write-report.ts';
import { limitCourseSetting, type Store } from '../store.ts';
import { readSavedOptions, readSetting } from './output-folder.ts';
import { readRunId, runIdOf } from './run-id.ts';
import { type Invocation, withSaved } from './settings.ts';
import { readSteering } from './steering.ts';

/** What is reported. */
export interface ReportedRun {
  readonly store: Store;
  readonly invocation: Pick<Invocation, 'out' | 'outShown' | 'options' | 'shared' | 'env'>;
}

/** The current facts. */
export async function reportFacts(run: ReportedRun, running: boolean): Promise<ReportFacts> {
  const { store, invocation } = run;
  const { out, outShown, shared } = invocation;
  const pictures =
    shared === null
      ? { readPicture: (sha256: string) => pictureFolder(out).read(sha256) }
      : (await import('./shared-place.ts')).sharedPictures(run);
  const name = (await readRunId(store.settings)) ?? runIdOf(out);
  const options = withSaved(invocation, await readSavedOptions(store));
  const cap = options['max-points'] ?? null;
  const course = await readSetting<LimitCourse>(store.settings, limitCourseSetting);
  const now = systemClock.now();
  const pause = pauseAt((await readSteering(store)).pause, now);
  return {
    out: outShown,
    folder: out,
    run: name,
    writtenAt: now,
    running,
    ...(course === null ? {} : { concurrency: course.steps }),
    ...(pause === null ? {} : { pause }),
    ...(cap === null ? {} : { cap }),
    ...(options.simulate ? { rehearsal: true } : {}),
    ...(shared === null ? {} : { shared: shared.run }),
    assets: pageAssets(),
    wantsWorkbook: options.report === 'xlsx',
    marks: () => store.reviews.marks(),
    // Elsewhere it would take a request for each video.
    ...(shared === null ? { hasFile: (path: string) => existsSync(join(out, path)) } : {}),
    ...pictures,
  };
}
