/** What differs between a run in a folder and one in a store that machines share: everybody else asks the place of the run. */

import type { UsageError } from '../../errors.ts';
import type { OutputLayout } from '../../files/output-paths.ts';
import type { ReportFacts } from '../../reports/write-report.ts';
import type { Redact } from '../../text/redact.ts';
import type { Invocation } from '../options/invocation.ts';
import type { OpenRun, OpenTree, ReportedRun, SeenRun, ShownOutputs, StoreImages } from '../run-handles.ts';
import type { RunParts, RunSetup } from '../session.ts';

type MadeRun = Pick<OpenRun, 'store' | 'invocation'>;

export interface RunPlace {
  /** Opens the run for work, creating it if needed. Throws `HeldError` when another process has the folder. */
  open(given: Invocation): Promise<OpenRun>;
  /** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
  openExisting(given: Invocation, pays: boolean): Promise<OpenRun>;
  /** Opens the run read-only, even while it is active; null where there is none. */
  look(given: Invocation): Promise<SeenRun | null>;
  /** The error where there is no run. */
  noRun(given: Invocation): UsageError;
  /** Opens the files of a run. Throws `DiskError`. */
  openTree(run: OpenRun): Promise<OpenTree>;
  /** Opens what a session works with. Throws `DiskError`. */
  openParts(setup: RunSetup, redact: Redact): Promise<RunParts>;
  /** Marks the outputs of a run that is made, so that other machines know whether they see the same. */
  markMade(run: MadeRun): Promise<void>;
  /** Where local pictures of an imported file are stored for other machines; nothing for a run in a folder. */
  imageStore(run: MadeRun): { readonly storeImages?: StoreImages };
  /** What reports show of the place. */
  facts(run: ReportedRun): Promise<Pick<ReportFacts, 'title' | 'shared' | 'hasFile'>>;
  /** Where a page in this folder finds the pictures of the input; `linkOf` is the link to a file of the outputs. */
  pictures(
    run: ReportedRun,
    folder: string,
    linkOf?: (path: string) => Promise<string>,
  ): Required<Pick<ReportFacts, 'findPictures' | 'readPicture'>>;
  /** Opens the outputs of the run for a page that only shows them. */
  openShown(run: OpenRun): Promise<ShownOutputs>;
  readonly layout: OutputLayout;
}
