/** How a file of questions is read: as the options say, or as a table that the run wrote. */

import { dirname, resolve } from 'node:path';
import type { Options } from '../../app/options/options.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { standardInput, standardSource } from '../../app/options/standard-input.ts';
import { failureColumn, keyColumn } from '../../input/columns/own-columns.ts';
import { loadHtmlLibrary } from '../../input/html-library.ts';
import { type QuestionFile, type ReadOptions, readQuestions } from '../../input/read-questions.ts';
import type { Source } from '../../money/question.ts';
import { lookAtPicture } from '../../outputs/pictures/local-images.ts';
import type { InputBytes } from './input-bytes.ts';
import type { InputTable } from './input-table.ts';

/** A file, and how it is read. */
export interface OpenedFile {
  readonly file: string;
  /** Read as the `failed.csv` of the run. */
  readonly asMended: boolean;
  readonly input: InputBytes;
  /** Null for text. */
  readonly table: InputTable | null;
  /** Of the run. */
  readonly sources: readonly Source[];
  readonly manner: Options;
  readonly html: NonNullable<ReadOptions['html']> | null;
}

/** What the run knows of pictures, and of tables that it wrote. */
interface Known extends Pick<ReadOptions, 'pictureDigest' | 'keptSize' | 'isOwn'> {
  readonly saved: Options;
  /** Only what this command says of its file: that of an earlier one was said of other rows. */
  readonly odd: Options['odd'];
}

export function openQuestions(opened: OpenedFile, { saved, odd = 'hold', ...known }: Known): QuestionFile {
  const { file, asMended, input, table, sources, manner, html } = opened;
  return readQuestions(table ?? input.bytes, {
    file: file === standardInput ? standardSource : file,
    folder: imageFolder(file, asMended, sources),
    format: manner.format ?? null,
    delimiter: manner.delimiter ?? null,
    headerRow: manner['header-row'] ?? null,
    encoding: manner.encoding ?? null,
    columns: manner.map ?? {},
    leftOut: sources.length === 0 ? null : failureColumn(sources),
    keyColumn: asMended ? keyColumn(sources) : null,
    lookAtPicture,
    ...known,
    maxImageBytes: maxImageBytesOf(saved),
    odd,
    html,
  });
}

/** How HTML is read. The run's own `failed.csv` is as it was sent. */
export async function htmlOf(
  { html }: Options,
  isMended: boolean,
): Promise<NonNullable<ReadOptions['html']> | null> {
  return html === undefined || isMended ? null : { mode: html, library: await loadHtmlLibrary() };
}

/**
 * The base of relative image paths: the folder of the input. The run's own `failed.csv` is in the output folder, but its
 * paths are relative to the first input.
 */
function imageFolder(file: string, isMended: boolean, sources: readonly Source[]): string {
  if (file === standardInput) return resolve('.');
  const [first] = sources;
  return isMended && first !== undefined ? first.folder : dirname(resolve(file));
}
