/** What a program may import: runs with their events, and the errors they end with. `docs/library.md` shows it at work. */

export type { ByteSize, Duration, Share } from './app/option-kinds.ts';
export type { FrameChoice, Quality, Status } from './core/item.ts';
export type { Field } from './core/question.ts';
export type { EndingReason } from './core/summary.ts';
export {
  BatchError,
  CheckpointError,
  DiskError,
  HeldError,
  InputError,
  type Problem,
  UsageError,
} from './errors.ts';
export type {
  BatchEvent,
  BatchRun,
  BatchSummary,
  EndEvent,
  FrameEvent,
  MissedEvent,
  NoteEvent,
  PlanEvent,
  PlannedFile,
  RowEvent,
  WarningEvent,
} from './library/events.ts';
export type { CommonOptions, ResumeOptions, RunOptions } from './library/options.ts';
export { collectBatch, resumeBatch, runBatch } from './library/run-batch.ts';
export type { FaultName } from './simulator/faults.ts';
