/** The events a program receives. */

import type { Status } from '../../money/item.ts';
import type { EndingReason } from '../../money/summary.ts';

/** The state of the run before anything is sent. Every run has it as its first event. */
export interface PlanEvent {
  readonly type: 'plan';
  /** The file as read; null for a run that resumes without one. */
  readonly file: PlannedFile | null;
  /** Rows of the file; without a file, rows of the checkpoint. */
  readonly rows: number;
  /** Rows the checkpoint already knows, by status; every status is a key. */
  readonly known: Readonly<Record<Status, number>>;
  /** Rows this run will submit, with `limit` applied. */
  readonly toSubmit: number;
  /** What they cost at most, at the highest price so far of each quality; null while a price is not known. */
  readonly estimatedPoints: number | null;
}

/** What the file contains. */
export interface PlannedFile {
  readonly path: string;
  readonly format: 'csv' | 'jsonl' | 'xlsx' | 'parquet';
  /** null where the format settles it. */
  readonly encoding: string | null;
  /** Assumptions made while reading it, one sentence each. */
  readonly notes: readonly string[];
  /** Rows the checkpoint has never seen. */
  readonly newRows: number;
  /** Rows that cannot be sent. */
  readonly invalidRows: number;
  /** Known rows with a new text. */
  readonly changedRows: number;
  /** Rows of the checkpoint that are no longer in the file. */
  readonly goneRows: number;
}

/** A row has a new status, already on disk: a program that crashes now finds it there. */
export interface RowEvent {
  readonly type: 'row';
  /** Data row in the input, from 1. */
  readonly row: number;
  /** The row's own id, or `row-N`. */
  readonly id: string;
  readonly status: Status;
  /** The previous status. */
  readonly from: Status;
  /** Creation requests of this row so far. */
  readonly attempt: number;
  readonly taskId: string | null;
  /** Points of this attempt; null where unknown. */
  readonly points: number | null;
  /** Why it ended badly, in the service's own words where there are any; null where it did not. */
  readonly failure: string | null;
  /** Absolute path of the video; null until the whole file is there. */
  readonly video: string | null;
}

/** A progress frame is on disk. */
export interface FrameEvent {
  readonly type: 'frame';
  readonly row: number;
  readonly id: string;
  /** Frames of a row count from 1 in order of appearance. */
  readonly frame: number;
  /** Absolute path. */
  readonly path: string;
}

/** Something that may cost points or needs a person: one sentence. */
export interface WarningEvent {
  readonly type: 'warning';
  readonly text: string;
}

/** Something worth a line, such as why submitting has stopped. */
export interface NoteEvent {
  readonly type: 'note';
  readonly text: string;
}

/** Replaces events that were dropped because they were not read in time. The reports contain what they said. */
export interface MissedEvent {
  readonly type: 'missed';
  readonly count: number;
}

/** The run has ended and its reports are written. The last event. */
export interface EndEvent {
  readonly type: 'end';
  readonly summary: BatchSummary;
}

/** Any event of a run. */
export type BatchEvent =
  | PlanEvent
  | RowEvent
  | FrameEvent
  | WarningEvent
  | NoteEvent
  | MissedEvent
  | EndEvent;

/** How a run ended. */
export interface BatchSummary {
  /** All rows of the checkpoint. */
  readonly rows: number;
  /** By status; every status is a key. */
  readonly statuses: Readonly<Record<Status, number>>;
  /**
   * Points of the checkpoint, over all runs and attempts; `reserved` is what open and uncertain tasks may still cost,
   * null where unknown.
   */
  readonly points: { readonly spent: number; readonly reserved: number | null };
  /** Absolute path of the output folder. */
  readonly out: string;
  /** Why it ended; `done` when nothing was left to do. */
  readonly reason: EndingReason;
  /** What stopped it, in the words of the service or the system; null where the reason is enough. */
  readonly failure: string | null;
  /** The exit code the command would have: 0 when every row has its video. */
  readonly exitCode: number;
  /** The command to type next. */
  readonly next: string;
}

/**
 * A run that has started. Its events can be read once. A loop entered at once receives the plan first, and nothing is
 * sent until it asks for the next event. Leaving the loop early stops the run in good order and waits for its end. An
 * error that ends the run is thrown from the loop, and `summary` rejects with it.
 */
export interface BatchRun extends AsyncIterable<BatchEvent> {
  /** How the run ended; an interrupted run has a summary too. */
  readonly summary: Promise<BatchSummary>;
}
