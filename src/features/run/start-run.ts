/** Starts a run with the rows of a file, or continues with those of the checkpoint. Output and questions are the caller's. */

import { type Beginning, beginWork, type OpenedRun, saveTerms } from '../../app/begin-work.ts';
import { endOrders } from '../../app/offers/ended-finals.ts';
import { drawSample, planSample } from '../../app/offers/sample-rows.ts';
import { placeOf } from '../../app/open-run.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { type BegunRound, beginRound, countRound, roundStart } from '../../app/rounds/round.ts';
import { timeOf } from '../../app/system-clock.ts';
import { isHeldBack } from '../../input/doubts/odd-rows.ts';
import type { Message } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { Item } from '../../money/item.ts';
import { isTwinHeld } from '../../money/reused.ts';
import type { ImageFiles } from '../../ports.ts';
import { prepareRequest } from '../../runner/submitting/prepare-request.ts';
import type { Store } from '../../stores/port/store.ts';
import { type ImportPlan, importFile } from '../import/import-file.ts';
import type { Reading } from '../import/stage-file.ts';
import { isReusing, type ReusingRun } from '../reuse/other-runs.ts';
import { planStaged, withoutReused } from '../reuse/plan-reuse.ts';
import { takeFinished, takeVideos } from '../reuse/take-videos.ts';
import { noteOdd, noteRerun } from './note-agreement.ts';

/** A run of the questions of a file. */
export interface FileStart<T> extends Beginning<T> {
  readonly input: string;
  /** Receives the plan; nothing is written or sent when it returns false. */
  agree(importPlan: ImportPlan): Promise<boolean>;
  /** Called when the reading of the file begins. */
  readonly reading?: () => Reading;
}

/** Starts or continues the run of a file. Null when the caller declined. */
export function startRun<T>(start: FileStart<T>): Promise<T | null> {
  const { input, agree, reading, note } = start;
  const say = note ?? (() => {});
  let isImported = false;
  return beginWork(start, {
    pays: true,
    async open(given) {
      const place = await placeOf(given);
      await place.refuseInput(input, given);
      const opened = await place.open(given);
      const release = async (): Promise<void> => {
        if (!isImported && opened.store.isNew) await opened.store.abandon();
        await opened[Symbol.asyncDispose]();
      };
      return { ...opened, [Symbol.asyncDispose]: release };
    },
    async order(run) {
      const { store, invocation, options } = run;
      const place = await placeOf(invocation);
      const isSample = options.sample !== undefined;
      const planned = await planSample(store, options);
      const known = await keysOfInvalid(store);
      const imported = await importFile({
        input,
        invocation: { ...invocation, options: { ...invocation.options, only: planned.only } },
        options: planned,
        store,
        agree: async (plan) => {
          if (!(await agree(await withReuse({ ...run, options: planned, say, pays: true }, plan))))
            return false;
          await noteOdd(run, plan.staged.found.odd);
          await noteRerun(run, plan.staged.plan.shares.rerun);
          return true;
        },
        reading,
        // A sample is chosen among the imported rows: until then none is submitted.
        round: await roundStart(store, invocation, isSample ? { ...options, limit: 0 } : options),
        ...place.imageStore(run),
      });
      if (imported === null) return null;
      isImported = true;
      await endOrders(store);
      await place.markMade(run);
      await place.note(run);
      const reusing = { ...run, options: planned, say, pays: true };
      await takeVideos(reusing);
      const begun = await beginSampled(run, isSample, note);
      const { plan, mark } = imported;
      // A file without rows submits nothing: pending rows of earlier files were not part of the confirmed plan.
      return {
        submits: plan.rows > 0 || plan.toSubmit > 0,
        ...begun,
        mark: begun.mark ?? mark,
        madeInvalid: () => newlyInvalid(store, known),
        settle: (say) => takeFinished({ ...reusing, say }),
      };
    },
  });
}

async function keysOfInvalid({ checkpoint }: Store): Promise<ReadonlySet<number>> {
  const keys = new Set<number>();
  for await (const { key } of checkpoint.items(['invalid'], 'inFile')) keys.add(key);
  return keys;
}

/** One that waits for the video of another row is no fault of the file. */
async function* newlyInvalid({ checkpoint }: Store, known: ReadonlySet<number>): AsyncGenerator<Item> {
  for await (const item of checkpoint.items(['invalid'], 'inFile'))
    if (!known.has(item.key) && !isTwinHeld(item.failure)) yield item;
}

/** A run that continues from the checkpoint alone. */
export interface Continuation<T> extends Beginning<T> {
  /** False when nothing may be sent that costs points. */
  readonly submits: boolean;
  /** Receives the open run; nothing is sent when it returns false. */
  agree(opened: OpenedRun, mended: MendedCounts): Promise<boolean>;
}

/** Continues the run of the output folder. Null when the caller declined. */
export function continueRun<T>(continuation: Continuation<T>): Promise<T | null> {
  const { submits, agree, note } = continuation;
  return beginWork(continuation, {
    pays: submits,
    async order(run) {
      const { store, invocation, options } = run;
      const images = submits ? (await placeOf(invocation)).images(invocation) : null;
      const mended = await countMended(run, images);
      const planned = await planSample(store, options);
      if (!(await agree({ ...run, options: planned }, mended))) return null;
      await saveTerms(run, submits);
      if (submits) {
        await noteOdd(run, mended.odd);
        await endOrders(store);
        await lookAgain(run, images);
      }
      const reusing = { ...run, options: planned, say: note ?? (() => {}), pays: submits };
      if (submits) await takeVideos(reusing);
      // To collect is no round: what limits count continues.
      return {
        ...(await beginSampled(run, submits, note)),
        settle: (say) => takeFinished({ ...reusing, say }),
      };
    },
  });
}

/** Chooses the sample, and begins its round; only counts one that has begun with the rows, or that submits nothing. */
async function beginSampled(
  { store, invocation, options: planned }: OpenedRun,
  begins: boolean,
  say: ((said: Message) => void) | undefined,
): Promise<BegunRound> {
  const { options, note } = await drawSample(store, planned);
  if (note !== null) say?.(note);
  if (begins) return { options, mark: await beginRound(store, await roundStart(store, invocation, options)) };
  await countRound(store);
  return { options, mark: null };
}

/** Invalid rows that can be sent now, because the files they point at may exist now, or odd rows are sent now. */
async function* mendedRows(run: OpenedRun, images: ImageFiles): AsyncGenerator<Item> {
  const { store, options, invocation } = run;
  const { checkpoint } = store;
  const takesVideos = isReusing(run);
  const defaults = { quality: null, notifyUrl: null, maxImageBytes: maxImageBytesOf(options) };
  for await (const item of checkpoint.items(['invalid'], 'inFile')) {
    if (invocation.options.odd !== 'send' && isHeldBack(item.failure)) continue;
    // What becomes of these is decided with the videos that are known.
    if (isTwinHeld(item.failure) && takesVideos) continue;
    const request = await prepareRequest({ checkpoint, images }, item, defaults);
    if (!('failure' in request)) yield item;
  }
}

/** Such rows, as a plan counts them. */
export interface MendedCounts {
  /** Those that are submitted now, by quality. */
  readonly rows: QualityCounts;
  /** Rows that look odd, submitted now or later. */
  readonly odd: number;
}

/** Reads only. */
export async function countMended(run: OpenedRun, images: ImageFiles | null): Promise<MendedCounts> {
  const { options } = run;
  const only = options.only === undefined ? null : new Set(options.only);
  const rows = { ...noRows };
  let odd = 0;
  if (images !== null)
    for await (const item of mendedRows(run, images)) {
      if (isHeldBack(item.failure)) odd += 1;
      if (only === null || only.has(item.id)) rows[item.quality ?? 'none'] += 1;
    }
  return { rows, odd };
}

/** The plan of a file without the rows that need not be paid for. */
async function withReuse(run: ReusingRun, plan: ImportPlan): Promise<ImportPlan> {
  const { staged, ledger } = plan;
  const reuse = await planStaged(run, staged, ledger);
  return { ...plan, staged: { ...staged, plan: withoutReused(staged.plan, reuse) }, reuse };
}

/** Makes such rows pending. */
async function lookAgain(run: OpenedRun, images: ImageFiles | null): Promise<void> {
  if (images === null) return;
  const { store } = run;
  const { checkpoint } = store;
  for await (const before of mendedRows(run, images)) {
    const event = { type: 'question-changed', at: await timeOf(store), failure: null } as const;
    await checkpoint.commit([{ before, after: moveAtRest(before, event) }]);
  }
}
