/** The facts about a run that its reports show. */

import { createHash } from 'node:crypto';
import { pictureFolder } from '../adapters/file-output-tree/picture-folder.ts';
import { pageAssets } from '../adapters/page-assets.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { LimitCourse } from '../core/limit-steps.ts';
import { pauseAt } from '../core/steering.ts';
import type { ReportFacts } from '../report/write-report.ts';
import { limitCourseSetting, type Settings } from '../store.ts';
import { readSavedOptions, readSetting } from './output-folder.ts';
import { type Invocation, withSaved } from './settings.ts';
import { readSteering } from './steering.ts';

/** The current facts. */
export async function reportFacts(
  settings: Settings,
  invocation: Pick<Invocation, 'out' | 'outShown' | 'options'>,
  running: boolean,
): Promise<ReportFacts> {
  const { out, outShown } = invocation;
  const name = await runName(settings, out);
  const { report } = withSaved(invocation, await readSavedOptions({ settings }));
  const course = await readSetting<LimitCourse>(settings, limitCourseSetting);
  const now = systemClock.now();
  const pause = pauseAt((await readSteering({ settings })).pause, now);
  return {
    out: outShown,
    folder: out,
    run: name,
    writtenAt: now,
    running,
    ...(course === null ? {} : { concurrency: course.steps }),
    ...(pause === null ? {} : { pause }),
    assets: pageAssets(),
    wantsWorkbook: report === 'xlsx',
    readPicture: (sha256) => pictureFolder(out).read(sha256),
  };
}

/** The same for all pages of a run: a hash of the run's secret, or of the folder's path before there is one. */
async function runName(settings: Settings, out: string): Promise<string> {
  const seed = (await settings.get('callback-secret')) ?? out;
  return createHash('sha256').update(`page of ${seed}`).digest('hex').slice(0, 16);
}
