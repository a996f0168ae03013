/** The schema of the lines of `--events`. */

import { z } from 'zod';
import { statuses } from '../../src/money/item.ts';

const count = z.int().min(0);
const status = z.enum(statuses);
const counts = z.record(status, count);

const file = z.strictObject({
  path: z.string(),
  format: z.enum(['csv', 'jsonl', 'xlsx', 'parquet']),
  encoding: z.string().nullable(),
  notes: z.array(z.string()),
  newRows: count,
  invalidRows: count,
  changedRows: count,
  goneRows: count,
});

const summary = z.strictObject({
  rows: count,
  statuses: counts,
  points: z.strictObject({ spent: z.number(), reserved: z.number().nullable() }),
  out: z.string(),
  reason: z.string().describe('Why the run ended; done when nothing was left to do.'),
  failure: z.string().nullable(),
  exitCode: z.int().min(0).max(255),
  next: z.string().describe('The command to type next.'),
});

const everyLine = {
  version: z.literal(1).describe('Increases when a line changes so that a program must know.'),
  at: z.iso.datetime().describe('When the line was written.'),
};

/** One line. */
export const eventLine = z.discriminatedUnion('type', [
  z.strictObject({
    ...everyLine,
    type: z.literal('plan'),
    file: file.nullable(),
    rows: count,
    known: counts,
    toSubmit: count,
    estimatedPoints: z.number().nullable(),
  }),
  z.strictObject({
    ...everyLine,
    type: z.literal('row'),
    row: count,
    id: z.string(),
    status,
    from: status,
    attempt: count,
    taskId: z.string().nullable(),
    points: z.number().nullable(),
    failure: z.string().nullable(),
    video: z.string().nullable().describe('Absolute path of the video; null until the whole file is there.'),
  }),
  z.strictObject({
    ...everyLine,
    type: z.literal('frame'),
    row: count,
    id: z.string(),
    frame: count,
    path: z.string(),
  }),
  z.strictObject({ ...everyLine, type: z.literal('warning'), text: z.string() }),
  z.strictObject({ ...everyLine, type: z.literal('note'), text: z.string() }),
  z.strictObject({
    ...everyLine,
    type: z.literal('missed'),
    count: count.describe('Events that were dropped because they were not read in time.'),
  }),
  z.strictObject({ ...everyLine, type: z.literal('end'), summary }),
]);

export function renderEventsSchema(): string {
  const schema = {
    ...z.toJSONSchema(eventLine, { target: 'draft-7' }),
    title: 'A line of `batch run --events`',
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
