/** What a program hears of a run. */

import type { Status } from '../core/item.ts';
import type { EndingReason } from '../core/summary.ts';

/** Where the run stands before anything is sent. The first event of a run, and there is one. */
export interface PlanEvent {
  readonly type: 'plan';
  /** The file as it was read; null for a run that goes on without one. */
  readonly file: PlannedFile | null;
  /** Rows of the file; those of the checkpoint where there is none. */
  readonly rows: number;
  /** Rows that the checkpoint knows already, by status; every status is a key. */
  readonly known: Readonly<Record<Status, number>>;
  /** Rows that this run means to submit, its `limit` observed. */
  readonly toSubmit: number;
  /** What they cost at most, by the most that one row cost so far; null where none has its price yet. */
  readonly estimatedPoints: number | null;
}

/** What was found in the file. */
export interface PlannedFile {
  readonly path: string;
  readonly format: 'csv' | 'jsonl';
  readonly encoding: string;
  /** What was taken for granted in reading it: one sentence each. */
  readonly notes: readonly string[];
  /** Rows that the checkpoint has never seen. */
  readonly newRows: number;
  /** Rows that cannot be sent. */
  readonly invalidRows: number;
  /** Known rows whose text is another one now. */
  readonly changedRows: number;
  /** Rows of the checkpoint that are no longer in the file. */
  readonly goneRows: number;
}

/** A row has another status. It is on disk already: a program that dies now finds it so. */
export interface RowEvent {
  readonly type: 'row';
  /** Data row in the input, from 1. */
  readonly row: number;
  /** The row's own id, or `row-N`. */
  readonly id: string;
  readonly status: Status;
  /** The status before. */
  readonly from: Status;
  /** Creation requests of this row so far. */
  readonly attempt: number;
  readonly taskId: string | null;
  /** Points of this attempt; null where unknown. */
  readonly points: number | null;
  /** Why it ended badly, in the service's own words where there are some; null where it did not. */
  readonly failure: string | null;
  /** Absolute path of the video; null until it is there, whole. */
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

/** Stands where events were let go because they were not read for long. What they said is in the reports. */
export interface MissedEvent {
  readonly type: 'missed';
  readonly count: number;
}

/** The run has come to its end and its reports are written. The last event. */
export interface EndEvent {
  readonly type: 'end';
  readonly summary: BatchSummary;
}

/** Anything that happens in a run. */
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
  /** Points of the checkpoint, every run and attempt; `reserved` is what open and uncertain tasks may still cost, null where unknown. */
  readonly points: { readonly spent: number; readonly reserved: number | null };
  /** Absolute path of the output folder. */
  readonly out: string;
  /** Why it ended; `done` when nothing was left to do. */
  readonly reason: EndingReason;
  /** What stopped it, in the words of whoever refused; null where the reason says it all. */
  readonly failure: string | null;
  /** What the command would have ended with: 0 when every row has its video. */
  readonly exitCode: number;
  /** The command to type next. */
  readonly next: string;
}

/**
 * A run that has started. Its events can be read once; where a loop is entered at once, nothing is sent before
 * it has had the plan and asks for more. Leaving the loop early ends the run in good order and waits for that. What ends
 * the run with an error is thrown from the loop, and `summary` rejects with it.
 */
export interface BatchRun extends AsyncIterable<BatchEvent> {
  /** How the run ended; an interrupted run has a summary too. */
  readonly summary: Promise<BatchSummary>;
}
