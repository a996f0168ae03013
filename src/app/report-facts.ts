/** The facts about a run that its reports show. */

import { createHash } from 'node:crypto';
import { pictureFolder } from '../adapters/file-output-tree/picture-folder.ts';
import { pageAssets } from '../adapters/page-assets.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { LimitCourse } from '../core/limit-steps.ts';
import type { ReportFacts } from '../report/write-report.ts';
import { limitCourseSetting, type Settings } from '../store.ts';
import { readSavedOptions, readSetting } from './output-folder.ts';
import { type Invocation, withSaved } from './settings.ts';

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
  return {
    out: outShown,
    folder: out,
    run: name,
    writtenAt: systemClock.now(),
    running,
    ...(course === null ? {} : { concurrency: course.steps }),
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
