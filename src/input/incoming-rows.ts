/** Parses the rows of a file as questions, checks their images, and notes what the plan says of them. */

import type { PlaceOf } from '../messages/input.ts';
import { type Message, message } from '../messages/message.ts';
import type { Question } from '../money/item.ts';
import { type ParsedQuestion, parseQuestion } from '../money/parse-question.ts';
import type { ImageCounts, IncomingRow, Source } from '../money/question.ts';
import { ChoiceAnswers } from './doubts/choice-answers.ts';
import { rowsAhead } from './doubts/neighbours.ts';
import { NotedCells } from './doubts/noted-cells.ts';
import type { OddMode } from './doubts/odd-modes.ts';
import { OddRows, type ParsedRows, type RowVerdict } from './doubts/odd-rows.ts';
import { UnlikeRows } from './doubts/unlike-rows.ts';
import { contentWithBytes, type PictureDigest, readDigests } from './picture-content.ts';
import {
  createImageCheck,
  type ImageCheck,
  keptSizes,
  type LookAtPicture,
  type PictureChecks,
  pictureFailures,
} from './read-images.ts';
import type { RawRow, RowPage } from './read-rows.ts';

/** How rows are checked. */
export interface RowChecks {
  readonly lookAtPicture: LookAtPicture;
  /** Distinguishes pictures with the same name; without it pictures are known by name only. */
  readonly pictureDigest?: PictureDigest;
  /** Bytes of a picture that the run keeps under this digest; null where it keeps none. Without it, none are kept. */
  readonly keptSize?: (sha256: string) => Promise<number | null>;
  /** The largest image that is sent. */
  readonly maxImageBytes: number;
  /** What becomes of rows that look odd; without it they are sent like others. */
  readonly odd?: OddMode;
}

/** What is known of the rows of a page besides themselves. */
interface PageContext {
  readonly source: Source;
  /** Of the rows; none where the file has no column for them. */
  readonly keys: readonly (string | null)[];
  /** The same rows with their HTML read the other way; null where that does not matter. */
  readonly other: RowPage | null;
}

/** A page that is not judged yet. */
interface ParsedPage extends ParsedRows, PageContext {}

/** The pictures of a page. */
interface PagePictures extends PictureChecks {
  readonly digests: ReadonlyMap<string, string>;
}

export class IncomingRows {
  readonly choices = new ChoiceAnswers();
  readonly #checks: RowChecks;
  readonly #images: ImageCheck;
  readonly #odd: OddRows | null;
  readonly #noted: NotedCells;
  readonly #unlike: UnlikeRows;
  /** Pages that wait for the rows below them. */
  #waiting: readonly ParsedPage[] = [];
  readonly #counted = { rows: 0, file: 0, inline: 0, kept: 0, url: 0 };
  /** Titles of sections included. */
  #lines = 0;

  constructor(checks: RowChecks, placeOf: PlaceOf) {
    this.#checks = checks;
    this.#images = createImageCheck(checks.lookAtPicture, checks.maxImageBytes);
    this.#odd = checks.odd === undefined ? null : new OddRows(placeOf, checks.odd);
    this.#noted = new NotedCells(placeOf);
    this.#unlike = new UnlikeRows(placeOf);
  }

  get count(): number {
    return this.#lines - this.headings;
  }

  /** Rows and their images. */
  imageCounts(): ImageCounts {
    const { rows, file: files, inline, kept, url: addresses } = this.#counted;
    return { rows, files, inline, kept, addresses };
  }

  /** Rows that look odd. */
  get oddCount(): number {
    return this.#odd?.count ?? 0;
  }

  /** Titles of sections, which are no rows. */
  get headings(): number {
    return this.#odd?.headings ?? 0;
  }

  /** What is wrong with the file where nearly all its rows look odd; null for nothing. */
  allOdd(source: Source): Message | null {
    const pieces = this.#odd?.pieces() ?? null;
    if (pieces !== null) return message('rows.pieces', pieces);
    const { question } = source.fields;
    const all = this.#odd?.allAre(source) ?? null;
    if (all === null || question === undefined) return null;
    return message('rows.all-odd', { column: JSON.stringify(question), ...all });
  }

  /** Lines of the plan. */
  notes(): readonly Message[] {
    return [...this.#noted.notes(), ...(this.#odd?.notes() ?? []), ...this.#unlike.notes()];
  }

  /** Takes the next page, and returns the rows of pages below which enough rows are known. */
  async read({ rows }: RowPage, context: PageContext): Promise<IncomingRow[]> {
    const parsed = rows.map(({ input }) => parseQuestion(input, context.source));
    const page = { ...context, rows, parsed };
    const least = this.#odd === null ? 0 : rowsAhead;
    // Only the last rows wait.
    const last = Math.max(0, rows.length - least);
    const parts = [sliceOf(page, 0, last), sliceOf(page, last, rows.length)];
    this.#waiting = [...this.#waiting, ...parts.filter((part) => part.rows.length > 0)];
    return await this.#readWaiting(least);
  }

  /** The rows of all further pages. */
  async end(): Promise<IncomingRow[]> {
    return await this.#readWaiting(0);
  }

  async #readWaiting(least: number): Promise<IncomingRow[]> {
    const ready: IncomingRow[] = [];
    for (;;) {
      const [first, ...others] = this.#waiting;
      const ahead = firstRows(others, rowsAhead);
      if (first === undefined || ahead.rows.length < least) return ready;
      this.#waiting = others;
      for (const row of await this.#rowsOf(first, ahead)) ready.push(row);
    }
  }

  /** All their images on disk are checked at once. */
  async #rowsOf(
    { rows, parsed, source, keys, other }: ParsedPage,
    ahead: ParsedRows,
  ): Promise<IncomingRow[]> {
    const verdicts = this.#look({ rows, parsed }, ahead, source);
    const others = other === null ? [] : rows.map((row, at) => parseOther(row, other, at, source));
    const otherwise = rows.map((row, at) => parseOtherwise(row, parsed[at], source));
    const pictures = await this.#lookAtPictures(parsed, [...others, ...otherwise]);
    const { digests } = pictures;
    const firstRow = this.#lines + 1;
    this.#lines += rows.length;
    return parsed.map((row, at) => ({
      row: firstRow + at,
      line: rows[at]?.line ?? 0,
      id: row.question.id,
      content: contentWithBytes(row, digests),
      written: writtenOf(row, others[at] ?? null, digests),
      otherwise: otherwise[at] == null ? null : contentWithBytes(otherwise[at], digests),
      quality: row.question.quality,
      input: rows[at]?.input ?? {},
      failure: this.#failureOf(row, verdicts[at]?.held ?? null, pictures),
      key: keys[at] ?? null,
      ...(verdicts[at]?.isHeading && { isHeading: true }),
    }));
  }

  /** What becomes of each row. */
  #look({ rows, parsed }: ParsedRows, ahead: ParsedRows, source: Source): readonly RowVerdict[] {
    for (const { question } of parsed) this.#countImages(question);
    const verdicts = this.#odd?.look({ rows, parsed }, ahead, source) ?? [];
    const sent = parsed.map(({ question, failure }, at) =>
      (failure ?? verdicts[at]?.held ?? null) === null ? question : null,
    );
    this.#noted.look(rows, sent, source);
    this.#unlike.look(rows, sent, source);
    this.choices.look(rows, sent, source);
    return verdicts;
  }

  #countImages({ questionImages, answerImages }: Question): void {
    const images = [...questionImages, ...answerImages];
    for (const { kind } of images) this.#counted[kind] += 1;
    if (images.length > 0) this.#counted.rows += 1;
  }

  async #lookAtPictures(
    parsed: readonly ParsedQuestion[],
    others: readonly (ParsedQuestion | null)[],
  ): Promise<PagePictures> {
    const { pictureDigest = async () => null, keptSize = async () => null } = this.#checks;
    const pictures = [...parsed, ...others].flatMap((row) => row?.files ?? []);
    const verdicts = await this.#images.look(pictures);
    const good = pictures.filter(({ path }) => verdicts.get(path)?.flaw === null);
    const digests = await readDigests(good, pictureDigest);
    const questions = parsed.map(({ question }) => question);
    return { verdicts, digests, kept: await keptSizes(questions, keptSize) };
  }

  #failureOf(row: ParsedQuestion, held: Message | null, pictures: PictureChecks): string | null {
    const wrong = pictureFailures(row, pictures, this.#checks.maxImageBytes);
    const found = held === null ? wrong : [held, ...wrong];
    const all = [...(row.failure === null ? [] : [row.failure]), ...found.map(({ text }) => text)];
    return all.length === 0 ? null : all.join('; ');
  }
}

function sliceOf({ rows, parsed, source, keys, other }: ParsedPage, from: number, to: number): ParsedPage {
  return {
    source,
    rows: rows.slice(from, to),
    parsed: parsed.slice(from, to),
    keys: keys.slice(from, to),
    other: other === null ? null : { ...other, rows: other.rows.slice(from, to) },
  };
}

function firstRows(pages: readonly ParsedRows[], count: number): ParsedRows {
  const rows = pages.flatMap((page) => page.rows.slice(0, count)).slice(0, count);
  return { rows, parsed: pages.flatMap(({ parsed }) => parsed.slice(0, count)).slice(0, count) };
}

/** The row where it means something else when its HTML is read the other way; null where not. */
function parseOther(row: RawRow, other: RowPage, at: number, source: Source): ParsedQuestion | null {
  const input = other.rows[at]?.input ?? row.input;
  if (input === row.input) return null;
  return parseQuestion(input, { ...source, columns: other.columns, fields: other.fields });
}

/** The row with its cells read the other way, as a run may know it; null where that is the same. */
function parseOtherwise(
  { input, asWritten }: RawRow,
  parsed: ParsedQuestion | undefined,
  source: Source,
): ParsedQuestion | null {
  if (asWritten === undefined && !parsed?.isAmbiguous) return null;
  const { missing, ...asTexts } = source;
  const others: ParsedQuestion[] = [];
  if (asWritten !== undefined) others.push(parseQuestion(asWritten, asTexts));
  if (parsed?.isAmbiguous && missing === 'text')
    others.push(parseQuestion(input, { ...asTexts, missing: 'none' }));
  if (parsed?.isAmbiguous) others.push(parseQuestion(input, asTexts));
  return others.find(({ content }) => content !== parsed?.content) ?? null;
}

/** The content by which a run may know the row: with its HTML read the other way, or by the names of its pictures. */
function writtenOf(
  { content, files }: Pick<ParsedQuestion, 'content' | 'files'>,
  other: ParsedQuestion | null,
  digests: ReadonlyMap<string, string>,
): string | null {
  if (other !== null) return contentWithBytes(other, digests);
  return files.length === 0 ? null : content;
}
