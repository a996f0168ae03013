/**
 * Gives rows that were never sent the videos that are known, before anything is paid for. Which rows a process is about to give
 * files is saved first: what a killed one left is removed, and the row is decided on anew.
 */

import type { OpenedRun } from '../../app/begin-work.ts';
import { readSetting } from '../../app/output-folder.ts';
import { systemClock } from '../../app/system-clock.ts';
import { BatchError, ItemFilesError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import { mayReuse } from '../../money/reused.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import { openTakeOver, type TakeOver } from '../../outputs/take-over.ts';
import type { OutputTree } from '../../ports.ts';
import type { Change } from '../../stores/port/checkpoint.ts';
import { Decider, type Decision } from './decide.ts';
import type { KnownVideos } from './known-videos.ts';
import { addOtherRuns, isReusing, type ReusingRun } from './other-runs.ts';
import { readOwnRows, type SavedCandidate } from './saved-candidates.ts';
import { takeFiles, type Wanted } from './take-files.ts';

/** The keys of the rows that are being given files, as JSON. */
const takingSetting = 'taking';

/** Rows of one transaction. */
const pageRows = 50;

/** Takes what is known; only for rows `among` these keys, where they are given. Runs in stores of other kinds have none. */
export async function takeVideos(run: ReusingRun, among?: ReadonlySet<number>): Promise<void> {
  if (run.invocation.shared !== null) return;
  const unfinished = (await readSetting<number[]>(run.store.settings, takingSetting)) ?? [];
  if (unfinished.length === 0 && !isReusing(run)) return;
  const places = await openPlaces(run);
  if (unfinished.length > 0) await clearUnfinished(run, places, unfinished);
  if (!isReusing(run)) return;
  const { candidates, videos } = await readOwnRows(run, among);
  if (candidates.length === 0) return;
  await addOtherRuns(videos, run);
  // A row that takes a video is called for as any other that is completed.
  if (run.options['on-row'] !== undefined) await run.store.hooks.begin();
  await new Taking(run, places, videos).take(candidates, (all) => new Decider(videos, all));
}

/** Once the rows of a round are done, those that wait for one of them take its video; all others wait for the next command. */
export async function takeFinished(run: ReusingRun): Promise<void> {
  if (!isReusing(run)) return;
  const { candidates, videos } = await readOwnRows(run);
  const waiting = candidates.filter(({ item }) => item.status === 'invalid');
  if (waiting.length === 0) return;
  // What cannot be read now is taken by the next command.
  await addOtherRuns(videos, { ...run, pays: false }).catch((error: unknown) => {
    if (!(error instanceof BatchError)) throw error;
  });
  await new Taking(run, await openPlaces(run), videos).finish(waiting);
}

interface Places {
  readonly tree: Pick<OutputTree, 'writeWhole' | 'foreignFile'>;
  readonly takeOver: TakeOver;
}

async function openPlaces({ invocation: { out } }: OpenedRun): Promise<Places> {
  return {
    tree: await openFileOutputTree(out, systemClock.now),
    takeOver: await openTakeOver(out, systemClock.now),
  };
}

/** Removes what a killed process left in the folders of rows that it had not given their files. */
async function clearUnfinished({ store }: OpenedRun, places: Places, keys: readonly number[]): Promise<void> {
  const items = await store.checkpoint.itemsWithKeys(keys);
  await makeRoom(store, places, items.filter(mayReuse));
  await store.settings.save(takingSetting, '[]');
}

/** Removes what rows without a video have: nothing, or frames of an attempt that came to nothing. Returns the rows as they are then. */
async function makeRoom(
  { checkpoint }: OpenedRun['store'],
  { takeOver }: Places,
  items: readonly Item[],
): Promise<ReadonlyMap<Item, Item>> {
  const bare = items.map((before) => ({
    before,
    after: before.artifacts.length === 0 ? before : { ...before, artifacts: [], version: before.version + 1 },
  }));
  await checkpoint.commit(bare.filter(({ before, after }) => after !== before));
  for (const { folder } of items) await takeOver.clear(folder);
  return new Map(bare.map(({ before, after }) => [before, after]));
}

/** A row, and what was decided about it. */
interface Decided {
  readonly candidate: SavedCandidate;
  readonly decision: Decision;
}

class Taking {
  readonly #run: ReusingRun;
  readonly #places: Places;
  readonly #videos: KnownVideos;
  #taken = 0;
  #flawed = 0;

  constructor(run: ReusingRun, places: Places, videos: KnownVideos) {
    this.#run = run;
    this.#places = places;
    this.#videos = videos;
  }

  async take(
    candidates: readonly SavedCandidate[],
    deciderOf: (all: readonly SavedCandidate[]) => Decider,
  ): Promise<void> {
    const decider = deciderOf(candidates);
    for (let start = 0; start < candidates.length; start += pageRows) {
      const page = candidates.slice(start, start + pageRows);
      let known = await this.#decide(page, decider);
      // Files that are not as they were saved are not offered again, so that each turn has fewer.
      while (known.length > 0) known = await this.#decide(await this.#takeAll(known), decider, 'anew');
    }
    this.#say();
  }

  /** Takes what rows of this run have by now. */
  async finish(waiting: readonly SavedCandidate[]): Promise<void> {
    for (let start = 0; start < waiting.length; start += pageRows) {
      const known: Decided[] = [];
      for (const candidate of waiting.slice(start, start + pageRows)) {
        const pictures = await candidate.pictures();
        const videos = pictures === null ? [] : this.#videos.find(candidate.text, pictures);
        if (videos.length > 0) known.push({ candidate, decision: { is: 'known', videos } });
      }
      await this.#takeAll(known);
    }
    this.#say();
  }

  #say(): void {
    const said: Message[] = [];
    if (this.#taken > 0) said.push(message('reuse.taken', { count: this.#taken }));
    if (this.#flawed > 0) said.push(message('reuse.flawed', { count: this.#flawed }));
    for (const one of said) this.#run.say(one);
  }

  /**
   * Saves which rows wait and which are sent. Returns those whose video is known. `anew`: a plan said that their videos are
   * taken, so that they are held back: nobody agreed to pay for them.
   */
  async #decide(
    page: readonly SavedCandidate[],
    decider: Decider,
    turn: 'first' | 'anew' = 'first',
  ): Promise<readonly Decided[]> {
    const changes: Change[] = [];
    const known: Decided[] = [];
    for (const candidate of page) {
      const decision = await decider.decide(candidate);
      if (decision.is === 'known') known.push({ candidate, decision });
      else
        changes.push(
          ...changeOf(
            candidate.item,
            decision.is === 'sent' && turn === 'anew' ? { is: 'flawed' } : decision,
          ),
        );
    }
    await this.#run.store.checkpoint.commit(changes);
    return known;
  }

  /** Returns the rows whose videos were not as they were saved. */
  async #takeAll(known: readonly Decided[]): Promise<readonly SavedCandidate[]> {
    const { store } = this.#run;
    const free: Decided[] = [];
    // Before a row is sent, it is said of a file in its way.
    for (const one of known) if (await this.#isFree(one.candidate.item)) free.push(one);
    if (free.length === 0) return [];
    await store.settings.save(takingSetting, JSON.stringify(free.map(({ candidate: { item } }) => item.key)));
    const sent = free.map(({ candidate: { item } }) => item).filter(({ attempt }) => attempt > 0);
    const cleared = await makeRoom(store, this.#places, sent);
    const taken = await Promise.all(
      free.map(async ({ candidate, decision }) => {
        const before = cleared.get(candidate.item) ?? candidate.item;
        const now = { ...candidate, item: before };
        return { before, now, after: await this.#takeOne({ candidate: now, decision }) };
      }),
    );
    const changes = taken.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
    await store.checkpoint.commit(changes);
    await store.settings.save(takingSetting, '[]');
    this.#taken += changes.length;
    this.#flawed += taken.length - changes.length;
    return taken.flatMap(({ after, now }) => (after === null ? [now] : []));
  }

  async #isFree({ folder, attempt }: Item): Promise<boolean> {
    try {
      if (attempt > 0) return true;
      return (await this.#places.tree.foreignFile(folder)) === null;
    } catch (error) {
      if (error instanceof ItemFilesError) return false;
      throw error;
    }
  }

  /** Null where none of the videos is as it was saved, or the row's folder does not accept it. */
  async #takeOne({ candidate: { item, quality }, decision }: Decided): Promise<Item | null> {
    const { options } = this.#run;
    const wanted: Wanted = {
      quality: quality ?? options.quality ?? null,
      frames: options.frames ?? 'all',
    };
    for (const video of decision.is === 'known' ? decision.videos : []) {
      const after = await this.#tryOne(item, video, wanted);
      if (after !== null) return after;
      this.#videos.drop(video);
    }
    return null;
  }

  async #tryOne(item: Item, video: Parameters<typeof takeFiles>[2], wanted: Wanted): Promise<Item | null> {
    try {
      return await takeFiles(this.#places, item, video, wanted);
    } catch (error) {
      if (!(error instanceof ItemFilesError)) throw error;
      await this.#places.takeOver.clear(item.folder);
      return null;
    }
  }
}

/** A row that waits for another one is held back; one that waited for it and need not is sent. */
function changeOf(
  before: Item,
  decision: Exclude<Decision, { is: 'known' }> | { readonly is: 'flawed' },
): readonly Change[] {
  const failure = whyHeld(decision);
  if (failure === before.failure) return [];
  if (failure === null && before.status === 'pending') return [];
  const event = { type: 'question-changed', at: systemClock.now(), failure } as const;
  return [{ before, after: moveAtRest(before, event) }];
}

/** Null for a row that is sent. */
function whyHeld(decision: Parameters<typeof changeOf>[1]): string | null {
  if (decision.is === 'sent') return null;
  if (decision.is === 'flawed') return message('row.flawed').text;
  const { id, folder } = decision.row;
  return (folder === null ? message('row.twin', { id }) : message('row.twin-elsewhere', { id, folder })).text;
}
