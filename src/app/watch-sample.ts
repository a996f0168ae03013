/** The rows drawn to learn how good the others are: saved with the run, and what their marks say so far. */

import { attemptVideos } from '../money/artifacts.ts';
import { mayReplace, readSample, type SampleBody } from '../money/review/sample-wire.ts';
import {
  type DrawnFacts,
  type DrawnRow,
  drawnKeys,
  drawnRow,
  isMadeAgain,
  type SampleStanding,
  standingOfSample,
  type WatchSample,
} from '../money/review/watch-sample.ts';
import { asStanding } from '../money/standing-attempt.ts';
import type { ReportRow, RunWatch } from '../stores/port/reading.ts';
import type { Settings } from '../stores/port/settings.ts';
import type { Store } from '../stores/port/store.ts';
import type { SavedSettings } from './output-folder.ts';

/** A `WatchSample` as JSON. */
const settingName = 'watch-sample';

/** Rows read at a time. */
const pageRows = 500;

/** The sample of the run; null where none was drawn. */
export async function readWatchSample({ settings }: SavedSettings): Promise<WatchSample | null> {
  const text = await settings.get(settingName);
  return text === null ? null : readSample(text);
}

/**
 * False where another one was saved meanwhile. Throws `UsageError` where the run is elsewhere. `now` is the time of the store
 * (epoch ms): with a clock that is ahead of it, rows that are made again soon would not look so.
 */
export async function saveWatchSample(
  settings: Pick<Settings, 'get' | 'replace'>,
  { sample: drawn, instead }: SampleBody,
  now: number,
): Promise<boolean> {
  const sample = { ...drawn, at: Math.min(drawn.at, now) };
  const before = await settings.get(settingName);
  const saved = before === null ? null : readSample(before);
  if (!mayReplace(saved, { sample, instead })) return false;
  return settings.replace({ [settingName]: before }, { [settingName]: JSON.stringify(sample) });
}

/** What the sample says now; null where none was drawn. */
export async function readSampleStanding(
  store: Pick<Store, 'settings' | 'openWatch'>,
  confidence: number,
): Promise<SampleStanding | null> {
  const sample = await readWatchSample(store);
  if (sample === null) return null;
  const watch = await store.openWatch();
  const drawn = await drawnRows(watch, sample);
  return standingOfSample(sample, drawn, confidence, await othersAgain(watch, sample));
}

/** Rows that are not drawn, and were made again since. */
async function othersAgain(
  watch: Pick<RunWatch, 'marks' | 'reportRowsOf'>,
  sample: WatchSample,
): Promise<number> {
  const drawn = new Set(drawnKeys(sample));
  let count = 0;
  for await (const page of watch.marks()) {
    const keys = page.filter(({ key, attempt }) => attempt > 1 && !drawn.has(key)).map(({ key }) => key);
    const rows = keys.length === 0 ? [] : await watch.reportRowsOf(keys);
    count += rows.filter((row) => isMadeAgain(factsOf(row), sample.at)).length;
  }
  return count;
}

async function drawnRows(watch: Pick<RunWatch, 'reportRowsOf'>, sample: WatchSample): Promise<DrawnRow[]> {
  const keys = drawnKeys(sample);
  const known = new Map<number, DrawnRow>();
  for (let at = 0; at < keys.length; at += pageRows)
    for (const row of await watch.reportRowsOf(keys.slice(at, at + pageRows)))
      known.set(row.item.key, drawnRow(factsOf(row), sample));
  return keys.map((key) => known.get(key) ?? { verdict: null, before: null });
}

/** Also of a row that left the input or is being made again: the video that stands for it is the one that was seen. */
function factsOf(row: ReportRow): DrawnFacts {
  const { attempt, submittedAt } = asStanding(row).item;
  return {
    standing: attempt,
    submittedAt,
    attempts: attemptVideos(row.item).map((video) => video.attempt),
    marks: row.marks,
    draft: row.final?.draft ?? null,
  };
}
