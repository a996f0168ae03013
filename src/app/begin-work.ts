/**
 * Begins the work of every command that runs a session, in one order: the terms are read, the place is compared, rows are
 * planned and agreed to, terms and rows are saved, and then the session begins. Nothing follows a no.
 */

import { UsageError } from '../errors.ts';
import { type Message, message, several } from '../messages/message.ts';
import { noteBeginning, noteBegun } from './files/beginnings.ts';
import { hooksOf } from './hooks/hook-options.ts';
import { withKnownRows } from './naming/known-rows.ts';
import { openExistingRun, placeOf } from './open-run.ts';
import type { Invocation } from './options/invocation.ts';
import type { Options } from './options/options.ts';
import { unsaidStore } from './options/settings.ts';
import { optionsOfRun, saveOptions } from './output-folder.ts';
import type { AskPlace } from './place/moved-folder.ts';
import type { BegunRound } from './rounds/round.ts';
import { markAfter, readMark } from './rounds/terms-mark.ts';
import type { OpenRun } from './run-handles.ts';
import type { RunSetup } from './session.ts';
import { postgresRuns } from './stores.ts';

/** A run that is open, with its terms. */
export interface OpenedRun extends Pick<OpenRun, 'store' | 'invocation'> {
  /** Saved options included. */
  readonly options: Options;
}

/** A command that begins work. */
export interface Beginning<T> {
  readonly invocation: Invocation;
  /** Asked when the folder or the database was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  session(setup: RunSetup): Promise<T>;
  /** Receives what there is to say of the rows that are worked on. */
  readonly note?: (said: Message) => void;
}

/** What differs from command to command. */
interface Work {
  /** False when nothing may be sent that costs points. */
  readonly pays: boolean;
  /** The command that takes nothing but rows, for lines to type; null for another one. */
  readonly verb?: string;
  /** Opens the run; one that exists by default. */
  open?(invocation: Invocation): Promise<OpenRun>;
  /**
   * Plans the rows, and saves terms and rows once that is agreed to; null, with neither saved, where it is not. `submits`
   * is given where a command that pays sends nothing.
   */
  order(
    run: OpenedRun,
  ): Promise<
    (BegunRound & Partial<Pick<RunSetup, 'submits' | 'stays' | 'isIdle' | 'settle' | 'madeInvalid'>>) | null
  >;
}

/**
 * Throws `UsageError` with what is `said`, and with the runs of the store where it can be asked, where the environment names a store
 * and nobody says which run or none: in a new folder, a command that pays would pay for the rows of a run of that store again.
 */
export async function refuseUnsaidStore(given: Invocation, said: Message): Promise<void> {
  const url = unsaidStore(given);
  if (url === null) return;
  const found = await postgresRuns(url, given.env).catch(() => null);
  throw new UsageError(several(found === null ? [said] : [said, message('store.runs', found)]));
}

/** Begins the work. Null when the caller declined. */
export async function beginWork<T>(
  { invocation: given, askPlace, session, note = () => {} }: Beginning<T>,
  { pays, verb, open = (run) => openExistingRun(run, pays), order }: Work,
): Promise<T | null> {
  // Wrong ones end the command before anything is read or saved.
  hooksOf(given.options);
  if (pays) await refuseUnsaidStore(given, message('refused.store-unsaid'));
  if (!given.words.isShared) noteBeginning(given.out);
  await using opened = await open(given).finally(noteBegun);
  const { store } = opened;
  const invocation = await withKnownRows(opened.invocation, store, { verb: verb ?? null, say: note });
  const read = await readMark(store);
  const options = await optionsOfRun(invocation, store);
  // Tasks already paid for may be collected anywhere.
  const news = pays && !options.moved ? await (await placeOf(invocation)).news(opened) : null;
  if (news !== null && !(await askPlace(options)(news))) return null;
  const begun = await order({ store, invocation, options });
  if (begun === null) return null;
  const mark = markAfter(read, begun.mark);
  return await session({ submits: pays, invocation, store, ...begun, mark });
}

/**
 * Saves the options and the place of a run once the user has agreed to continue. Options apply to later runs too: if a
 * lower cap applied to this run alone, the next one would exceed it.
 */
export async function saveTerms({ store, invocation }: OpenedRun, pays: boolean): Promise<void> {
  await store.checkSound();
  // Those of a shared run are saved with the round that begins.
  if (!pays || !invocation.words.isShared) await saveOptions(store, invocation);
  if (pays) await (await placeOf(invocation)).note({ store, invocation });
}
