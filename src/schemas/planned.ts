/** The plan of a run, before anything is sent. */

import * as z from 'zod';
import type { Plan } from '../money/plan.ts';
import { byStatus, count, listOf, ordinal, quality, text, truth } from './values.ts';

const ids = listOf(text);

const plan = {
  rows: count.describe('Data rows in the file.'),
  newRows: count.describe('Rows that the run has never seen.'),
  known: byStatus.describe('Known rows by [status](states.md).'),
  changedUnsent: count.describe('Changed rows that were never sent: they take the new text.'),
  changedSent: count.describe('Changed rows that were sent: they keep their result.'),
  changedSentIds: ids.describe('Ids of the first of `changedSent`.'),
  rerunnable: count.describe('Of these, the rows that `--rerun-changed` would pay for again.'),
  rerunnableIds: ids.describe('Ids of the first of `rerunnable`.'),
  keepingIds: ids.describe('Ids of the first others of `changedSent`.'),
  endedFinals: listOf(
    z.strictObject({
      id: text.describe('Id in the run.'),
      why: z.enum(['changed', 'bad']).describe('Its text is another one, or its draft is called bad.'),
    }),
  ).describe('Rows whose order for a final falls away: they keep what they have.'),
  renumbered: count.describe('Known rows with a new id: they keep what they have.'),
  renumberedIds: listOf(
    z.strictObject({ was: text.describe('Id in the run.'), id: text.describe('Id in the file.') }),
  ).describe('The first of `renumbered`.'),
  gone: count.describe('Rows of the run that are no longer in the file.'),
  goneIds: ids.describe('Ids of the first of `gone`, where the file is `failed.*`.'),
  invalid: count.describe('Rows of the file that cannot be sent.'),
  unsendable: count.describe('Of these, the rows that were never sent: they end as `invalid`.'),
  twins: count.describe('Rows without an id whose text is there more than once, and that can be sent.'),
  repictured: count.describe('Rows whose local pictures have the names of known ones and other bytes.'),
  askedBefore: count.describe('New rows with the question of a row that was sent and is gone.'),
  toSubmit: count.describe('Rows that wait after the import.'),
  shares: z
    .strictObject({
      newRows: count.describe('New rows.'),
      waiting: count.describe('Known rows that were not sent yet.'),
      changed: count.describe('Changed and mended rows.'),
      rerun: count.describe('Rows that `--rerun-changed` orders again.'),
    })
    .describe('`toSubmit` by origin.'),
  kept: byStatus.describe('Known rows that are not submitted, by [status](states.md).'),
  now: z
    .strictObject({
      h: count.describe('High.'),
      m: count.describe('Medium.'),
      l: count.describe('Low.'),
      none: count.describe('Of the quality of the run.'),
    })
    .describe('Rows of `toSubmit` that `--only` lets through, by quality.'),
  isForeign: truth.describe('The run has rows, and none of them is in the file.'),
} satisfies Record<keyof Plan, z.ZodType>;

const image = z.strictObject({
  kind: z.enum(['url', 'inline', 'kept', 'file']).describe('How the row gives it.'),
  name: text.nullable().describe('Name of the file, or address without its query; null for none.'),
  bytes: count.nullable().describe('Its size in bytes; null where unknown.'),
});

const estimate = z.strictObject({
  rows: count.describe('Rows that are estimated.'),
  points: z
    .number()
    .nullable()
    .describe('What they will probably cost; null while the price of a quality is not known.'),
  low: z.number().nullable().describe('At least; null where there is no range.'),
  high: z.number().nullable().describe('At most; null where there is no range.'),
  basis: text.describe('What the estimate is made from, in words.'),
});

/** What the file was compared with the run for, and what its rows may cost. */
export const planned = z.strictObject({
  ...plan,
  firstRow: z
    .strictObject({
      row: ordinal.describe('Its data row, from 1.'),
      id: text.nullable().describe('Its own id; null for none.'),
      question: text.describe('Its question, cut.'),
      answer: text.describe('Its answer, cut.'),
      quality: quality.nullable().describe('Its own quality; null for none.'),
      images: listOf(image).describe('Images of the question, then those of the answer.'),
    })
    .nullable()
    .describe('The first row as it will be sent; null where none can be.'),
  images: z
    .strictObject({
      rows: count.describe('Rows with images.'),
      files: count.describe('Images in local files.'),
      inline: count.describe('Images in the row itself.'),
      kept: count.describe('Images in cells of a workbook.'),
      addresses: count.describe('Images at an address.'),
    })
    .describe('Images of the file.'),
  duplicates: count.describe('The same as `twins`.'),
  estimate: estimate.describe('What the rows may cost.'),
});

export type Planned = Readonly<z.infer<typeof planned>>;
