/** The schema of the lines of `--events`. Their types are those of the library (`src/app/events/events.ts`), which need no package. */

import { z } from 'zod';
import { onEndInput } from '../../src/schemas/run-state.ts';
import { byStatus, count, listOf, ordinal, status, text, time } from '../../src/schemas/values.ts';

const file = z.strictObject({
  path: text.describe('Path of the file.'),
  format: z.enum(['csv', 'jsonl', 'xlsx', 'parquet']).describe('How it is read.'),
  encoding: text.nullable().describe('Its encoding; null where the format settles it.'),
  notes: listOf(text).describe('Assumptions made while reading it, one sentence each.'),
  newRows: count.describe('Rows that the run has never seen.'),
  invalidRows: count.describe('Rows that cannot be sent.'),
  changedRows: count.describe('Known rows with a new text.'),
  goneRows: count.describe('Rows of the run that are no longer in the file.'),
});

const everyLine = {
  version: z.literal(1).describe('Increases when a line changes so that a program must know.'),
  at: time.describe('When the line was written (ISO 8601, UTC).'),
};

const typed = <T extends string>(type: T): z.ZodLiteral<T> => z.literal(type).describe('What happened.');

const said = text.describe('One sentence.');
const id = text.describe("The row's own id, or `row-N`.");
const row = ordinal.describe('Data row in the file, from 1.');

/** One line. */
export const eventLine = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...everyLine,
      type: typed('plan'),
      file: file.nullable().describe('The file as read; null for a run that resumes without one.'),
      rows: count.describe('Rows of the file; without a file, rows of the run.'),
      known: byStatus.describe('Rows that the run knows, by status; every status is a key.'),
      toSubmit: count.describe('Rows that the run will submit.'),
      estimatedPoints: z
        .number()
        .nullable()
        .describe(
          'What they cost at most, at the highest price so far of each quality; null while a price is not known.',
        ),
    }),
    z.strictObject({
      ...everyLine,
      type: typed('row'),
      row,
      id,
      status: status.describe('Status of the row now.'),
      from: status.describe('Its status before.'),
      attempt: count.describe('Creations of this row so far.'),
      taskId: text.nullable().describe('Id of the task at the service; null for none.'),
      points: z.number().nullable().describe('Points of this attempt; null where unknown.'),
      failure: text.nullable().describe('Why it ended badly; null where it did not.'),
      video: text.nullable().describe('Absolute path of the video; null until the whole file is there.'),
    }),
    z.strictObject({
      ...everyLine,
      type: typed('frame'),
      row,
      id,
      frame: ordinal.describe('Number of the frame, from 1.'),
      path: text.describe('Absolute path.'),
    }),
    z.strictObject({ ...everyLine, type: typed('warning'), text: said }),
    z.strictObject({ ...everyLine, type: typed('note'), text: said }),
    z.strictObject({
      ...everyLine,
      type: typed('missed'),
      count: count.describe('Events that were dropped because they were not read in time.'),
    }),
    z.strictObject({
      ...everyLine,
      type: typed('end'),
      summary: onEndInput.describe('How the run ended.'),
    }),
  ])
  .meta({ title: 'A line of --events', version: 1 });
