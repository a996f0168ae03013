/**
 * What a run says of a row: the columns of `report.csv`, and a line of `report.jsonl`, which `--on-row` gets too. The program
 * takes types from here and nothing else: docs, tests and `docs/schemas/` are made from it.
 */

import * as z from 'zod';
import { findingCodes } from '../money/inspection/inspection.ts';
import { decision } from './decision.ts';
import { count, listOf, ordinal, quality, status, text, time } from './values.ts';

/** The values of `report.csv`, in the order of its columns. Texts, title, failure, task and times are of the attempt whose video is shown. */
const values = z.strictObject({
  row: ordinal.nullable().describe('Data row in the file, from 1; null for a row that is no longer in it.'),
  id: text.describe("The row's own id, or `row-N` from the row number when it was first seen."),
  status: status.describe('[Status](states.md) of the row.'),
  points: z.number().nullable().describe('Points of all attempts together; null where unknown.'),
  question: text.describe(
    'Question as in the file, or as it was corrected and sent; empty where there are only images.',
  ),
  quality: quality.describe('Quality that the service uses, its default included: high, medium or low.'),
  title: text.nullable().describe('Title that the service gave the video; null for none.'),
  video: text
    .nullable()
    .describe(
      'Path of the video, relative to the output folder, with `/`: that of the preferred attempt, else of the latest that has one; null for none.',
    ),
  frames: count.describe('Number of progress frames on disk.'),
  failure: text
    .nullable()
    .describe(
      "Why the row ended badly, in the service's own words where there are any; null where it did not.",
    ),
  task_id: text.nullable().describe('Id of the task at the service; null for none.'),
  created_at: text
    .nullable()
    .describe('When the task began, as the service wrote it; null where it did not say.'),
  finish_at: text
    .nullable()
    .describe('When the task ended, as the service wrote it; null where it did not say.'),
  submitted_at: time.nullable().describe('When the attempt was submitted (ISO 8601, UTC); null before that.'),
  seconds: z.number().nullable().describe('Seconds that the task took, to a tenth; null where unknown.'),
  attempts: count.describe('Number of creations that may have made a task.'),
  seconds_video: z
    .number()
    .nullable()
    .describe(
      'Seconds that the video plays, to a tenth; null until `batch verify --deep` or `--inspect` has looked into it.',
    ),
  suspect: text
    .nullable()
    .describe(
      '[Reasons to look](suspects.md) at the video, with `; ` between; null for none, or where nobody has looked into it.',
    ),
  answer: text
    .nullable()
    .describe('Reference answer as in the file, or as it was corrected and sent; null for none.'),
  reviewed_by: text
    .nullable()
    .describe('Reviewers who gave the row a mark, with `;` between; null for none.'),
  reused_from: text
    .nullable()
    .describe(
      'Where the video was taken from, free of charge: folder of the run and id of its row, or the id alone of a row of this run; null where it was made for this row.',
    ),
});

/** The exact values of one row. */
export type ReportLine = Readonly<z.infer<typeof values>>;

const finding = z.strictObject({
  code: z.enum(findingCodes).describe('What is odd.'),
  rows: listOf(text)
    .optional()
    .describe('Ids of two rows with this file or title; only of `same-file` and `same-title`.'),
  times: z
    .number()
    .optional()
    .describe('How many times the usual size or duration; only of `size` and `duration`.'),
  count: count.optional().describe('Number of frames; only of `frames-missing`.'),
  at: z.number().optional().describe('Where the gap begins, in seconds; only of `gap`.'),
  seconds: z.number().optional().describe('How long it is, in seconds; only of `gap` and `black-start`.'),
  is: text.optional().describe('Width and height of this video; only of `resolution`.'),
  usual: text.optional().describe('Width and height of most videos; only of `resolution`.'),
});

const correctedText = z.strictObject({
  from: text.describe('Text of the file.'),
  to: text.describe('Text that was sent.'),
});

const attempt = z.strictObject({
  attempt: ordinal.describe('Number of the attempt, from 1.'),
  quality: quality.describe('Its quality.'),
  submitted_at: time.nullable().describe('When it was submitted (ISO 8601, UTC); null where unknown.'),
  ended_at: time
    .nullable()
    .describe('When this program learned of its end (ISO 8601, UTC); null before that.'),
  status: status.describe('[Status](states.md) of the attempt.'),
  task_id: text.nullable().describe('Id of its task at the service; null for none.'),
  points: z.number().nullable().describe('Its points; null where unknown.'),
  failure: text.nullable().describe('Why it ended badly; null where it did not.'),
  sent_again: z
    .literal(true)
    .optional()
    .describe('It was refused for what may concern all rows, and sent again; absent for others.'),
  video: text
    .nullable()
    .describe('Path of its video, relative to the output folder, with `/`; null for none.'),
});

/** The last column of every table that people send back. */
export const rowKey = text.describe('Key by which `batch` knows the row when the table comes back.');

/** One line of `report.jsonl`. */
export const reportEntry = z
  .strictObject({
    ...values.shape,
    gone: z.literal(true).optional().describe('The row is no longer in the file; absent for others.'),
    video_format: z
      .literal('unknown')
      .optional()
      .describe('The video is no known kind of file: it was kept, and may be no video; absent for others.'),
    findings: listOf(finding)
      .optional()
      .describe('Reasons to look at the video, the worst first; absent where nobody has looked into it.'),
    preferred: ordinal.optional().describe('Attempt that was chosen for the row; absent where none was.'),
    corrected: z
      .strictObject({
        question: correctedText.optional().describe('The question; absent where it was right.'),
        answer: correctedText.optional().describe('The answer; absent where it was right.'),
      })
      .optional()
      .describe('Texts that a reviewer corrected; absent where the texts of the file were sent.'),
    decisions: listOf(decision)
      .optional()
      .describe('What people decided about money for this row; absent where nothing was.'),
    input: z
      .record(text, z.unknown())
      .describe('Other columns of the file, as they were read; in tables each as a column `input.COLUMN`.'),
    history: listOf(attempt).describe('Every attempt, oldest first.'),
    batch: rowKey,
  })
  .meta({ title: 'A line of report.jsonl', version: 1 });

/** What the command of `--on-row` reads. */
export const onRowInput = reportEntry.meta({ title: 'What a command of --on-row reads', version: 1 });
