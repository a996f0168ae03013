/** What differs between a run in a folder and one in a store that machines share: everybody else asks the place of the run. */

import type { UsageError } from '../../errors.ts';
import type { OutputLayout } from '../../files/output-paths.ts';
import type { Message } from '../../messages/message.ts';
import type { ImageFiles, Reporter } from '../../ports.ts';
import type { ReportFacts } from '../../reports/write-report.ts';
import type { Ingest } from '../../stores/port/import.ts';
import type { OpenSettings } from '../../stores/port/settings.ts';
import type { Redact } from '../../text/redact.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options } from '../options/options.ts';
import type { OpenRun, OpenTree, ReportedRun, SeenRun, ShownOutputs, StoreImages } from '../run-handles.ts';
import type { ServedRun, ServiceAddress } from '../service/run-service.ts';
import type { RunParts, RunSetup } from '../session.ts';

type MadeRun = Pick<OpenRun, 'store' | 'invocation'>;

export interface RunPlace {
  /** Opens the run for work, creating it if needed. Throws `HeldError` when another process has the folder. */
  open(given: Invocation): Promise<OpenRun>;
  /** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
  openExisting(given: Invocation, pays: boolean): Promise<OpenRun>;
  /** Opens the run read-only, even while it is active; null where there is none. */
  look(given: Invocation): Promise<SeenRun | null>;
  /** Opens what may be changed while others work on the run, and delays nobody. */
  openSettings(given: Invocation): Promise<OpenSettings>;
  /** The error where there is no run. */
  noRun(given: Invocation): UsageError;
  /** Opens the files of a run. Throws `DiskError`. */
  openTree(run: OpenRun): Promise<OpenTree>;
  /** Opens what a session works with. Throws `DiskError`. */
  openParts(setup: RunSetup, redact: Redact): Promise<RunParts>;
  /** Throws `UsageError` where a run that begins would overwrite its own input. */
  refuseInput(input: string, given: Invocation): Promise<void>;
  /** The same for a file of the user. */
  refuseFiles(given: Invocation, options: Options, ingest: Ingest): Promise<void>;
  /** How the run was copied or moved since its rows were last paid for, for people; null when it was not. */
  news(run: MadeRun): Promise<Message | null>;
  /** Saves where the run is, once the user has agreed to pay for rows there. */
  note(run: MadeRun): Promise<void>;
  /** Throws `UsageError` where this is not the service, or not the key, of the run, and must be. */
  checkService(run: ServedRun, service: ServiceAddress): Promise<void>;
  /** The same, and saves the service with the run. */
  noteService(run: ServedRun, service: ServiceAddress, reporter: Reporter): Promise<void>;
  /** The images of the rows, where this process has what the rows were read with; else null. */
  images(given: Invocation): ImageFiles | null;
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
  /** What a user sees whose page is at this address. */
  showing(given: Invocation, address: string): Message;
  readonly layout: OutputLayout;
}
