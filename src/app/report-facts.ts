/** The facts about a run that its reports show. */

import type { LimitCourse } from '../money/breakers/limit-steps.ts';
import { pauseAt } from '../money/steering.ts';
import type { ReportFacts } from '../reports/write-report.ts';
import { limitCourseSetting } from '../stores/port/settings.ts';
import { programName } from '../text/run-words.ts';
import { readInputWords } from './offers/saved-input.ts';
import { placeOf } from './open-run.ts';
import { withSaved } from './options/settings.ts';
import { readSavedOptions, readSetting } from './output-folder.ts';
import { pageAssets } from './page-assets.ts';
import { orderedRowsOf } from './rounds/round.ts';
import type { ReportedRun } from './run-handles.ts';
import { reportedRunId } from './run-id.ts';
import { readSteering } from './steering/steering-source.ts';
import { systemClock } from './system-clock.ts';
import { readWatchSample } from './watch-sample.ts';

/** The current facts. */
export async function reportFacts(run: ReportedRun, running: boolean): Promise<ReportFacts> {
  const { store, invocation } = run;
  const { out, outShown } = invocation;
  const place = await placeOf(invocation);
  const name = await reportedRunId(store.settings, out);
  const options = withSaved(invocation, await readSavedOptions(store));
  const cap = options['max-points'] ?? null;
  const course = await readSetting<LimitCourse>(store.settings, limitCourseSetting);
  const ordered = running ? await orderedRowsOf(store) : null;
  const input = await readInputWords(store);
  const now = systemClock.now();
  const sample = await readWatchSample(store);
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
    ...(input === null ? {} : { input }),
    ...(ordered === null ? {} : { ordered }),
    ...(sample === null ? {} : { sample }),
    ...(options.simulate ? { rehearsal: true } : {}),
    ...(programName() === 'batch' ? {} : { program: programName() }),
    assets: pageAssets(),
    wantsWorkbook: options.report === 'xlsx',
    marks: () => store.reviews.marks(),
    ...(await place.facts(run)),
    ...place.pictures(run, out),
  };
}
