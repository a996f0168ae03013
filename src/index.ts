/** What a program may import: runs with their events, and the errors they end with. `docs/library.md` shows it at work. */

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
} from './app/events/events.ts';
export type { ByteSize, Duration, Share } from './app/options/option-kinds.ts';
export {
  BatchError,
  CheckpointError,
  DiskError,
  HeldError,
  InputError,
  type Problem,
  UsageError,
} from './errors.ts';
export type { CommonOptions, ResumeOptions, RunOptions } from './library/options.ts';
export { collectBatch, resumeBatch, runBatch } from './library/run-batch.ts';
export type { FrameChoice, Quality, Status } from './money/item.ts';
export type { Field } from './money/question.ts';
export type { EndingReason } from './money/summary.ts';
export type { FaultName } from './service/simulator/faults.ts';
