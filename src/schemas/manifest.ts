/** What an export says of a video: a line of `manifest.jsonl`. */

import * as z from 'zod';
import { reportEntry, rowKey } from './report.ts';
import { ordinal, text } from './values.ts';

const { id, question, answer, title, points, row, quality } = reportEntry.shape;

/** One line of `manifest.jsonl`. */
export const manifestEntry = z
  .strictObject({
    path: text.describe('Path of the exported video, relative to the folder of the export, with `/`.'),
    id,
    question,
    answer,
    title,
    duration: reportEntry.shape.seconds_video,
    points,
    sha256: text.regex(/^[0-9a-f]{64}$/).describe('SHA-256 of the video, in lower-case hex.'),
    captions: text
      .nullable()
      .describe('Path of the captions, relative to the folder of the export, with `/`; null for none.'),
    row,
    quality,
    attempt: ordinal.describe('The attempt that made the video.'),
    run: text.describe('Id of the run that exported it.'),
    url: text.optional().describe('Address that the video will have; absent without `--url-base`.'),
    input: z
      .record(text, z.unknown())
      .describe(
        'Every column of the file but pictures, as it was read; in tables each as a column `input.COLUMN`.',
      ),
    batch: rowKey,
  })
  .meta({ title: 'A line of manifest.jsonl', version: 1 });

/** One exported video. */
export type ManifestEntry = Readonly<z.infer<typeof manifestEntry>>;
