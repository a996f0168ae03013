/** A program that uses every type of the package; compiled only, as the program of a user. */

import {
  BatchError,
  type BatchEvent,
  type BatchRun,
  type BatchSummary,
  CheckpointError,
  type CommonOptions,
  collectBatch,
  DiskError,
  type Duration,
  type EndEvent,
  type EndingReason,
  type FaultName,
  type Field,
  type FrameChoice,
  type FrameEvent,
  HeldError,
  InputError,
  type MissedEvent,
  type NoteEvent,
  type PlanEvent,
  type PlannedFile,
  type Problem,
  type Quality,
  type ResumeOptions,
  type RowEvent,
  type RunOptions,
  resumeBatch,
  runBatch,
  type Share,
  type Status,
  UsageError,
  type WarningEvent,
} from 'batch-video';

const minutes = 5;
const wait: Duration = `${minutes}m`;
const rate: Share = '2%';
const quality: Quality = 'h';
const frames: FrameChoice = 'last';
const map: Partial<Record<Field, string>> = { question: 'Aufgabe' };
const fault: Partial<Record<FaultName, Share>> = { 'expired-link': 0.1, busy: rate };
const common: CommonOptions = {
  out: 'videos',
  simulate: true,
  taskTimeout: wait,
  fault,
  signal: new AbortController().signal,
};
const more: ResumeOptions = {
  ...common,
  limit: 5,
  only: ['a', 'b'],
  maxPoints: 100,
  halt: '10%',
  quality,
  frames,
};
const options: RunOptions = { ...more, input: 'questions.csv', format: 'csv', map, rerunChanged: false };

const runs: readonly BatchRun[] = [runBatch(options), resumeBatch(more), collectBatch(common)];

function tell(event: BatchEvent): string {
  switch (event.type) {
    case 'plan': {
      const { file, known, toSubmit, estimatedPoints }: PlanEvent = event;
      const found: PlannedFile | null = file;
      return `${found?.encoding} ${known.completed} ${toSubmit} ${estimatedPoints?.toFixed(1)}`;
    }
    case 'row': {
      const { id, from, status, points, failure, video }: RowEvent = event;
      const statuses: readonly Status[] = [from, status];
      return `${id} ${statuses} ${points?.toFixed(1)} ${failure?.length} ${video?.length}`;
    }
    case 'frame':
      return ((frame: FrameEvent) => `${frame.id} ${frame.frame} ${frame.path}`)(event);
    case 'warning':
    case 'note':
      return ((said: WarningEvent | NoteEvent) => said.text)(event);
    case 'missed':
      return ((missed: MissedEvent) => missed.count.toFixed())(event);
    case 'end': {
      const { summary }: EndEvent = event;
      const { reason, exitCode, next, points }: BatchSummary = summary;
      const why: EndingReason = reason;
      return `${why} ${exitCode.toFixed()} ${next} ${points.reserved?.toFixed()}`;
    }
  }
}

export async function follow(say: (line: string) => void): Promise<void> {
  try {
    for (const run of runs) {
      for await (const event of run) say(tell(event));
      const { rows, statuses }: BatchSummary = await run.summary;
      say(`${statuses.completed} of ${rows}`);
    }
  } catch (error) {
    if (error instanceof InputError) {
      const problems: readonly Problem[] = error.problems;
      say(problems.map(({ line, message }) => `${line}: ${message}`).join());
    } else if (error instanceof HeldError || error instanceof DiskError) say(error.code);
    else if (error instanceof UsageError || error instanceof CheckpointError) say(error.message);
    else if (error instanceof BatchError) say(`${error.code} ${error.exitCode}`);
    else throw error;
  }
}
