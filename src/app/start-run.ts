/**
 * How a run begins: the folder is opened, the rows of a file are imported or those of the checkpoint looked at again. Says
 * and asks nothing itself: who begins the run does.
 */

import { localImages } from '../adapters/local-images.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { moveAtRest } from '../core/at-rest.ts';
import type { Item } from '../core/item.ts';
import type { ImageFiles } from '../ports.ts';
import { prepareRequest } from '../runner/prepare-request.ts';
import type { Checkpoint, Store } from '../store.ts';
import { refuseOutputAsInput } from './foreign-files.ts';
import { type ImportPlan, importFile } from './import-file.ts';
import { type AskPlace, mayPayHere, notePlace } from './moved-folder.ts';
import type { Options } from './options.ts';
import { openExistingFolder, openFolder, optionsOfRun, saveOptions } from './output-folder.ts';
import type { RunSetup } from './run-session.ts';
import { type Invocation, maxImageBytesOf } from './settings.ts';

/** A run of the questions of a file. */
export interface FileStart<T> {
  readonly input: string;
  readonly invocation: Invocation;
  /** Hears the plan; nothing is written or sent when it says no. */
  agree(importPlan: ImportPlan): Promise<boolean>;
  /** Hears that the folder was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  session(setup: RunSetup): Promise<T>;
}

/** Starts the run of a file, or goes on with it. Null when it was not agreed to. */
export async function startRun<T>(start: FileStart<T>): Promise<T | null> {
  const { input, invocation, agree, askPlace, session } = start;
  await refuseOutputAsInput(input, invocation);
  await using store = await openFolder(invocation.out);
  let isImported = false;
  try {
    const options = await optionsOfRun(invocation, store);
    if (!(await mayPayHere(store, invocation, options, askPlace(options)))) return null;
    const plan = await importFile({ input, invocation, options, store, agree });
    if (plan === null) return null;
    isImported = true;
    await notePlace(store.settings, invocation.out);
    // A file without rows orders nothing: rows of earlier files that wait are no part of the plan that was agreed to.
    const submits = plan.rows > 0 || plan.toSubmit > 0;
    return await session({ submits, invocation, options, store });
  } finally {
    if (!isImported && store.isNew) await store.abandon();
  }
}

/** A run whose folder is open, before it goes on. */
export interface OpenedRun {
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
}

/** A run that goes on from the checkpoint alone. */
export interface Continuation<T> {
  /** False where nothing that costs may be sent. */
  readonly submits: boolean;
  readonly invocation: Invocation;
  /** Hears where the run stands; nothing is sent when it says no. */
  agree(opened: OpenedRun): Promise<boolean>;
  /** Hears that the folder was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  session(setup: RunSetup): Promise<T>;
}

/** Goes on with the run of the output folder. Null when it was not agreed to. */
export async function continueRun<T>(continuation: Continuation<T>): Promise<T | null> {
  const { submits, invocation, agree, askPlace, session } = continuation;
  await using store = await openExistingFolder(invocation.out);
  const options = await optionsOfRun(invocation, store);
  // What is paid already may be collected anywhere.
  if (submits && !(await mayPayHere(store, invocation, options, askPlace(options)))) return null;
  if (submits) await lookAgain(store.checkpoint, maxImageBytesOf(options));
  if (!(await agree({ store, options }))) return null;
  await saveTerms(store, invocation, submits);
  return await session({ submits, invocation, options, store });
}

/**
 * Once it is agreed that a run goes on, the options that it was given hold for later runs too: a cap that was lowered for this
 * run alone would be spent by the next one. And rows may be paid for from this place.
 */
export async function saveTerms(store: Store, invocation: Invocation, submits: boolean): Promise<void> {
  await store.checkSound();
  await saveOptions(store, invocation);
  if (submits) await notePlace(store.settings, invocation.out);
}

/** Rows that could not be sent and can be now: what they point at may be there. */
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

/** Rows that could not be sent are looked at again. */
async function lookAgain(checkpoint: Checkpoint, maxImageBytes: number): Promise<void> {
  for await (const before of mendedRows(checkpoint, localImages, maxImageBytes)) {
    const event = { type: 'question-changed', at: systemClock.now(), failure: null } as const;
    await checkpoint.commit([{ before, after: moveAtRest(before, event) }]);
  }
}
