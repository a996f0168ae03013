/** Reads the input file and compares it with the run, before anything is written or sent. */

import { dirname } from 'node:path';
import { endedOrders } from '../../app/offers/ended-finals.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { shownName, standardInput } from '../../app/options/standard-input.ts';
import { ReturnedTable, type TablePlace } from '../../app/returned-table.ts';
import type { StoreImages } from '../../app/run-handles.ts';
import { InputError, problemOf, UsageError } from '../../errors.ts';
import type { FirstRow } from '../../input/columns/first-row.ts';
import { isGuessedId } from '../../input/columns/known-names.ts';
import type { FoundFile, QuestionFile } from '../../input/read-questions.ts';
import type { MadeTable } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Plan } from '../../money/plan.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import { doubtOf } from '../../money/row-identity.ts';
import { pathOnDisk, pictureOnDisk } from '../../outputs/pictures/path-on-disk.ts';
import { createPictureDigest } from '../../outputs/pictures/picture-digests.ts';
import { pictureFolder } from '../../outputs/pictures/picture-folder.ts';
import type { PictureStore } from '../../ports.ts';
import { madeTable } from '../../reports/made-tables.ts';
import type { Ingest } from '../../stores/port/import.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath } from '../../text/shell-word.ts';
import { type CorrectedRows, readCorrectedRows } from './corrected-rows.ts';
import { renderDoubt } from './doubt-lines.ts';
import { failedColumns, hasFailedHeader, isFailedHeader, isFailedTable } from './failed-tables.ts';
import { openInput } from './input-bytes.ts';
import { openTable } from './input-table.ts';
import { keepPictures } from './keep-pictures.ts';
import { htmlOf, type OpenedFile, openQuestions } from './open-questions.ts';
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

/** Receives how far the reading of a file is; disposed at its end. */
export interface Reading extends Disposable {
  /** So many rows are read; nobody knows how many there are. */
  done(rows: number, total: null): void;
}

/** A file, and the run that it is compared with. */
interface Place {
  readonly store: Store;
  readonly file: string;
  readonly invocation: Invocation;
  readonly saved: Options;
  readonly pictures: Map<string, string> | null;
  readonly verb: 'run' | 'check';
  /** False where a table whose lines say nothing of their rows any more is none that was mended. */
  readonly refusesOld: boolean;
}

/**
 * Reads and matches the whole file. Throws `InputError` with every problem when it cannot be read completely, and for a
 * table that the program wrote and that has no questions to send. `saved` are the options with those saved. `pictures`
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
    refusesOld = true,
  }: Partial<Pick<Place, 'pictures' | 'verb' | 'refusesOld'>> & {
    readonly reading?: (() => Reading) | undefined;
  } = {},
): Promise<StagedFile> {
  const file = given === standardInput ? given : pathOnDisk(given);
  const place = { store, file, invocation, saved, pictures, verb, refusesOld };
  const staged = await stage(place, isFailedTable(file, invocation.out), reading);
  if (staged !== null) return staged;
  // A copy of the table under another name, which its header or its keys show: it is read as the table is.
  pictures?.clear();
  const mended = await stage(place, true);
  if (mended === null) throw new Error('a table of failed rows is not read as one');
  return mended;
}

/** Null for a table of failed rows that was not to be read as one. */
async function stage(place: Place, asMended: boolean, reading?: () => Reading): Promise<StagedFile | null> {
  const { store, file, invocation, saved } = place;
  const resume = (await store.isEmpty()) ? null : `batch resume ${shellPath(invocation.outShown)}`;
  const input = openInput(file, { resume });
  using begun = reading?.() ?? null;
  const sources = await store.checkpoint.sources();
  // A job file says how its own input is read.
  const manner = asMended ? invocation.flags : invocation.options;
  const columns = asMended ? await failedColumns(file, manner, sources) : {};
  await using table = await openTable(file, manner);
  const html = await htmlOf(saved, asMended);
  const opened = {
    file,
    asMended,
    input,
    table,
    sources,
    manner: { ...manner, map: { ...columns, ...manner.map } },
    html,
  };
  await using staging = new Staging(place, opened, await store.openIngest());
  // Last: what others send from now on, the import knows of.
  const corrected = await readCorrectedRows(store);
  return (await staging.read(corrected, begun)) ? await staging.match() : null;
}

/** Rows of a file on their way into the store, which drops them unless all are matched. */
class Staging implements AsyncDisposable {
  readonly #place: Place;
  readonly #opened: OpenedFile;
  readonly #ingest: Ingest;
  readonly #kept: PictureStore;
  readonly #returned: ReturnedTable;
  readonly #questions: QuestionFile;
  #isMended: boolean;
  /** Whether its header is that of failed rows; null until it is read. */
  #isOfFailed: boolean | null = null;
  #firstRow: FirstRow | null = null;
  /** Ids of rows that have left what their lines say, and how many lines of others there are. */
  readonly #left: string[] = [];
  #staged = 0;
  #isMatched = false;

  constructor(place: Place, opened: OpenedFile, ingest: Ingest) {
    const { store, invocation } = place;
    this.#place = place;
    this.#opened = opened;
    this.#ingest = ingest;
    this.#kept = pictureFolder(invocation.out);
    this.#returned = new ReturnedTable(store, invocation.out, tablePlace(place));
    this.#isMended = opened.asMended;
    const digestOf = createPictureDigest(ingest.pictures);
    this.#questions = openQuestions(opened, {
      saved: place.saved,
      odd: invocation.options.odd,
      isOwn: (header) => this.#isMended || isFailedHeader(header, opened.sources),
      pictureDigest: async (path) => {
        const digest = await digestOf(path);
        if (digest !== null) place.pictures?.set(digest, pictureOnDisk(path));
        return digest;
      },
      keptSize: this.#keptSize,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isMatched) await this.#ingest[Symbol.asyncDispose]();
  }

  readonly #keptSize = async (sha256: string): Promise<number | null> =>
    this.#opened.table?.media()?.sizeOf(sha256) ?? (await this.#kept.sizeOf(sha256));

  /** Stages all rows. False for a table of failed rows that was not to be read as one. */
  async read(corrected: CorrectedRows, reading: Reading | null): Promise<boolean> {
    let count = 0;
    try {
      for await (const rows of this.#questions.rows) {
        if (this.#isMistaken()) return false;
        await this.#stageRows(rows, corrected);
        count += rows.length;
        reading?.done(count, null);
      }
      this.#returned.refuse(this.#questions.placed);
      if (this.#place.refusesOld && this.#left.length > 0 && this.#staged === 0)
        throw new UsageError(
          message('returned.none-as-seen', { table: shownName(this.#place.file), ids: this.#left }),
        );
      return !this.#isMistaken();
    } catch (error) {
      if (await this.#isUnreadFailedTable(error)) return false;
      throw error;
    }
  }

  /** Recognizes what the program wrote by its header, once, or by a key; true where the file has to be read otherwise. */
  #isMistaken(): boolean {
    const { file } = this.#place;
    const { sources } = this.#opened;
    const header = this.#questions.header();
    if (header.length === 0) return false;
    const made = this.#isOfFailed === null ? madeTable(header) : null;
    if (made !== null) throw new InputError(shownName(file), [problemOf(null, noQuestions(made, sources))]);
    this.#isOfFailed ??= isFailedHeader(header, sources);
    if (this.#isMended || !(this.#isOfFailed || this.#questions.isKeyed())) return false;
    // Standard input is read once.
    this.#isMended = file === standardInput;
    return !this.#isMended;
  }

  /** True where the file could not be read because it is a table of failed rows with columns of its own. */
  async #isUnreadFailedTable(error: unknown): Promise<boolean> {
    const { file, invocation } = this.#place;
    const isOpaque = error instanceof InputError && this.#questions.header().length === 0;
    if (!isOpaque || this.#isMended || file === standardInput) return false;
    return await hasFailedHeader(file, invocation.flags, this.#opened.sources);
  }

  async #stageRows(rows: readonly IncomingRow[], corrected: CorrectedRows): Promise<void> {
    const { checkpoint } = this.#place.store;
    const source = this.#questions.source();
    const { rows: known, left } = this.#isMended
      ? await knowByKeys(rows, this.#returned, source, checkpoint)
      : { rows, left: [] };
    this.#left.push(...left);
    this.#staged += known.length;
    const first = this.#firstRow === null ? known.find(({ failure }) => failure === null) : undefined;
    if (first !== undefined)
      this.#firstRow = await readFirstRow(
        corrected.asSent(first, source),
        this.#questions.placeOf(first.line),
        source,
        this.#keptSize,
      );
    await this.#ingest.add(await corrected.recognize(known, source));
  }

  /** Compares the staged rows with those of the run. */
  async match(): Promise<StagedFile> {
    const { options } = this.#place.invocation;
    const { input, table } = this.#opened;
    const ingest = this.#ingest;
    const { refuseChanged } = input;
    if (table !== null) refuseChanged();
    const join = { add: this.#isMended || (options.add ?? false), isMended: this.#isMended };
    await this.#refuseIds(join);
    const source = this.#questions.source();
    // What the file says of the others is seen by the comparison.
    const ended = (await endedOrders(this.#place.store)).filter(({ why }) => why === 'bad');
    const plan = await ingest.plan({
      ...join,
      ended: ended.map(({ before }) => before.key),
      rerunChanged: options['rerun-changed'] ?? false,
      only: options.only ?? null,
      column: source.fields.question ?? null,
    });
    const found = this.#questions.found();
    const left = this.#left.length === 0 ? null : message('returned.left-alone', { ids: this.#left });
    const said = [input.note(), this.#returned.note(), left].filter((each) => each !== null);
    const notes = [...found.notes, ...said];
    this.#isMatched = true;
    return {
      ...join,
      ingest,
      plan,
      source,
      found: { ...found, notes },
      placeOf: this.#questions.placeOf,
      firstRow: this.#firstRow,
      refuseChanged,
      keepPictures: (storeImages) => this.#keepPictures(storeImages),
    };
  }

  /** Refuses ids that identify no row, or may have been given to other rows: a wrong guess would pay for a question twice or never send it. */
  async #refuseIds(join: Pick<StagedFile, 'add' | 'isMended'>): Promise<void> {
    const { file, invocation } = this.#place;
    const { placed, placeOf } = this.#questions;
    const { map, 'rerun-changed': rerunChanged = false } = invocation.options;
    const column = this.#questions.source().fields.id ?? 'id';
    const problems = await this.#ingest.match({ ...join, placeOf });
    if (problems.length > 0) {
      const said = message('ids.only-numbers', { column: JSON.stringify(column) });
      const advice = join.isMended ? [] : [problemOf(null, said)];
      throw new InputError(shownName(file), [...problems.map(placed), ...advice]);
    }
    const trust = { ...join, rerunChanged, isSaid: map?.id !== undefined, isGuessed: isGuessedId(column) };
    const doubt = doubtOf(await this.#ingest.idFacts(), trust);
    if (doubt === null) return;
    const lines = renderDoubt(doubt, column, await this.#ingest.keepingRows());
    throw new InputError(shownName(file), lines.map(placed));
  }

  async #keepPictures(storeImages: StoreImages | null): Promise<void> {
    const { input, table } = this.#opened;
    if (table === null) return;
    const media = table.media();
    try {
      if (media !== null) await keepPictures(media, this.#kept, storeImages);
    } finally {
      await table[Symbol.asyncDispose]();
    }
    input.refuseChanged();
  }
}

/** Why a table that the program wrote is no input: its questions may have lost their pictures, and have other settings. */
function noQuestions(made: MadeTable, sources: readonly Source[]): Message {
  const own = sources.find(({ file }) => file !== '-')?.file ?? 'the file of questions of that run';
  return message('file.made', { made, file: own });
}

/** The line to type where the table is that of another folder. */
function tablePlace({ file, invocation, verb }: Place): TablePlace {
  const more = invocation.flags['rerun-changed'] === true ? ' --rerun-changed' : '';
  return {
    shown: shownName(file),
    folder: file === standardInput ? null : dirname(file),
    commandIn: (folder) => `batch ${verb} ${shellPath(file)} --out ${shellPath(folder)}${more}`,
    isInput: true,
  };
}
