/**
 * Takes a run from its folder to a store, with its files. (1) The run stays where it is until all of it is in the new place, which
 * refuses to pay for rows until then. (2) One mark in the old place moves it. (3) Then the new place is set free.
 * Whatever interrupts this, the same command again ends the same way, and at no moment both places pay for rows.
 */

import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { writeMark } from '../../app/fleet/run-mark.ts';
import { outputsSetting, type SavedOutputs } from '../../app/fleet/saved-outputs.ts';
import { openMovingRun } from '../../app/fleet/shared-place.ts';
import { type Invocation, sharedOf } from '../../app/options/invocation.ts';
import { openExistingFolder, readSavedOptions } from '../../app/output-folder.ts';
import { openDestination } from '../../app/outputs.ts';
import { refuseMoved } from '../../app/place/move-mark.ts';
import { folderNews, noteDatabase, placeAdvice } from '../../app/place/moved-folder.ts';
import { lockScratch, scratchBase, sharingOf } from '../../app/scratch.ts';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { message, several } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import { isTwinHeld } from '../../money/reused.ts';
import { countRows } from '../../money/summary.ts';
import type { OnProgress } from '../../stores/counted.ts';
import type { ArchiveRecord, MoveMark } from '../../stores/port/archive.ts';
import type { Store } from '../../stores/port/store.ts';
import { sharedWords } from '../../text/run-words.ts';
import { shellPath } from '../../text/shell-word.ts';
import { type FileMove, type MovedFiles, movedItem, moveFiles, movePictures } from './move-files.ts';

/** What was moved, and where it is now. */
export interface Moved extends MovedFiles {
  /** Null where an earlier command has moved the run already. */
  readonly rows: number | null;
  /** Local pictures that are not where they were, or not the same. */
  readonly pictures: number;
  /** The new place, as it is written after `batch resume`. */
  readonly place: string;
}

/** Settings that belong to a place. */
const names = {
  outputs: outputsSetting,
  place: 'place',
  round: 'round',
  moveId: 'move-id',
};

/** A move as both stores know it. */
interface Passage {
  readonly source: Store;
  readonly target: Store;
  /** How the places are written after `batch resume`. */
  readonly from: string;
  readonly to: string;
}

/** Where the files of a run are. */
type Outputs = Pick<SavedOutputs, 'out' | 'endpoint'>;

/** Takes the run of a folder, as the user names it, into the store of the invocation. Throws `UsageError`. */
export async function moveToStore(
  invocation: Invocation,
  shown: string,
  onProgress: OnProgress,
): Promise<Moved> {
  const folder = resolve(shown);
  const shared = sharedOf(invocation, message('move.name-store'));
  const to = sharedWords(shared.run, shared.url).run;
  await using source = await openExistingFolder(folder, { moves: true, shown });
  const mark = await source.archive.mark();
  if (mark === null) await refuseFolder(source, invocation, folder);
  else if (mark.state !== 'moved' || mark.place !== to) await refuseMoved(source, folder);
  await using target = await openMovingRun(invocation);
  const passage: Passage = { source, target, from: shellPath(folder), to };
  return await orNothing(target, async () =>
    mark === null ? into(passage, invocation, folder, onProgress) : setFree(passage, mark),
  );
}

async function into(
  passage: Passage,
  invocation: Invocation,
  folder: string,
  onProgress: OnProgress,
): Promise<Moved> {
  const { source, target, to } = passage;
  await settle(source);
  const move = await beginMove(passage);
  // Each row goes twice: its files, then itself.
  const rowCount = countRows(await source.checkpoint.ledger());
  const out = invocation.isOutGiven ? invocation.out : folder;
  const outputs: SavedOutputs = { out, endpoint: sharedOf(invocation).endpoint, mark: 'set' };
  const files = await withFiles(
    invocation,
    target,
    { out: folder, endpoint: null },
    outputs,
    async (both) => {
      await both.to.checkWritable();
      await writeMark(both.to, sharingOf(target).runId, sharedOf(invocation), both.scratch);
      const pictures = await movePictures(source, both.to);
      return { ...(await moveFiles(source, both, (done) => onProgress(done, 2 * rowCount))), pictures };
    },
  );
  const settings = { [names.outputs]: JSON.stringify(outputs) };
  const rows = await carry(passage, move, settings, (done) => onProgress(rowCount + done, 2 * rowCount));
  await source.archive.setMark(null, { state: 'moved', move, place: to });
  await target.archive.setMark({ state: 'arriving', move, place: passage.from }, null);
  await noteDatabase(target);
  return { ...files, rows, place: to };
}

/** Leaves no empty run behind where nothing came. */
async function orNothing<T>(target: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (target.isNew && (await isUntouched(target).catch(() => false))) await target.abandon();
    throw error;
  }
}

async function isUntouched(target: Store): Promise<boolean> {
  return (await target.archive.mark()) === null && (await target.isEmpty());
}

/** The rest of a move that an earlier command has made but for its end. */
async function setFree({ target, to }: Passage, { move }: MoveMark): Promise<Moved> {
  const known = await target.archive.mark();
  if (known?.state === 'arriving' && known.move === move) await target.archive.setMark(known, null);
  return { files: 0, flawed: 0, pictures: 0, rows: null, place: to };
}

/** The name of the move, the same whenever the command is typed again. Throws `UsageError` where the target is taken. */
async function beginMove({ source, target, to }: Passage): Promise<string> {
  const known = await source.settings.get(names.moveId);
  const move = known ?? randomUUID();
  const there = await target.archive.mark();
  const isFree = there === null ? await target.isEmpty() : there.move === move;
  if (!isFree) throw new UsageError(message('move.other-run', { place: to }));
  if (known === null) await source.settings.save(names.moveId, move);
  return move;
}

/** Loads the rows into the target. Returns their number. */
async function carry(
  { source, target, from }: Passage,
  move: string,
  settings: Readonly<Record<string, string>>,
  onRow: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  const placed = new Set<string>(Object.values(names));
  async function* records(): AsyncGenerator<ArchiveRecord> {
    for await (const record of source.archive.dump()) {
      if (record.type === 'setting' && placed.has(record.name)) continue;
      if (record.type !== 'row') {
        yield record;
        if (record.type === 'head')
          for (const [name, value] of Object.entries(settings)) yield { type: 'setting', name, value };
        continue;
      }
      rows += 1;
      onRow(rows);
      yield { ...record, item: movedItem(record.item) };
    }
  }
  const mark: MoveMark = { state: 'arriving', move, place: from };
  await target.archive.load(records(), mark);
  return rows;
}

/**
 * Nobody sends these creations any more, so whether they made a task is not known. No row of a shared run takes the video of another
 * one: those that wait for one are sent there.
 */
async function settle({ checkpoint }: Store): Promise<void> {
  const at = systemClock.now();
  const changes: { before: Item; after: Item }[] = [];
  for await (const before of checkpoint.items(['submitting']))
    changes.push({ before, after: moveAtRest(before, { type: 'run-started', at }) });
  for await (const before of checkpoint.items(['invalid'])) {
    if (!isTwinHeld(before.failure)) continue;
    const event = { type: 'question-changed', at, failure: null } as const;
    changes.push({ before, after: moveAtRest(before, event) });
  }
  await checkpoint.commit(changes);
}

/** What must not move: a rehearsal, whose service is in the folder, and a copy of another folder. */
async function refuseFolder(store: Store, { outShown, options }: Invocation, folder: string): Promise<void> {
  const saved = await readSavedOptions(store);
  if (saved.simulate === true) throw new UsageError(message('move.rehearsal', { folder: outShown }));
  if (saved.listen !== undefined) throw new UsageError(message('move.listens'));
  const news = options.moved ? null : await folderNews(store.settings, folder, folder);
  if (news !== null) throw new UsageError(several([news, placeAdvice]));
}

/** `store`: the shared one. */
async function withFiles<T>(
  invocation: Invocation,
  store: Store,
  from: Outputs,
  to: Outputs,
  work: (both: FileMove) => Promise<T>,
): Promise<T> {
  using scratch = lockScratch(scratchBase(invocation, store));
  const source = await openDestination({ ...from, scratch: scratch.folder });
  try {
    const target = await openDestination({ ...to, scratch: scratch.folder });
    try {
      return await work({ from: source, to: target, scratch: scratch.folder });
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}
