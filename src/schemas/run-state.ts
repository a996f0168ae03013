/** What commands say of a run: `status --json`, the summary of those that end one, and what `--on-end` gets. */

import * as z from 'zod';
import { reasons } from '../messages/endings.ts';
import { findingCodes } from '../money/inspection/inspection.ts';
import type { EndingReason } from '../money/summary.ts';
import { decision } from './decision.ts';
import { planned } from './planned.ts';
import { byStatus, count, listOf, ordinal, status, text, time, truth } from './values.ts';

const state = z.strictObject({
  rows: count.describe('Rows of the run.'),
  statuses: byStatus.describe('Rows by [status](states.md); every status is a key.'),
  points: z
    .strictObject({
      spent: z.number().describe('Points of all attempts of all runs here.'),
      reserved: z
        .number()
        .nullable()
        .describe(
          'Points that rows may still cost: those `submitting`, `open`, `uncertain` or `lost`, and those whose task has no price yet; null while one of their qualities has none.',
        ),
    })
    .describe('Points of the run.'),
  out: text.describe('Output folder or bucket: as it was named, and for `--on-end` its absolute path.'),
});

/** The state of a run in numbers. */
export type RunState = Readonly<z.infer<typeof state>>;

const next = text.describe('The command to type next; empty for none.');

const ending = {
  reason: z
    .enum(Object.keys(reasons) as EndingReason[])
    .describe(
      'Why the command ended, in [one of these words](columns.md#why-a-command-ended); `done` when no row is left to be sent.',
    ),
  failure: text
    .nullable()
    .describe(
      'What stopped it, in the words of the service or the system; null where the reason says enough.',
    ),
  exitCode: z.int().min(0).max(255).describe('The [exit code](unattended.md#exit-codes).'),
};

/** What the command of `--on-end` reads; the `end` of `--events` has it too. */
export const onEndInput = z
  .strictObject({ ...state.shape, ...ending, next })
  .meta({ title: 'What a command of --on-end reads', version: 1 });

export type EndSummary = Readonly<z.infer<typeof onEndInput>>;

const failureLine = z.strictObject({
  status: status.describe('[Status](states.md) of these rows.'),
  failure: text.describe(
    'What they say, with `…` for what differs from row to row; empty where nothing was said.',
  ),
  count: count.describe('Number of rows.'),
  inFile: count.describe('Of these, the rows that are still in the file.'),
  command: text.nullable().describe('The command for them; null where none helps.'),
});

/** One group of bad rows, and the command to paste into a shell for them. */
export type FailureLine = Readonly<z.infer<typeof failureLine>>;

const worker = z.strictObject({
  name: text.describe('Its name.'),
  slices: count.describe('Parts of the rows that it polls and downloads; 0 for a silent one.'),
  rows: z
    .partialRecord(status, count)
    .describe('Rows that it looks after, by [status](states.md); those of no row are absent.'),
  lastHeard: time.describe('Its last sign of life (ISO 8601, UTC).'),
  silent: truth.describe('It gave no sign of life for too long.'),
});

const totals = {
  ...state.shape,
  paused: z
    .strictObject({
      until: time.nullable().describe('When it ends (ISO 8601, UTC); null for `batch continue`.'),
    })
    .nullable()
    .describe('The pause of the run; null for none.'),
  pointsPerVideo: z.number().nullable().describe('Mean points of a video; null while none is paid for.'),
  failures: listOf(failureLine).describe('Why rows ended badly, one entry per kind, at most 100.'),
  areAllFailures: truth.describe('`failures` has every kind.'),
  next,
  reports: z
    .strictObject({
      html: text.describe('`report.html`.'),
      csv: text.describe('`report.csv`.'),
      jsonl: text.describe('`report.jsonl`.'),
      failed: text.describe('`failed.csv`.'),
    })
    .nullable()
    .describe('Paths of the reports; null before the first.'),
  workers: listOf(worker)
    .optional()
    .describe('The other workers of a shared run; absent for a run in a folder.'),
};

const call = z.strictObject({
  id: text.describe('Id of the row.'),
  attempt: ordinal.describe('The attempt that completed it.'),
  state: z.enum(['owed', 'failed']).describe('It was not made yet, or it failed.'),
  tries: count.describe('Calls that came to their end.'),
  failure: text.nullable().describe('Why the last one failed; null for none.'),
});

const sample = z.strictObject({
  population: count.describe('Rows that it was drawn from.'),
  size: count.describe('Rows that are drawn.'),
  confidence: z.number().describe('How sure `mostBad` is, from 0 to 1; `--confidence`.'),
  watched: count.describe('Of the rows drawn, those whose video has a verdict, in the order drawn.'),
  bad: count.describe('Of these, the bad ones.'),
  madeAgain: count.describe('Rows drawn that were made again since.'),
  toWatchAgain: count.describe('Of these, rows whose new video has no verdict yet.'),
  others: count.describe('The rows that `mostBad` speaks for: not watched, and not made again since.'),
  othersAgain: count.describe(
    'Rows besides those drawn that were made again since: nothing is said of them.',
  ),
  mostBad: count.nullable().describe('The most of `others` that are bad; null before the first is watched.'),
  share: z
    .number()
    .nullable()
    .describe(
      '`mostBad` as a share of `population`, to 0.001, rounded up; null before the first is watched.',
    ),
  left: count.describe('How many more to watch, all of them good, until `share` is at most `leftFor`.'),
  leftFor: z.number().describe('The share that `left` is about.'),
});

/** What `batch status --json` prints. */
export const statusOutput = z
  .strictObject({
    ...totals,
    onRow: z
      .strictObject({
        owed: count.describe('Calls to make.'),
        failed: count.describe('Calls that failed.'),
        done: count.describe('Calls that did their work.'),
        calls: listOf(call).describe('The first 100 calls that are owed or failed.'),
      })
      .optional()
      .describe('Calls of the command of `--on-row`; zeros where there was none.'),
    sample: sample
      .optional()
      .describe(
        'What [the sample that reviewers watch](reviewing.md#how-good-are-the-others) says; absent where none was drawn.',
      ),
    running: truth.describe('A process works on the run.'),
    pid: ordinal.nullable().describe('Number of that process on this machine; null where unknown.'),
    decisions: listOf(
      decision.extend({ id: text.nullable().describe('Id of the row; null where it is about the run.') }),
    )
      .optional()
      .describe('What people decided about money, oldest first; only with `--decisions`.'),
  })
  .meta({ title: 'What batch status --json prints', version: 1 });

export type StatusOutput = Readonly<z.infer<typeof statusOutput>>;

const inspected = z.strictObject({
  videos: count.describe('Videos of the run.'),
  looked: count.describe('Videos that were looked into now.'),
  suspects: count.describe('Videos with a reason to look at.'),
  reasons: listOf(
    z.strictObject({
      code: z.enum(findingCodes).describe('As `findings[].code` of `report.jsonl`.'),
      count: count.describe('Videos with this reason.'),
      ids: listOf(text).describe('Ids of the first rows.'),
    }),
  ).describe('What was found, by reason.'),
  lacking: listOf(text).describe('Programs that are not installed, so that less is seen.'),
});

const plan = planned.optional().describe('The plan that the command began with; only of `run`.');

/** What `run`, `resume`, `retry`, `collect`, `worker` and `verify --fix` print with `--json`. */
export const endedOutput = z.strictObject({
  ...totals,
  ...ending,
  inspected: inspected.optional().describe('What `--inspect` saw; absent without it.'),
  plan,
});

export type EndedOutput = Readonly<z.infer<typeof endedOutput>>;

/** What `run --detach --json` prints, which leaves the work to others. */
export const detachedOutput = z.strictObject({ ...state.shape, next, plan });

export type DetachedOutput = Readonly<z.infer<typeof detachedOutput>>;

export const summaryOutput = z
  .union([endedOutput, detachedOutput])
  .meta({ title: 'What batch run --json prints, and resume, retry, collect, worker', version: 1 });
