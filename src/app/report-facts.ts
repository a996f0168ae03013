/** The facts about a run that its reports show. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LimitCourse } from '../money/limit-steps.ts';
import { pauseAt } from '../money/steering.ts';
import { pictureFolder } from '../outputs/pictures/picture-folder.ts';
import type { ReportFacts } from '../reports/write-report.ts';
import { limitCourseSetting } from '../stores/port/settings.ts';
import { programName } from '../text/run-words.ts';
import { sharedPlace } from './open-run.ts';
import { withSaved } from './options/settings.ts';
import { standardSource } from './options/standard-input.ts';
import { readSavedOptions, readSetting } from './output-folder.ts';
import { pageAssets } from './page-assets.ts';
import { findLocalPictures } from './pictures/picture-links.ts';
import type { ReportedRun } from './run-handles.ts';
import { reportedRunId } from './run-id.ts';
import { readSteering } from './steering/steering-source.ts';
import { systemClock } from './system-clock.ts';

/** The current facts. */
export async function reportFacts(run: ReportedRun, running: boolean): Promise<ReportFacts> {
  const { store, invocation } = run;
  const { out, outShown, shared } = invocation;
  const place = await sharedPlace(invocation);
  const pictures = place?.sharedPictures(run) ?? {
    readPicture: (sha256: string) => pictureFolder(out).read(sha256),
    findPictures: findLocalPictures(out, out),
  };
  const name = await reportedRunId(store.settings, out);
  const options = withSaved(invocation, await readSavedOptions(store));
  const cap = options['max-points'] ?? null;
  const course = await readSetting<LimitCourse>(store.settings, limitCourseSetting);
  const now = systemClock.now();
  const pause = pauseAt((await readSteering(store)).pause, now);
  return {
    out: outShown,
    title: shared?.run ?? (await fileTitle(run)) ?? basename(out),
    folder: out,
    run: name,
    writtenAt: now,
    running,
    ...(course === null ? {} : { concurrency: course.steps }),
    ...(pause === null ? {} : { pause }),
    ...(cap === null ? {} : { cap }),
    ...(options.simulate ? { rehearsal: true } : {}),
    ...(shared === null ? {} : { shared: shared.run }),
    ...(programName() === 'batch' ? {} : { program: programName() }),
    assets: pageAssets(),
    wantsWorkbook: options.report === 'xlsx',
    marks: () => store.reviews.marks(),
    // Elsewhere it would take a request for each video.
    ...(shared === null ? { hasFile: (path: string) => existsSync(join(out, path)) } : {}),
    ...pictures,
  };
}

/** The name of the file whose rows the run has; null for standard input. */
async function fileTitle({ store }: ReportedRun): Promise<string | null> {
  const [source] = await store.checkpoint.sources();
  return source === undefined || source.file === standardSource ? null : basename(source.file);
}
