/** Imports the input file once its plan is confirmed. */

import { saveInput } from '../../app/offers/saved-input.ts';
import { placeOf } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { shownName } from '../../app/options/standard-input.ts';
import { saveOptions } from '../../app/output-folder.ts';
import type { StoreImages } from '../../app/run-handles.ts';
import { timeOf } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Plan } from '../../money/plan.ts';
import type { Ledger } from '../../money/summary.ts';
import type { RoundStart, TermsMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import type { ReusedRows } from '../reuse/plan-reuse.ts';
import { forgetCorrections } from './corrected-rows.ts';
import { type Reading, type StagedFile, stageFile } from './stage-file.ts';

/** The plan to confirm before the rows of a file are imported. */
export interface ImportPlan {
  readonly staged: StagedFile;
  /** Counts and points before the import. */
  readonly ledger: Ledger;
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
  /** What need not be paid for; null or absent where no videos of other rows are taken. */
  readonly reuse?: ReusedRows | null;
}

/** A file, and the run to import its rows into. */
export interface FileImport {
  readonly input: string;
  readonly invocation: Invocation;
  /** Saved options included. */
  readonly options: Options;
  readonly store: Store;
  /** Receives the plan; nothing is written when it returns false. */
  agree(importPlan: ImportPlan): Promise<boolean>;
  /** The round that begins with the import, where processes share the run. */
  readonly round?: RoundStart;
  /** Stores the local pictures of the file where other machines find them: paths by SHA-256. Runs before the import. */
  readonly storeImages?: StoreImages;
  /** Called when the file is open and its reading begins. */
  readonly reading?: (() => Reading) | undefined;
}

/** A file that was imported. */
export interface ImportedFile {
  readonly plan: Plan;
  /** The round that began with it; null where one process has the run. */
  readonly mark: TermsMark | null;
}

/** Reads the file, has the plan confirmed, and imports the rows. Null when the plan was declined. */
export async function importFile({
  input,
  invocation,
  options,
  store,
  agree,
  round,
  storeImages,
  reading,
}: FileImport): Promise<ImportedFile | null> {
  const pictures = storeImages === undefined ? null : new Map<string, string>();
  const staged = await stageFile(store, input, invocation, options, { pictures, reading });
  await using ingest = staged.ingest;
  if (staged.plan.isForeign && !staged.add) {
    // An old copy of the checkpoint lacks these rows too; the advice to use another folder would pay for them again.
    await store.checkSound();
    throw new UsageError(
      message('folder.other-run', { folder: invocation.outShown, file: shownName(input) }),
    );
  }
  if (store.isNew) await (await placeOf(invocation)).refuseFiles(invocation, options, ingest);
  if (!(await agree({ staged, ledger: await store.checkpoint.ledger(), store, options }))) return null;
  const rerunChanged = options['rerun-changed'] ?? false;
  // Import only what was confirmed: the file may have changed meanwhile.
  staged.refuseChanged();
  if (pictures !== null) await storeImages?.(pictures);
  // Before the rows that need them: a run continues without its workbook.
  await staged.keepPictures(storeImages ?? null);
  // Options and rows of a shared run are seen at once.
  if (round === undefined || !invocation.words.isShared) await saveOptions(store, invocation);
  await forgetCorrections(store);
  const mark = await ingest.apply({
    source: staged.source,
    at: await timeOf(store),
    add: staged.add,
    isMended: staged.isMended,
    placeOf: staged.placeOf,
    rerunChanged,
    ...(round !== undefined && { round }),
  });
  if (!staged.isMended) await saveInput(store, input, invocation.options);
  return { plan: staged.plan, mark };
}
