/**
 * The sample of a run: chosen once and saved with it before its first row is sent, so that the same command continues with
 * these rows, and never pays for others.
 */

import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { createSampler } from '../../money/forecast/sample.ts';
import type { Item } from '../../money/item.ts';
import { readSent } from '../../money/sent-question.ts';
import { effectiveQuality } from '../../money/summary.ts';
import type { Store } from '../../stores/port/store.ts';
import type { Options } from '../options/options.ts';
import { readSetting } from '../output-folder.ts';

const settingName = 'sample';

/** As saved: by key, because the ids of rows may change with the file. */
interface SavedSample {
  readonly count: number;
  readonly seed: number;
  readonly keys: readonly number[];
}

/** The rows to submit now, and what to say of them. */
interface ChosenRows {
  readonly options: Options;
  /** Null without `--sample`. */
  readonly note: Message | null;
}

/**
 * The options for a plan: `only` names the sample of the run, and while it has none `limit` is its size. Throws
 * `UsageError` where the run has another sample.
 */
export async function planSample(store: Store, options: Options): Promise<Options> {
  const { sample } = options;
  if (sample === undefined) return options;
  const known = await knownSample(store, options);
  if (known === null) return { ...options, limit: sample };
  return { ...options, only: known.items.map(({ id }) => id) };
}

/** The options with the sample as `only`; chooses and saves it where the run has none. */
export async function drawSample(store: Store, options: Options): Promise<ChosenRows> {
  if (options.sample === undefined) return { options, note: null };
  const before = await knownSample(store, options);
  if (before !== null) return goOn(options, before.items);
  const { keys, rows, strata } = await chooseRows(store, options, options.sample);
  const seed = seedOf(options);
  const saved: SavedSample = { count: options.sample, seed, keys };
  // On another machine the same command may have chosen meanwhile: its sample counts, or two would be paid for.
  if (keys.length > 0 && !(await saveFirst(store, saved))) {
    const first = await knownSample(store, options);
    if (first !== null) return goOn(options, first.items);
  }
  const items = await itemsOf(store, keys);
  const note = message('sample.chosen', { count: keys.length, rows, groups: strata, seed });
  return { options: { ...options, only: items.map(({ id }) => id) }, note };
}

/** True for a run with a sample, none of whose rows waits any more. */
export async function isSampleSubmitted(store: Pick<Store, 'checkpoint' | 'settings'>): Promise<boolean> {
  const saved = await readSetting<SavedSample>(store.settings, settingName);
  return saved !== null && (await waitingSample(store)) === null;
}

/** A sample some of whose rows wait. */
export interface WaitingSample {
  /** Its size. */
  readonly count: number;
  /** Ids of its rows. */
  readonly ids: readonly string[];
}

/** The run's sample while some of its rows wait; null for none. */
export async function waitingSample(
  store: Pick<Store, 'checkpoint' | 'settings'>,
): Promise<WaitingSample | null> {
  const saved = await readSetting<SavedSample>(store.settings, settingName);
  if (saved === null) return null;
  const items = await itemsOf(store, saved.keys);
  const isWaiting = items.some(({ status }) => status === 'pending');
  return isWaiting ? { count: saved.count, ids: items.map(({ id }) => id) } : null;
}

function goOn(options: Options, items: readonly Item[]): ChosenRows {
  const waiting = items.filter(({ status }) => status === 'pending').length;
  const note = message('sample.goes-on', { count: items.length, waiting });
  return { options: { ...options, only: items.map(({ id }) => id) }, note };
}

/** False where the run has a sample already. */
function saveFirst({ settings }: Store, saved: SavedSample): Promise<boolean> {
  return settings.replace({ [settingName]: null }, { [settingName]: JSON.stringify(saved) });
}

/** The sample of the run; null where it has none. */
async function knownSample(
  store: Store,
  options: Options,
): Promise<{ readonly items: readonly Item[] } | null> {
  const saved = await readSetting<SavedSample>(store.settings, settingName);
  if (saved === null) return null;
  const { count, seed, keys } = saved;
  if (count !== options.sample || seed !== seedOf(options))
    throw new UsageError(message('refused.other-sample', { count, seed }));
  return { items: await itemsOf(store, keys) };
}

async function itemsOf(
  { checkpoint }: Pick<Store, 'checkpoint'>,
  keys: readonly number[],
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const key of keys) {
    const item = await checkpoint.itemWithKey(key);
    if (item !== null) items.push(item);
  }
  return items;
}

function seedOf({ seed = 1 }: Options): number {
  return seed;
}

/** Reads every row, and keeps a few of each kind. */
async function chooseRows({ checkpoint }: Store, options: Options, count: number) {
  const sampler = createSampler(count, seedOf(options));
  for await (const row of checkpoint.reportRows()) {
    const { item, gone } = row;
    if (gone || item.status !== 'pending') continue;
    const { question } = readSent(row);
    sampler.add({
      key: item.key,
      id: item.id,
      quality: effectiveQuality(item.quality ?? options.quality ?? null),
      characters: question.question.length,
      pictures: question.questionImages.length + question.answerImages.length,
    });
  }
  return sampler.take();
}
