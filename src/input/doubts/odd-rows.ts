/** Holds back rows that look odd: they are not paid for unless somebody says so. Which rows are odd, says `row-doubts.ts`. */

import type { Words } from '../../messages/both.ts';
import type { OddPlace, PlaceOf } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import { oddStart } from '../../messages/reasons/rows.ts';
import type { ParsedQuestion } from '../../money/parse-question.ts';
import type { Source } from '../../money/question.ts';
import { cutLine } from '../../text/cells/cut-text.ts';
import type { RawRow } from '../read-rows.ts';
import type { OddMode } from './odd-modes.ts';
import {
  type DoubtedRow,
  doubtAbout,
  isHeading,
  type RowDoubt,
  titleDoubt,
  titleForm,
} from './row-doubts.ts';

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

export class OddRows {
  readonly #placeOf: PlaceOf;
  readonly #mode: OddMode;
  readonly #tally = { rows: 0, fuller: 0, merged: 0, columns: 0 };
  readonly #shown: OddPlace[] = [];
  readonly #counts = new Map<RowDoubt, number>();
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

  look(
    rows: readonly RawRow[],
    parsed: readonly ParsedQuestion[],
    { columns, fields }: Source,
  ): readonly RowVerdict[] {
    this.#tally.columns = columns.length;
    const doubted = rows.map((row, at) => doubtedRow(row, parsed[at]?.question, fields.id));
    const forms = doubted.map(titleForm);
    for (const [at, row] of doubted.entries()) {
      if (forms[at] !== null) continue;
      this.#tally.rows += 1;
      if (row.cells.length > 1) this.#tally.fuller += 1;
      if (row.isMerged) this.#tally.merged += 1;
    }
    const hasAnswers = fields.answer !== undefined;
    return doubted.map((row, at) => {
      const line = rows[at]?.line ?? 0;
      // A title without a question cannot be sent, whatever is said of odd rows.
      const mayBe = this.#mode === 'hold' || row.question === '';
      if (mayBe && isHeading(row, this.#tally, { hasAnswers, form: forms[at] })) {
        this.#noteHeading(line, row);
        return { held: reasonOf(titleDoubt.what, null), isHeading: true };
      }
      const held = parsed[at]?.failure === null ? this.#doubt(row, line) : null;
      return { held, isHeading: false };
    });
  }

  #doubt(row: DoubtedRow, line: number): Message | null {
    const doubt = doubtAbout(row, this.#tally);
    if (doubt === null) return null;
    const whole = doubt.mended?.(row) ?? null;
    const mended = whole === null ? null : cutLine(whole, shownLetters);
    this.#note(doubt, line, row, mended);
    return this.#mode === 'send' ? null : reasonOf(doubt.what, mended);
  }

  #noteHeading(line: number, row: DoubtedRow): void {
    this.#headings += 1;
    this.#firstHeading ??= { place: this.#placeOf(line), text: shownText(row) };
  }

  #note(doubt: RowDoubt, line: number, row: DoubtedRow, mended: string | null): void {
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

  /** What nearly all rows seem to be: then the question is in another column. Null where they do not. */
  whatAllAre(): Words | null {
    if (this.#mode === 'send' || this.#tally.rows < leastRows) return null;
    const most = [...this.#counts].find(
      ([doubt, count]) => doubt.tellsColumn && count >= this.#tally.rows * mostOfAll,
    );
    return most?.[0].what ?? null;
  }
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
  const doubtWith = (question: ParsedQuestion['question']): RowDoubt | null => {
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
  { input, isMerged = false }: RawRow,
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
    hasId: idColumn === undefined ? null : question?.id != null,
  };
}
