/** The folder of a run, as a run would find it. Nothing in it is changed, it is not made, and what its disk is tried with is gone at once. */

import { accessSync, constants, existsSync, opendirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseUnreadable } from '../../app/files/folder-access.ts';
import { inputFiles } from '../../app/offers/saved-input.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { refuseMoved } from '../../app/place/move-mark.ts';
import { folderNews, placeAdvice } from '../../app/place/moved-folder.ts';
import { refuseSharedFolder } from '../../app/place/shared-folder.ts';
import { hasRun, readWithoutTrace, refuseLackingDisk, storeIn } from '../../app/stores.ts';
import { BatchError, codeOf, messageOf, saidOf } from '../../errors.ts';
import { message, several } from '../../messages/message.ts';
import { renderNames, renderNumber } from '../../messages/numbers.ts';
import { readSent } from '../../money/sent-question.ts';
import { networkDisk } from '../../outputs/network-disk.ts';
import { syncProgram } from '../../outputs/sync-program.ts';
import type { Store } from '../../stores/port/store.ts';
import { renderByteSize } from '../../text/byte-size.ts';
import { shellPath } from '../../text/shell-word.ts';
import { type Check, check, type State } from './check.ts';

/** A run needs this much besides its videos. */
const leastRoomBytes = 100e6;
/** Videos of an hour or two. */
const scantRoomBytes = 2e9;

/** A folder of a large run has a folder for each row; runs stand at its beginning or not there at all. */
const mostLookedAt = 2_000;

/** What the checks of a folder found, and the options that its run has saved. */
export interface FolderChecks {
  readonly checks: readonly Check[];
  readonly saved: RawOptions;
}

export async function checkFolder(invocation: Invocation): Promise<FolderChecks> {
  const { out, outShown } = invocation;
  const access = accessOf(out, outShown);
  const above = existingFolder(out);
  const disk = access.state === 'failed' ? [] : [diskOf(above)];
  const isFit = disk.every(({ state }) => state === 'ok');
  const around = [access, roomOf(above), ...disk, neighbourOf(out)];
  if (access.state === 'failed' || above !== out) return { checks: around, saved: {} };
  const { checks: found, saved } = await checkpointOf(invocation);
  return {
    checks: [...around, ...(isFit ? [await lockOf(out, outShown)] : []), ...found, otherRunsIn(out)],
    saved,
  };
}

function accessOf(out: string, folder: string): Check {
  const above = existingFolder(out);
  const isThere = above === out;
  try {
    if (isThere) refuseUnreadable(out, storeIn(out).files);
    if (!statSync(above).isDirectory())
      return check('folder', 'failed', message('folder.no-folder', { folder: isThere ? folder : above }));
    for (const path of isThere ? [out, ...filesOf(out)] : [above]) accessSync(path, constants.W_OK);
    return check('folder', 'ok', message(isThere ? 'doctor.writable' : 'doctor.makeable', { folder }));
  } catch (error) {
    if (error instanceof BatchError) return check('folder', 'failed', error.said ?? error.message);
    const failure = messageOf(error);
    const id = isThere ? 'doctor.unwritable' : 'doctor.unmakeable';
    return check('folder', 'failed', message(id, { folder, failure }));
  }
}

/** Of the store's. */
function filesOf(out: string): readonly string[] {
  return storeIn(out)
    .files.map((name) => join(out, name))
    .filter((path) => existsSync(path));
}

/** The folder itself, or what there is of the way to it. */
function existingFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : existingFolder(parent);
}

function roomOf(folder: string): Check {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const size = free < 1e9 ? renderByteSize(free) : `${renderNumber(Math.floor(free / 1e8) / 10)} GB`;
    const state: State = free < leastRoomBytes ? 'failed' : free < scantRoomBytes ? 'warning' : 'ok';
    return check('room', state, message(state === 'ok' ? 'doctor.room' : 'doctor.little-room', { size }));
  } catch (error) {
    return check('room', 'warning', messageOf(error));
  }
}

function diskOf(folder: string): Check {
  try {
    refuseLackingDisk(folder);
    return check('disk', 'ok', message('doctor.disk'));
  } catch (error) {
    return check('disk', 'failed', saidOf(error));
  }
}

function neighbourOf(out: string): Check {
  const disk = networkDisk(existingFolder(out));
  if (disk !== null) return check('sync', 'warning', message('doctor.network-disk', { disk }));
  const program = syncProgram(out);
  if (program !== null) return check('sync', 'warning', message('doctor.synced', { program }));
  return check('sync', 'ok', message('doctor.local'));
}

async function lockOf(out: string, folder: string): Promise<Check> {
  const place = storeIn(out);
  if (!(await place.isInUse())) return check('lock', 'ok', message('doctor.free'));
  const { pid, host } = (await place.holder()) ?? { pid: null, host: null };
  return check('lock', 'warning', message('run.held', { folder, words: shellPath(folder), pid, host }));
}

async function checkpointOf(invocation: Invocation): Promise<FolderChecks> {
  try {
    return await readWithoutTrace(invocation.out, (store) => lookInto(store, invocation));
  } catch (error) {
    const isRefused = error instanceof BatchError;
    const failure = messageOf(error);
    const found = isRefused
      ? check('checkpoint', 'failed', error.said ?? error.message)
      : check('checkpoint', 'warning', message('doctor.unchecked', { failure }));
    if (!isRefused && codeOf(error) === '') throw error;
    return { checks: [found], saved: {} };
  }
}

async function lookInto(store: Store | null, invocation: Invocation): Promise<FolderChecks> {
  if (store === null) {
    refuseSharedFolder(invocation.out, invocation.outShown);
    return { checks: [check('checkpoint', 'ok', message('doctor.no-checkpoint'))], saved: {} };
  }
  const { out } = invocation;
  await refuseMoved(store, out);
  const saved = await readSavedOptions(store);
  const around = [
    await placeOf(store, invocation),
    await inputOf(store, invocation),
    await picturesOf(store, invocation),
    ...(await reuseOf(saved, invocation)),
  ];
  return { checks: [await checkpointCheck(store, 'checkpoint'), ...around], saved };
}

/** What the run has: it could be opened. */
export async function checkpointCheck({ checkpoint }: Store, id: string): Promise<Check> {
  const { counts } = await checkpoint.ledger();
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return check(id, 'ok', message('doctor.checkpoint', { count, completed: counts.completed }));
}

/** Where the run was last paid from: a copy would pay again. */
async function placeOf({ settings }: Store, { out, outShown }: Invocation): Promise<Check> {
  const news = await folderNews(settings, out, outShown);
  return news === null
    ? check('place', 'ok', message('doctor.same-place'))
    : check('place', 'warning', several([news, placeAdvice]));
}

async function inputOf({ checkpoint }: Store, { words }: Invocation): Promise<Check> {
  const [missing] = (await inputFiles(checkpoint)).filter((path) => !existsSync(path));
  if (missing === undefined) return check('input', 'ok', message('doctor.input'));
  return check('input', 'warning', message('doctor.no-input', { path: missing, out: words.run }));
}

/** The local pictures of rows that are still to be sent. */
async function picturesOf({ checkpoint }: Store, { words }: Invocation): Promise<Check> {
  let rows = 0;
  let first: string | null = null;
  let looked = 0;
  for await (const item of checkpoint.items(['pending'], 'inFile')) {
    const { own } = readSent({ item, ...(await checkpoint.input(item.key)) });
    const missing = own.files.find(({ path }) => !existsSync(path));
    if (missing !== undefined) {
      rows += 1;
      first ??= missing.path;
    }
    looked += 1;
    if (looked === mostLookedAt) break;
  }
  if (first === null) return check('pictures', 'ok', message('doctor.pictures'));
  return check(
    'pictures',
    'failed',
    message('doctor.no-pictures', { count: rows, path: first, out: words.run }),
  );
}

/** The runs whose videos are taken, as saved with this one. */
async function reuseOf({ reuse }: RawOptions, { words }: Invocation): Promise<readonly Check[]> {
  if (!Array.isArray(reuse)) return [];
  for (const folder of reuse.map(String)) {
    if (!(await hasRun(folder)))
      return [
        check('reuse', 'warning', message('doctor.no-reuse', { folder: shellPath(folder), out: words.run })),
      ];
  }
  return [check('reuse', 'ok', message('doctor.reuse'))];
}

function otherRunsIn(out: string): Check {
  const names: string[] = [];
  const entries = opendirSync(out);
  try {
    for (let looked = 0; looked < mostLookedAt; looked += 1) {
      const entry = entries.readSync();
      if (entry === null) break;
      const isRun = entry.isDirectory() && filesOf(join(out, entry.name)).length > 0;
      if (isRun) names.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  if (names.length === 0) return check('runs', 'ok', message('doctor.no-other-runs'));
  return check('runs', 'ok', message('doctor.other-runs', { names: renderNames(names.sort()) }));
}
