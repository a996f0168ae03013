/**
 * Reads the rows of a workbook's sheet. What cannot be sent (a chart, an error, a picture that is missing) stands in the
 * row's list of images as an entry that says so: it is saved with the row, so that no later command sends the question
 * without its picture.
 */

import { keptEntry, listImages, unsendableEntry } from '../../files/image-source.ts';
import { inBoth, type Message, message } from '../../messages/message.ts';
import { type Field, isPictureField, type PictureField } from '../../money/question.ts';
import type { FileAccess } from '../../ports.ts';
import { columnLetters } from '../../text/cells/column-letters.ts';
import { cutName } from '../columns/columns.ts';
import type { Problems } from '../read-problems.ts';
import type { FieldColumns, RawRow, RowPage, RowReader } from '../read-rows.ts';
import { type FindLink, linkedPicture, linkIn, readCellLinks } from './cell-links.ts';
import { cellName } from './cell-values.ts';
import {
  type Choice,
  chooseSheet,
  type FieldsAt,
  type Header,
  isHeaderAgain,
  type SheetOptions,
} from './choose-sheet.ts';
import { type Drawing, readDrawings } from './drawings.ts';
import type { Media } from './media.ts';
import type { MergedCells } from './merged-cells.ts';
import type { NumberLibrary } from './number-formats.ts';
import { openWorkbook, type Sheet, type Workbook } from './open-workbook.ts';
import { readRelations } from './parts.ts';
import { groundOf, RowDrawings } from './row-drawings.ts';
import { noFacts, readSheet, type SheetCell, type SheetFacts } from './sheet.ts';
import { CellTally, sheetNotes } from './sheet-notes.ts';
import { SheetRows, type UsedRow } from './sheet-rows.ts';
import { readTotals, TotalsRows } from './tables.ts';
import { WorkbookError } from './workbook-error.ts';

/** How to read a workbook. */
export interface WorkbookOptions extends SheetOptions {
  readonly numbers: NumberLibrary;
}

/** The rows of a workbook, and its pictures. */
export interface WorkbookReader extends RowReader {
  /** The pictures of the rows read so far; null before. */
  media(): Media | null;
}

const pageRows = 64;

export function readWorkbook(file: FileAccess, options: WorkbookOptions): WorkbookReader {
  const { problems } = options;
  const notes: Message[] = [];
  let media: Media | null = null;

  async function* pages(): AsyncGenerator<RowPage> {
    try {
      const workbook = await openWorkbook(file, options.numbers);
      media = workbook.media;
      const choice = await chooseSheet(workbook, options, notes);
      if (choice === null) return;
      const parts = await readSheetParts(workbook, choice);
      if (parts.hasBackground) notes.push(message('workbook.background'));
      yield* new SheetReading(workbook, choice, parts, problems, notes).pages();
    } catch (error) {
      if (!(error instanceof WorkbookError)) throw error;
      problems.add(null, error.said);
    }
  }
  return { pages: pages(), delimiter: () => null, notes: () => notes, media: () => media };
}

/** An entry of a list of images, with the column it comes from. */
interface Entry {
  readonly column: number;
  readonly text: string;
}

const imageFieldOf = (field: Field): PictureField =>
  field === 'answer' || field === 'answerImages' ? 'answerImages' : 'questionImages';

/** What a sheet has besides its rows. */
interface SheetParts {
  readonly fieldAt: FieldsAt;
  /** The places of the question and of its pictures. */
  readonly questions: readonly number[];
  readonly drawings: readonly Drawing[];
  /** In columns of pictures. */
  readonly linkAt: FindLink;
  readonly totals: TotalsRows;
  readonly hasBackground: boolean;
}

async function readSheetParts({ source }: Workbook, { sheet, header }: Choice): Promise<SheetParts> {
  const { part } = sheet;
  const fieldAt = new Map<number, Field>();
  for (const [field, name] of Object.entries(header.fields) as [Field, string][])
    fieldAt.set(header.names.indexOf(name), field);
  const placesOf = (isMeant: (field: Field) => boolean): number[] =>
    [...fieldAt].filter(([, field]) => isMeant(field)).map(([at]) => at);
  const questions = placesOf((field) => field === 'question' || field === 'questionImages');
  const relations = await readRelations(source, part.name);
  const drawings = await readDrawings(source, part, relations);
  const columns = new Set(placesOf(isPictureField));
  const linkAt = await readCellLinks(source, part, { relations, columns });
  // Other tables may stand next to that of the questions.
  const totals = (await readTotals(source, relations)).filter(({ left, right }) =>
    questions.some((at) => at >= left && at <= right),
  );
  const hasBackground = [...relations.values()].some(({ type }) => type === 'image');
  return { fieldAt, questions, drawings, linkAt, totals: new TotalsRows(totals), hasBackground };
}

/** One sheet while it is read. */
class SheetReading {
  readonly #workbook: Workbook;
  readonly #sheet: Sheet;
  readonly #problems: Problems;
  readonly #notes: Message[];
  readonly #header: Header;
  readonly #merged: MergedCells;
  readonly #facts: SheetFacts = noFacts();
  readonly #fieldAt: FieldsAt;
  readonly #linkAt: FindLink;
  readonly #drawings: RowDrawings;
  readonly #totals: TotalsRows;
  readonly #rows: SheetRows;
  readonly #isMergedBelow: ReturnType<MergedCells['below']>;
  #columns: readonly string[];
  #fields: FieldColumns;
  #hidden = 0;
  readonly #tally = new CellTally();

  constructor(workbook: Workbook, choice: Choice, parts: SheetParts, problems: Problems, notes: Message[]) {
    const { sheet, merged, header } = choice;
    this.#workbook = workbook;
    this.#merged = merged;
    this.#isMergedBelow = merged.below();
    this.#sheet = sheet;
    this.#problems = problems;
    this.#notes = notes;
    this.#header = header;
    this.#columns = header.names;
    this.#fields = header.fields;
    this.#fieldAt = parts.fieldAt;
    this.#linkAt = parts.linkAt;
    this.#totals = parts.totals;
    const ground = groundOf(choice, this.#facts, parts);
    this.#drawings = new RowDrawings(parts.drawings, ground, header.names, this.#tally);
    this.#rows = new SheetRows(sheet, header, this.#drawings, parts.totals);
  }

  async *pages(): AsyncGenerator<RowPage> {
    const context = { ...this.#workbook, merged: this.#merged, facts: this.#facts };
    const all = this.#drawings.placedIn(readSheet(this.#workbook.source, this.#sheet.part, context));
    let page: RawRow[] = [];
    for await (const row of this.#rows.inOrder(all)) {
      const read = row.isEmpty ? { line: row.number, input: {} } : await this.#readRow(row);
      if (read !== null) page.push(read);
      if (page.length < pageRows) continue;
      yield this.#pageOf(page);
      page = [];
    }
    yield this.#pageOf(page);
    this.#tallyHiddenColumns();
    const found = { ...this.#facts, hiddenCount: this.#hidden, mergedCount: this.#merged.count };
    this.#notes.push(...sheetNotes(this.#tally, { ...found, totals: this.#totals.leftOut }));
    if (this.#problems.count === 0 && this.#columns.length > this.#header.names.length)
      this.#notes.push(message('workbook.pictures'));
  }

  #tallyHiddenColumns(): void {
    for (const [at, name] of this.#header.hidden)
      this.#tally.note(
        this.#fieldAt.has(at) ? 'hidden-read' : 'hidden-unsent',
        `${columnLetters(at)} ${JSON.stringify(cutName(name))}`,
      );
  }

  #pageOf(rows: readonly RawRow[]): RowPage {
    return { rows, columns: this.#columns, fields: this.#fields };
  }

  async #readRow({ number, isHidden, cells }: UsedRow): Promise<RawRow | null> {
    const { names } = this.#header;
    const input: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, '']));
    const images: Record<PictureField, Entry[]> = {
      questionImages: [],
      answerImages: [],
    };
    if (isHidden) this.#hidden += 1;
    for (const cell of cells) {
      const { column } = cell;
      const name = names[column];
      const place = cellName(number, column);
      const field = this.#fieldAt.get(column);
      const picture = this.#workbook.pictureIn(cell);
      if (picture === null && name !== undefined) input[name] = this.#textOf(cell, number);
      else if (picture === null && cell.text.trim() !== '') this.#tally.note('stray', place);
      if (cell.kind === 'unseen') this.#tally.note('unshown', place);
      const entry = picture === null ? null : await this.#entryOf(picture, place);
      const text =
        picture === null
          ? flawOf(cell, `${this.#sheet.name}!${place}`, field)
          : this.#placed(entry, column, place);
      if (text !== null && (picture !== null || field !== undefined))
        images[imageFieldOf(field ?? 'question')].push({ column, text });
    }
    const drawings = this.#drawings.take(number);
    for (const drawing of drawings) {
      const { column, failure, picture } = drawing;
      const place = cellName(number, column);
      const entry = await this.#entryOf(failure === null ? { part: picture ?? '' } : { failure }, place);
      images[imageFieldOf(this.#fieldAt.get(column) ?? 'question')].push({
        column,
        text: this.#placed(entry, column, place),
      });
    }
    if (isHeaderAgain(cells, this.#header, this.#fieldAt)) {
      this.#tally.note('header-again', cellName(number, cells[0]?.column ?? 0));
      this.#drawings.leaveToNext(drawings);
      return null;
    }
    for (const { row, column } of this.#drawings.takeUnclear())
      images[imageFieldOf(this.#fieldAt.get(column) ?? 'question')].push({
        column,
        text: this.#unsendable(message('cell.above'), cellName(row, column)),
      });
    this.#joinImages(input, images.questionImages, 'questionImages');
    this.#joinImages(input, images.answerImages, 'answerImages');
    return {
      line: number,
      input,
      isMerged: this.#isMerged(cells),
      isBelow: this.#isMergedBelow(number, names.indexOf(this.#header.fields.question ?? '')),
      isLong: cells.some(({ column, text }) => column === names.length && text.trim() !== ''),
    };
  }

  /** The text of a cell; in a column of pictures where its link leads. */
  #textOf({ column, text, formula }: SheetCell, row: number): string {
    const target = linkIn(formula) ?? this.#linkAt(row, column);
    const field = this.#fieldAt.get(column);
    const isPicture = field !== undefined && isPictureField(field);
    const shown = target === null || !isPicture ? text : linkedPicture(text, target);
    if (shown !== text) this.#tally.note('linked', cellName(row, column));
    return shown;
  }

  /** True for a row whose only cell is that of the question, merged with cells of other columns. */
  #isMerged(cells: readonly SheetCell[]): boolean {
    const [first, ...others] = cells.filter(({ text }) => text.trim() !== '');
    if (first === undefined || others.length > 0 || this.#fieldAt.get(first.column) !== 'question')
      return false;
    return [...this.#header.places].some((at) => at > first.column && at <= first.lastColumn);
  }

  /** A picture that stands in no question or answer may belong to either. */
  #placed(entry: string | null, column: number, place: string): string {
    if (entry !== null && this.#fieldAt.has(column)) {
      const field = this.#fieldAt.get(column);
      if (field === 'question' || field === 'answer' || (field !== undefined && isPictureField(field)))
        return entry;
    }
    const name = this.#header.names[column];
    const why =
      name === undefined
        ? message('cell.no-header')
        : message('cell.other-column', { column: JSON.stringify(name) });
    return this.#unsendable(why, place);
  }

  #unsendable(why: Message, cell: string): string {
    return unsendableEntry(message('cell.at', { cell: `${this.#sheet.name}!${cell}`, what: inBoth(why) }));
  }

  async #entryOf(
    picture: { readonly part: string } | { readonly failure: Message },
    place: string,
  ): Promise<string> {
    const seen = 'failure' in picture ? picture : await this.#workbook.media.look(picture.part);
    return 'failure' in seen ? this.#unsendable(seen.failure, place) : keptEntry(seen.sha256);
  }

  /** The images of a field as one list in the order of columns, with those that the cell itself names. */
  #joinImages(input: Record<string, unknown>, found: readonly Entry[], field: PictureField): void {
    if (found.length === 0) return;
    const own = this.#fields[field];
    const column = own ?? this.#addColumn(field);
    const at = this.#header.names.indexOf(column);
    const named = own === undefined ? [] : listImages(String(input[column] ?? ''));
    const all = [...found.map((entry) => ({ ...entry })), ...named.map((text) => ({ column: at, text }))];
    input[column] = all.sort((one, other) => one.column - other.column).map(({ text }) => text);
  }

  /** A column for the pictures of a sheet that has none for them. */
  #addColumn(field: PictureField): string {
    let name: string = field;
    while (this.#columns.includes(name)) name += ' ';
    this.#columns = [...this.#columns, name];
    this.#fields = { ...this.#fields, [field]: name };
    return name;
  }
}

/** Why the text of a cell is not what its writer meant; null where it is. */
function flawOf({ kind, text }: SheetCell, place: string, field?: Field): string | null {
  if (kind === 'error') return unsendableEntry(message('cell.error', { cell: place, fault: text }));
  if (kind === 'unsaved') return unsendableEntry(message('cell.unsaved', { cell: place }));
  if (kind === 'unseen' && field === 'question')
    return unsendableEntry(message('cell.unshown', { cell: place }));
  return null;
}
