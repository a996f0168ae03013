/** Holds back rows that look odd: they are not paid for unless somebody says so. Which rows are odd, says `row-doubts.ts`. */

import type { Words } from '../../messages/both.ts';
import type { OddPlace, PlaceOf } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import { oddStart } from '../../messages/reasons/rows.ts';
import type { ParsedQuestion } from '../../money/parse-question.ts';
import type { Source } from '../../money/question.ts';
import { cutLine } from '../../text/cells/cut-text.ts';
import { mapOption, noColumn } from '../columns/columns.ts';
import { meaningOf } from '../columns/known-names.ts';
import type { RawRow } from '../read-rows.ts';
import type { Doubt, DoubtedRow } from './doubted-row.ts';
import { type Neighbour, Neighbours, neighbourDoubts } from './neighbours.ts';
import { isMarkedOff } from './no-questions.ts';
import type { OddMode } from './odd-modes.ts';
import { isReference } from './program-texts.ts';
import {
  answerLineDoubt,
  doubtAbout,
  isHeading,
  pageLineDoubt,
  titleDoubt,
  titleForm,
} from './row-doubts.ts';
import { CutTexts, isSum } from './text-doubts.ts';

/** What becomes of a row. */
export interface RowVerdict {
  /** Why it is held back; null for one that is not. */
  readonly held: Message | null;
  /** It is the title of a section, and no row. */
  readonly isHeading: boolean;
}

/** Why the row is not sent. */
function reasonOf(what: Words, mended: string | null): Message {
  return mended === null ? message('row.odd', { what }) : message('row.odd-mended', { what, text: mended });
}

/** True for a saved reason of an invalid row that was held back; it stays so when files appear that other rows wait for. */
export function isHeldBack(failure: string | null): boolean {
  return failure?.startsWith(oddStart) ?? false;
}

/** Rows that a plan names. */
const shownRows = 5;
/** Letters of a question that a plan shows. */
const shownLetters = 40;

/** Where nearly all rows look alike, the column is another one than was thought. */
const mostOfAll = 0.8;
const leastRows = 5;
/** Of so few rows all have to look alike. */
const fewestRows = 3;
/** Rows whose other cells are measured, and how much longer the texts of the question are. */
const lookedRows = 200;
const longerThan = 2;
/** Where more than this are pieces of questions, the file is a text with one line a row. */
const mostPieces = 1 / 3;
const pieces: readonly Doubt[] = [...neighbourDoubts, answerLineDoubt];

/** The rows of a page with what they are parsed as. */
export interface ParsedRows {
  readonly rows: readonly RawRow[];
  readonly parsed: readonly ParsedQuestion[];
}

/** A row, and what it seems to be by itself. */
interface Looked extends Neighbour {
  readonly isTitle: boolean;
  readonly doubt: Doubt | null;
}

export class OddRows {
  readonly #placeOf: PlaceOf;
  readonly #mode: OddMode;
  readonly #tally = {
    ...{ rows: 0, fuller: 0, merged: 0, columns: 0, indented: 0, marked: 0, references: 0, sums: 0 },
    cutAt: null as number | null,
  };
  readonly #cut = new CutTexts();
  readonly #neighbours = new Neighbours();
  /** Letters of the columns in the first rows that tell of another one. */
  readonly #letters = new Map<string, number>();
  readonly #shown: OddPlace[] = [];
  readonly #counts = new Map<Doubt, number>();
  #count = 0;
  #headings = 0;
  #firstHeading: Pick<OddPlace, 'place' | 'text'> | null = null;

  constructor(placeOf: PlaceOf, mode: OddMode = 'hold') {
    this.#placeOf = placeOf;
    this.#mode = mode;
  }

  get count(): number {
    return this.#count;
  }

  /** Titles of sections. */
  get headings(): number {
    return this.#headings;
  }

  /** `ahead` are the rows below the page, as far as they are known. */
  look(page: ParsedRows, ahead: ParsedRows, source: Source): readonly RowVerdict[] {
    const hasAnswers = source.fields.answer !== undefined;
    const doubted = doubtedRows(page, source);
    const forms = doubted.map(titleForm);
    this.#tallyRows(doubted, forms, source);
    const lookAt = (row: DoubtedRow, form = titleForm(row)): Looked => {
      // A title without a question cannot be sent, whatever is said of odd rows.
      const mayBe = this.#mode === 'hold' || row.question === '';
      const isTitle = mayBe && isHeading(row, this.#tally, { hasAnswers, form });
      const doubt = isTitle ? titleDoubt : doubtAbout(row, this.#tally);
      const isAside = doubt === pageLineDoubt || doubt === answerLineDoubt;
      return { row, isTitle, doubt, kind: doubt === titleDoubt ? 'title' : isAside ? 'aside' : 'row' };
    };
    const looked = doubted.map((row, at) => lookAt(row, forms[at]));
    const below = doubtedRows(ahead, source).map((row) => lookAt(row));
    const ofNeighbours = this.#neighbours.judge(looked, below);
    return looked.map(({ row, isTitle, doubt }, at) => {
      const { line, input } = page.rows[at] ?? { line: 0, input: {} };
      if (isTitle) {
        this.#noteHeading(line, row);
        return { held: reasonOf(titleDoubt.what, null), isHeading: true };
      }
      const found = page.parsed[at]?.failure === null ? (doubt ?? ofNeighbours[at] ?? null) : null;
      return { held: found === null ? null : this.#hold(found, row, { line, input }), isHeading: false };
    });
  }

  #tallyRows(rows: readonly DoubtedRow[], forms: readonly unknown[], { columns }: Source): void {
    this.#tally.columns = columns.length;
    for (const [at, row] of rows.entries()) {
      if (forms[at] !== null) continue;
      this.#tally.rows += 1;
      if (row.cells.length > 1) this.#tally.fuller += 1;
      if (row.isMerged) this.#tally.merged += 1;
      if (/^\s/.test(row.answer)) this.#tally.indented += 1;
      if (row.id !== undefined && isMarkedOff(row.id)) this.#tally.marked += 1;
      if (isReference(row.question)) this.#tally.references += 1;
      if (isSum(row.question)) this.#tally.sums += 1;
      this.#cut.add(row.question);
    }
    this.#tally.cutAt = this.#cut.at;
  }

  #hold(doubt: Doubt, row: DoubtedRow, { line, input }: Pick<RawRow, 'line' | 'input'>): Message | null {
    if (doubt.tellsColumn && this.#count < lookedRows)
      for (const [column, text] of Object.entries(input))
        if (typeof text === 'string')
          this.#letters.set(column, (this.#letters.get(column) ?? 0) + text.length);
    const whole = doubt.mended?.(row) ?? null;
    const mended = whole === null ? null : cutLine(whole, shownLetters);
    this.#note(doubt, line, row, mended);
    return this.#mode === 'send' ? null : reasonOf(doubt.what, mended);
  }

  #noteHeading(line: number, row: DoubtedRow): void {
    this.#headings += 1;
    this.#firstHeading ??= { place: this.#placeOf(line), text: shownText(row) };
  }

  #note(doubt: Doubt, line: number, row: DoubtedRow, mended: string | null): void {
    this.#counts.set(doubt, (this.#counts.get(doubt) ?? 0) + 1);
    this.#count += 1;
    if (this.#shown.length >= shownRows) return;
    const { en, zh } = doubt.what;
    const what =
      mended === null ? doubt.what : { en: `${en}, it may be "${mended}"`, zh: `${zh}，可能是“${mended}”` };
    this.#shown.push({ place: this.#placeOf(line), text: `"${shownText(row)}"`, what });
  }

  /** Lines of the plan. */
  notes(): readonly Message[] {
    const id = this.#mode === 'send' ? 'rows.odd-sent' : 'rows.held';
    const first = this.#firstHeading;
    return [
      ...(first === null ? [] : [message('rows.headings', { count: this.#headings, ...first })]),
      ...(this.#count === 0 ? [] : [message(id, { count: this.#count, held: this.#shown })]),
    ];
  }

  /** What nearly all rows seem to be, and the options to type: then the question is in another column. Null where they do not. */
  allAre({ fields, columns }: Source): { readonly what: Words; readonly maps: Words } | null {
    const { rows } = this.#tally;
    if (this.#mode === 'send' || rows < fewestRows) return null;
    const least = rows < leastRows ? rows : rows * mostOfAll;
    const [doubt] = [...this.#counts].find(([each, count]) => each.tellsColumn && count >= least) ?? [];
    if (doubt === undefined) return null;
    const { question = '' } = fields;
    const { what } = doubt;
    if (doubt.tellsColumn === 'pictures') {
      const maps = `${mapOption('questionImages', question)} ${mapOption('question', noColumn)}`;
      return { what, maps: { en: maps, zh: maps } };
    }
    const lettersOf = (column: string): number => this.#letters.get(column) ?? 0;
    const [longest = ''] = columns
      .filter((column) => !Object.values(fields).includes(column) && meaningOf(column)?.field !== 'answer')
      .toSorted((one, other) => lettersOf(other) - lettersOf(one));
    const isLonger = lettersOf(longest) > longerThan * lettersOf(question);
    const mapTo = (column: string): string => mapOption('question', isLonger ? longest : column);
    return { what, maps: { en: mapTo('COLUMN'), zh: mapTo('列名') } };
  }

  /** How many rows are pieces of questions, where those are so many that a question goes over several rows. Null where they do not. */
  pieces(): { readonly count: number; readonly rows: number } | null {
    const { rows } = this.#tally;
    const count = pieces.reduce((sum, doubt) => sum + (this.#counts.get(doubt) ?? 0), 0);
    return this.#mode === 'hold' && count >= leastRows && count > rows * mostPieces ? { count, rows } : null;
  }
}

function doubtedRows({ rows, parsed }: ParsedRows, { fields }: Source): DoubtedRow[] {
  return rows.map((row, at) => doubtedRow(row, parsed[at]?.question, fields.id));
}

function shownText({ question, cells }: DoubtedRow): string {
  return cutLine(question.trim() || (cells[0] ?? ''), shownLetters);
}

/** In a table of this size, and with cells beside it, no text is taken for a title. */
const fullTable = { rows: leastRows, fuller: leastRows, merged: 0 };

/** What a row seems to be that is sent with corrected texts, and is not with its own; null for nothing. */
export function doubtAboutCorrection(
  input: RawRow['input'],
  { columns, fields }: Source,
  own: ParsedQuestion['question'],
  corrected: { readonly question: string | null; readonly answer: string | null },
): Words | null {
  const doubtWith = (question: ParsedQuestion['question']): Doubt | null => {
    const texts = { [fields.question ?? '']: question.question, [fields.answer ?? '']: question.answer };
    const row = doubtedRow({ line: 0, input: { ...input, ...texts } }, question, fields.id);
    return doubtAbout(row, { ...fullTable, columns: columns.length });
  };
  const next = doubtWith({
    ...own,
    question: corrected.question ?? own.question,
    answer: corrected.answer ?? own.answer,
  });
  return next === null || next === doubtWith(own) ? null : next.what;
}

function doubtedRow(
  { input, isMerged = false, isBelow = false, isLong = false }: RawRow,
  question: ParsedQuestion['question'] | undefined,
  idColumn: string | undefined,
): DoubtedRow {
  const cells: string[] = [];
  for (const value of Object.values(input)) {
    // Lists hold pictures, which may be megabytes.
    const text = typeof value === 'object' ? (value === null ? '' : '[...]') : String(value ?? '');
    if (text.trim() !== '') cells.push(text);
  }
  return {
    question: question?.question ?? '',
    answer: question?.answer ?? '',
    hasPictures: (question?.questionImages.length ?? 0) > 0,
    cells,
    isMerged,
    isBelow,
    isLong,
    hasId: idColumn === undefined ? null : question?.id != null,
    ...(question?.id != null && { id: question.id }),
  };
}
