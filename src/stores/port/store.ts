/**
 * Where a run is saved: one port for all of it, asynchronous everywhere, so that the database may be on another
 * machine. SQLite is an adapter; only the composition root knows which one is used. A change is refused if its item has
 * changed since the decision, so nothing here assumes that one process owns the run.
 */

import type { Archive } from './archive.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Decisions } from './decisions.ts';
import type { HookCalls } from './hooks.ts';
import type { Ingest } from './import.ts';
import type { RunTotals, RunWatch } from './reading.ts';
import type { Inspections, Reviews } from './reviews.ts';
import type { OpenSettings, Settings } from './settings.ts';
import type { Sharing } from './sharing.ts';

/** The place of one run, before it is opened. */
export interface StorePlace {
  /** Names of the store's own files at the top of the output folder; none where it is elsewhere. */
  readonly files: readonly string[];
  /** True where a run is saved here. Throws where the place cannot be read. */
  exists(): Promise<boolean>;
  /**
   * Opens the run for work, creating it if needed. Throws `HeldError` when another process has it, `CheckpointError`
   * when it is damaged, lost or from a newer version, `UsageError` when this user lacks permission.
   */
  open(): Promise<Store>;
  /** Opens the run read-only, even while it is active; null where there is none. Changes nothing. */
  look(): Promise<Store | null>;
  /**
   * Opens what may be changed of a run while another process works on it. Throws `UsageError` where there is no run,
   * `CheckpointError` where another version of the program works on it.
   */
  openSettings(): Promise<OpenSettings>;
  /** True while a process works on the run. */
  isInUse(): Promise<boolean>;
  /** The process that works on the run; null where none does, where any number may, or where it is not known. */
  holder(): Promise<Holder | null>;
}

/** A process that has a run for itself. */
export interface Holder {
  readonly pid: number;
  /** The machine that the number is of; null for this one. */
  readonly host: string | null;
  /** Names this opening of the run, and no other: numbers of processes come again. */
  readonly session: string;
  /** When it was opened (epoch ms). */
  readonly since: number;
}

/** An open run. Disposing it releases the run. */
export interface Store extends AsyncDisposable {
  /** True when this process created it. */
  readonly isNew: boolean;
  readonly checkpoint: Checkpoint;
  readonly settings: Settings;
  readonly reviews: Reviews;
  readonly decisions: Decisions;
  readonly totals: RunTotals;
  readonly inspections: Inspections;
  /** Null where one process at a time works on the run. */
  readonly sharing: Sharing | null;
  readonly archive: Archive;
  readonly hooks: HookCalls;
  /** True until the first row is imported. */
  isEmpty(): Promise<boolean>;
  /**
   * Resolves when the saved data has been verified; rejects with `CheckpointError`. Everything that writes, submits or
   * reports waits for this by itself.
   */
  checkSound(): Promise<void>;
  /** Throws `DiskError` once the place of the run is not what was opened: nothing may be paid for from there any more. */
  checkPlace(): void;
  /** Begins the import of a file. One at a time; until its rows are matched nothing else may be saved. */
  openIngest(): Promise<Ingest>;
  /** Follows what other processes save. */
  openWatch(): Promise<RunWatch>;
  /** Closes and removes an empty store that this process created. */
  abandon(): Promise<void>;
}

/** Who has locked what a statement waits for. */
export interface LockHolder {
  /** As it names itself to the server; '' where it does not. */
  readonly program: string;
  /** Its number at the server. */
  readonly pid: number;
  /** Epoch ms. */
  readonly since: number;
}
