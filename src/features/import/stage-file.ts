/** Reads the input file and compares it with the run, before anything is written or sent. */

import { dirname, resolve } from 'node:path';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { shownName, standardInput, standardSource } from '../../app/options/standard-input.ts';
import { ReturnedTable, type TablePlace } from '../../app/returned-table.ts';
import type { StoreImages } from '../../app/run-handles.ts';
import { InputError, problemOf } from '../../errors.ts';
import type { FirstRow } from '../../input/columns/first-row.ts';
import { isGuessedId } from '../../input/columns/known-names.ts';
import { failureColumn, keyColumn } from '../../input/columns/own-columns.ts';
import { loadHtmlLibrary } from '../../input/html-library.ts';
import {
  type FoundFile,
  type QuestionFile,
  type ReadOptions,
  readQuestions,
} from '../../input/read-questions.ts';
import type { MadeTable } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Plan } from '../../money/plan.ts';
import type { Source } from '../../money/question.ts';
import { doubtOf } from '../../money/row-identity.ts';
import { lookAtPicture } from '../../outputs/pictures/local-images.ts';
import { pathOnDisk, pictureOnDisk } from '../../outputs/pictures/path-on-disk.ts';
import { createPictureDigest } from '../../outputs/pictures/picture-digests.ts';
import { pictureFolder } from '../../outputs/pictures/picture-folder.ts';
import { madeTable } from '../../reports/made-tables.ts';
import type { Ingest } from '../../stores/port/import.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath } from '../../text/shell-word.ts';
import { readCorrectedRows } from './corrected-rows.ts';
import { renderDoubt } from './doubt-lines.ts';
import { failedColumns, hasFailedHeader, isFailedHeader, isFailedTable } from './failed-tables.ts';
import { openInput } from './input-bytes.ts';
import { openTable } from './input-table.ts';
import { keepPictures } from './keep-pictures.ts';
import { readFirstRow } from './read-first-row.ts';
import { knowByKeys } from './returned-rows.ts';

/** A file that is read and matched, but not imported yet. */
export interface StagedFile {
  readonly ingest: Ingest;
  readonly plan: Plan;
  readonly source: Source;
  readonly found: FoundFile;
  readonly placeOf: QuestionFile['placeOf'];
  /** The first row that can be sent; null where there is none. */
  readonly firstRow: FirstRow | null;
  /** The rows are added to those of the run: with `--add`, and always for its own failed rows, which are only some. */
  readonly add: boolean;
  /** The file is the `failed.csv` of the run, under whatever name. */
  readonly isMended: boolean;
  /**
   * Keeps the pictures of a workbook with the run, durably: in its folder, or with `storeImages` where machines share
   * them. Throws `UsageError` when the workbook has changed.
   */
  keepPictures(storeImages: StoreImages | null): Promise<void>;
  /** Throws `UsageError` when the file has changed since it was read. */
  refuseChanged(): void;
}

/** Somebody who hears how far the reading of a file is; disposed at its end. */
export interface Reading extends Disposable {
  /** So many rows are read; nobody knows how many there are. */
  done(rows: number, total: null): void;
}

/**
 * Reads and matches the whole file. Throws `InputError` with every problem when it cannot be read completely, and for a
 * table that the program wrote and that holds no questions to send. `saved` are the options with those saved. `pictures`
 * receives the paths of the readable local pictures by SHA-256; `reading` is called once the file is open.
 */
export async function stageFile(
  store: Store,
  given: string,
  invocation: Invocation,
  saved: Options,
  {
    pictures = null,
    reading,
    verb = 'run',
  }: {
    readonly pictures?: Map<string, string> | null;
    readonly verb?: 'run' | 'check';
    readonly reading?: (() => Reading) | undefined;
  } = {},
): Promise<StagedFile> {
  const file = given === standardInput ? given : pathOnDisk(given);
  const place = { store, file, invocation, saved, pictures, verb };
  const staged = await stage({ ...place, reading }, isFailedTable(file, invocation.out));
  if (staged !== null) return staged;
  // A copy of the table under another name, which its header or its keys show: it is read as the table is.
  pictures?.clear();
  const mended = await stage(place, true);
  if (mended === null) throw new Error('a table of failed rows is not read as one');
  return mended;
}

/** Null for a table of failed rows that was not to be read as one. */
async function stage(
  {
    store,
    file,
    invocation,
    saved,
    pictures,
    verb,
    reading,
  }: {
    readonly verb: 'run' | 'check';
    readonly store: Store;
    readonly file: string;
    readonly invocation: Invocation;
    readonly saved: Options;
    readonly pictures: Map<string, string> | null;
    readonly reading?: (() => Reading) | undefined;
  },
  asMended: boolean,
): Promise<StagedFile | null> {
  const { options, out, outShown } = invocation;
  const resume = (await store.isEmpty()) ? null : `batch resume ${shellPath(outShown)}`;
  const { bytes, refuseChanged, note } = openInput(file, { resume });
  using begun = reading?.() ?? null;
  let rowCount = 0;
  let isMended = asMended;
  const sources = await store.checkpoint.sources();
  const returned = new ReturnedTable(store, out, tablePlace(file, invocation, verb));
  // A job file says how its own input is read.
  const manner = isMended ? invocation.flags : options;
  const columns = isMended ? await failedColumns(file, manner, sources) : {};
  const table = await openTable(file, manner);
  const kept = pictureFolder(out);
  const ingest = await store.openIngest();
  // Last: what others send from now on, the import knows of.
  const corrected = await readCorrectedRows(store);
  const digestOf = createPictureDigest(ingest.pictures);
  const keptSize = async (sha256: string): Promise<number | null> =>
    table?.media()?.sizeOf(sha256) ?? (await kept.sizeOf(sha256));
  const questions = readQuestions(table ?? bytes, {
    file: file === standardInput ? standardSource : file,
    folder: imageFolder(file, isMended, sources),
    format: manner.format ?? null,
    delimiter: manner.delimiter ?? null,
    headerRow: manner['header-row'] ?? null,
    encoding: manner.encoding ?? null,
    columns: { ...columns, ...manner.map },
    leftOut: sources.length === 0 ? null : failureColumn(sources),
    keyColumn: isMended ? keyColumn(sources) : null,
    isOwn: (header) => isMended || isFailedHeader(header, sources),
    lookAtPicture,
    pictureDigest: async (path) => {
      const digest = await digestOf(path);
      if (digest !== null) pictures?.set(digest, pictureOnDisk(path));
      return digest;
    },
    keptSize,
    maxImageBytes: maxImageBytesOf(saved),
    odd: saved.odd ?? 'hold',
    html: await htmlOf(saved, isMended),
  });
  let add = false;
  let firstRow: FirstRow | null = null;
  let isOfFailed: boolean | null = null;
  /** Recognizes what the program wrote by its header, once, or by a key; true where the file has to be read otherwise. */
  const isMistaken = (): boolean => {
    const header = questions.header();
    if (header.length === 0) return false;
    const made = isOfFailed === null ? madeTable(header) : null;
    if (made !== null) throw new InputError(shownName(file), [problemOf(null, noQuestions(made, sources))]);
    isOfFailed ??= isFailedHeader(header, sources);
    if (isMended || !(isOfFailed || questions.isKeyed())) return false;
    // Standard input is read once.
    isMended = file === standardInput;
    return !isMended;
  };
  try {
    for await (const rows of questions.rows) {
      if (isMistaken()) {
        await ingest[Symbol.asyncDispose]();
        return null;
      }
      const source = questions.source();
      const known = isMended ? await knowByKeys(rows, returned, source, store.checkpoint) : rows;
      const first = firstRow === null ? known.find(({ failure }) => failure === null) : undefined;
      if (first !== undefined)
        firstRow = await readFirstRow(corrected.asSent(first, source), source, keptSize);
      await ingest.add(await corrected.recognize(known, source));
      rowCount += rows.length;
      begun?.done(rowCount, null);
    }
    returned.refuse(questions.placed);
    if (isMistaken()) {
      await ingest[Symbol.asyncDispose]();
      return null;
    }
    if (table !== null) refuseChanged();
    add = isMended || (options.add ?? false);
    const problems = await ingest.match({ add, isMended, placeOf: questions.placeOf });
    if (problems.length > 0) {
      const column = JSON.stringify(questions.source().fields.id ?? 'id');
      const advice = isMended ? [] : [problemOf(null, message('ids.only-numbers', { column }))];
      throw new InputError(shownName(file), [...problems.map(questions.placed), ...advice]);
    }
    await refuseDoubt(ingest, { file, invocation, questions, add, isMended });
  } catch (error) {
    await ingest[Symbol.asyncDispose]();
    const isOpaque = error instanceof InputError && questions.header().length === 0;
    if (isOpaque && !isMended && file !== standardInput)
      if (await hasFailedHeader(file, invocation.flags, sources)) return null;
    throw error;
  } finally {
    await table?.close();
  }
  const plan = await ingest.plan({
    add,
    isMended,
    rerunChanged: options['rerun-changed'] ?? false,
    only: options.only ?? null,
    column: questions.source().fields.question ?? null,
  });
  const found = questions.found();
  const notes = [...found.notes, ...[note(), returned.note()].filter((each) => each !== null)];
  return {
    ingest,
    plan,
    source: questions.source(),
    found: { ...found, notes },
    placeOf: questions.placeOf,
    firstRow,
    add,
    isMended,
    refuseChanged,
    async keepPictures(storeImages) {
      const media = table?.media() ?? null;
      try {
        if (media !== null) await keepPictures(media, kept, storeImages ?? null);
      } finally {
        await table?.close();
      }
      if (table !== null) refuseChanged();
    },
  };
}

/** Why a table that the program wrote is no input: its questions may have lost their pictures, and have other settings. */
function noQuestions(made: MadeTable, sources: readonly Source[]): Message {
  const own = sources.find(({ file }) => file !== '-')?.file ?? 'the file of questions of that run';
  return message('file.made', { made, file: own });
}

/** How HTML is read. The run's own `failed.csv` is as it was sent. */
async function htmlOf(
  { html }: Options,
  isMended: boolean,
): Promise<NonNullable<ReadOptions['html']> | null> {
  return html === undefined || isMended ? null : { mode: html, library: await loadHtmlLibrary() };
}

/** Refuses ids that may have been given to other rows: a wrong guess would pay for a question twice or never send it. */
async function refuseDoubt(
  ingest: Ingest,
  {
    file,
    invocation,
    questions,
    ...coming
  }: Pick<StagedFile, 'add' | 'isMended'> & {
    readonly questions: QuestionFile;
    readonly file: string;
    readonly invocation: Invocation;
  },
): Promise<void> {
  const { map, 'rerun-changed': rerunChanged = false } = invocation.options;
  const column = questions.source().fields.id ?? 'id';
  const trust = { ...coming, rerunChanged, isSaid: map?.id !== undefined, isGuessed: isGuessedId(column) };
  const doubt = doubtOf(await ingest.idFacts(), trust);
  if (doubt !== null)
    throw new InputError(
      shownName(file),
      renderDoubt(doubt, column, await ingest.keepingRows()).map(questions.placed),
    );
}

/** The line to type where the table is that of another folder. */
function tablePlace(file: string, { flags }: Invocation, verb: 'run' | 'check'): TablePlace {
  const more = flags['rerun-changed'] === true ? ' --rerun-changed' : '';
  return {
    shown: shownName(file),
    folder: file === standardInput ? null : dirname(file),
    commandIn: (folder) => `batch ${verb} ${shellPath(file)} --out ${shellPath(folder)}${more}`,
    isInput: true,
  };
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
