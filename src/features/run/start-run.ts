/**
 * Starts a run: opens the folder, then imports the rows of a file or continues with those of the checkpoint. Output and
 * questions are the caller's.
 */

import { refuseOutputAsInput } from '../../app/files/foreign-files.ts';
import { imageStoreOf, markMadeRun, openExistingRun, openRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { optionsOfRun, saveOptions } from '../../app/output-folder.ts';
import type { RunSetup } from '../../app/session.ts';
import { systemClock } from '../../app/system-clock.ts';
import type { Message } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import type { ImageFiles } from '../../ports.ts';
import { prepareRequest } from '../../runner/submitting/prepare-request.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { TermsMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import { hooksOf } from '../hooks/hook-options.ts';
import { type ImportPlan, importFile } from '../import/import-file.ts';
import { imagesOf } from '../import/run-images.ts';
import { type AskPlace, mayPayHere, notePlace } from './moved-folder.ts';
import { beginRound, countRound, roundStart } from './round.ts';
import { planSample, takeSample } from './sample-rows.ts';
import { markAfter, readMark } from './terms-mark.ts';

/** A run of the questions of a file. */
export interface FileStart<T> {
  readonly input: string;
  readonly invocation: Invocation;
  /** Receives the plan; nothing is written or sent when it returns false. */
  agree(importPlan: ImportPlan): Promise<boolean>;
  /** Asked when the folder or the database was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  /** Called when the reading of the file begins. */
  readonly reading?: () => void;
  /** Receives what the sample is, once it is chosen. */
  readonly note?: (said: Message) => void;
  session(setup: RunSetup): Promise<T>;
}

/** Starts or continues the run of a file. Null when the caller declined. */
export async function startRun<T>(start: FileStart<T>): Promise<T | null> {
  const { input, agree, askPlace, session } = start;
  // Wrong ones end the command before anything is read or saved.
  hooksOf(start.invocation.options);
  if (start.invocation.shared === null) await refuseOutputAsInput(input, start.invocation);
  await using opened = await openRun(start.invocation);
  const { store, invocation } = opened;
  let isImported = false;
  try {
    const read = await readMark(store);
    const options = await optionsOfRun(invocation, store);
    if (!(await mayPayHere(store, invocation, options, askPlace(options)))) return null;
    const planned = await planSample(store, options);
    const imported = await importFile({
      input,
      invocation: { ...invocation, options: { ...invocation.options, only: planned.only } },
      options: planned,
      store,
      agree,
      reading: start.reading,
      // A sample is chosen among the imported rows: until then none is submitted.
      round: roundStart(invocation, options.sample === undefined ? options : { ...options, limit: 0 }),
      ...(await imageStoreOf(opened)),
    });
    if (imported === null) return null;
    const { plan } = imported;
    isImported = true;
    await markMadeRun(opened);
    await notePlace(store, invocation);
    const chosen = await takeSample(store, options);
    if (chosen.note !== null) start.note?.(chosen.note);
    let { mark } = imported;
    if (options.sample === undefined) await countRound(store);
    else mark = await beginRound(store, roundStart(invocation, chosen.options));
    // A file without rows submits nothing: pending rows of earlier files were not part of the confirmed plan.
    const submits = plan.rows > 0 || plan.toSubmit > 0;
    return await session({
      submits,
      invocation,
      options: chosen.options,
      store,
      mark: markAfter(read, mark),
    });
  } finally {
    if (!isImported && store.isNew) await store.abandon();
  }
}

/** A run whose folder is open, before it continues. */
export interface OpenedRun {
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
}

/** A run that continues from the checkpoint alone. */
export interface Continuation<T> {
  /** False when nothing may be sent that costs points. */
  readonly submits: boolean;
  readonly invocation: Invocation;
  /** Receives the open run; nothing is sent when it returns false. */
  agree(opened: OpenedRun): Promise<boolean>;
  /** Asked when the folder or the database was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  /** Receives what the sample is, once it is chosen. */
  readonly note?: (said: Message) => void;
  session(setup: RunSetup): Promise<T>;
}

/** Continues the run of the output folder. Null when the caller declined. */
export async function continueRun<T>(continuation: Continuation<T>): Promise<T | null> {
  const { submits, agree, askPlace, session } = continuation;
  hooksOf(continuation.invocation.options);
  await using opened = await openExistingRun(continuation.invocation, submits);
  const { store, invocation } = opened;
  const read = await readMark(store);
  const options = await optionsOfRun(invocation, store);
  // Tasks already paid for may be collected anywhere.
  if (submits && !(await mayPayHere(store, invocation, options, askPlace(options)))) return null;
  if (submits && invocation.shared === null)
    await lookAgain(store.checkpoint, imagesOf(invocation.out), maxImageBytesOf(options));
  if (!(await agree({ store, options: await planSample(store, options) }))) return null;
  await saveTerms(store, invocation, submits);
  const chosen = await takeSample(store, options);
  if (chosen.note !== null) continuation.note?.(chosen.note);
  // To collect is no round: what limits count goes on.
  let begun: TermsMark | null = null;
  if (submits) begun = await beginRound(store, roundStart(invocation, chosen.options));
  else await countRound(store);
  return await session({
    submits,
    invocation,
    options: chosen.options,
    store,
    mark: markAfter(read, begun),
  });
}

/**
 * Saves the options and the place of a run once the user has agreed to continue. Options hold for later runs too: if a
 * lower cap held for this run alone, the next one would exceed it.
 */
export async function saveTerms(store: Store, invocation: Invocation, submits: boolean): Promise<void> {
  await store.checkSound();
  // Those of a shared run are saved with the round that begins.
  if (!submits || store.sharing === null) await saveOptions(store, invocation);
  if (submits) await notePlace(store, invocation);
}

/** Invalid rows that can be sent now, because the files they point at may exist now. */
export async function* mendedRows(
  checkpoint: Checkpoint,
  images: ImageFiles,
  maxImageBytes: number,
): AsyncGenerator<Item> {
  const defaults = { quality: null, notifyUrl: null, maxImageBytes };
  for await (const item of checkpoint.items(['invalid'], 'inFile')) {
    const request = await prepareRequest({ checkpoint, images }, item, defaults);
    if (!('failure' in request)) yield item;
  }
}

/** Makes such rows pending. */
async function lookAgain(checkpoint: Checkpoint, images: ImageFiles, maxImageBytes: number): Promise<void> {
  for await (const before of mendedRows(checkpoint, images, maxImageBytes)) {
    const event = { type: 'question-changed', at: systemClock.now(), failure: null } as const;
    await checkpoint.commit([{ before, after: moveAtRest(before, event) }]);
  }
}
