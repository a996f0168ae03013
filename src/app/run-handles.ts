/** A run that is open: for work, to look at, to be reported. */

import type { ImageFiles, OutputTree, ShownFile } from '../ports.ts';
import type { Holder, Store } from '../stores/port/store.ts';
import type { Invocation } from './options/invocation.ts';

/** An open run. Disposing it releases the run. */
export interface OpenRun extends AsyncDisposable {
  readonly store: Store;
  /** With the outputs of the run where a store knows them. */
  readonly invocation: Invocation;
}

/** A run that is only looked at. */
export interface SeenRun extends OpenRun {
  /** True while a process works on it. */
  readonly isInUse: boolean;
  /** That process; null where there is none, where there may be several, and where it is not known. */
  readonly holder: Holder | null;
}

/** The files of a run, for a command that works on no row. */
export interface OpenTree extends AsyncDisposable {
  readonly tree: OutputTree;
}

/** The files of a run that a page shows. */
export interface ShownOutputs extends AsyncDisposable {
  readonly images: ImageFiles;
  /** Null where no file is at this path. */
  openFile(path: string): Promise<ShownFile | null>;
}

/** Stores local pictures where other machines find them: paths by SHA-256. */
export type StoreImages = (paths: ReadonlyMap<string, string>) => Promise<void>;

/** What is reported. */
export interface ReportedRun {
  readonly store: Store;
  readonly invocation: Pick<Invocation, 'out' | 'outShown' | 'options' | 'shared' | 'env'>;
}
