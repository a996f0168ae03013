/**
 * Pure. Doubts about the columns of a file, answered by their cells: two columns that both mean the question, and a column
 * without a known name that seems to hold what a field would send. A wrong guess would be paid for in every row.
 */

import { type Message, message } from '../../messages/message.ts';
import { qualities } from '../../money/item.ts';
import type { Field, Source } from '../../money/question.ts';
import { shellOption } from '../../text/shell-word.ts';
import { cutName, noColumn, quoteColumns } from '../columns/columns.ts';
import { meaningOf } from '../columns/known-names.ts';
import { nearFields } from '../columns/near-columns.ts';
import { optionColumns } from '../columns/option-columns.ts';

type FieldColumns = Source['fields'];

/** Fields that may be missing without a word, and what their cells look like. */
const lookedFields = ['question', 'questionImages', 'answer', 'answerImages', 'quality'] as const;
type LookedField = (typeof lookedFields)[number];
const looks: Readonly<Record<LookedField, RegExp>> = {
  question: /\S/,
  questionImages: picture(),
  answer: /\S/,
  answerImages: picture(),
  quality: new RegExp(`^\\s*(?:${qualities.join('|')})\\s*$`, 'i'),
};

function picture(): RegExp {
  return /^\s*(?:\[\s*")?(?:https?:\/\/\S|data:image\/|[^\n]{0,1000}\.(?:png|jpe?g|gif|webp|bmp|svg|avif|heic|tiff?)(?![\p{L}\p{N}])|[A-Za-z0-9+/]{100})/iu;
}

/** Cells of a column that are looked at, and how many of them must look like its field. */
const lookedCells = 20;
const mostOfThem = 0.5;

interface Tally {
  cells: number;
  alike: number;
}

export class ColumnDoubts {
  readonly #overrides: FieldColumns;
  #columns: readonly string[] = [];
  #fields: FieldColumns = {};
  /** Other columns that mean the question. */
  #rivals: readonly string[] = [];
  #question = '';
  readonly #rivalsWithCells = new Set<string>();
  /** Of the fields without a column. */
  #near: readonly (readonly [LookedField, string])[] = [];
  readonly #tallies = new Map<string, Tally>();

  /** `overrides` are the columns that the user chose. */
  constructor(overrides: FieldColumns) {
    this.#overrides = overrides;
  }

  look({
    rows,
    columns,
    fields,
  }: Pick<Source, 'columns' | 'fields'> & {
    readonly rows: readonly { readonly input: Readonly<Record<string, unknown>> }[];
  }): void {
    if (columns.length !== this.#columns.length || fields !== this.#fields) this.#meet(columns, fields);
    const open = this.#near.filter(([, column]) => (this.#tallies.get(column)?.cells ?? 0) < lookedCells);
    if (this.#rivals.length === 0 && open.length === 0) return;
    for (const { input } of rows) {
      const cellOf = (column: string): string => textOf(input[column]);
      for (const rival of this.#rivals) {
        const text = cellOf(rival);
        if (text !== '' && text !== cellOf(this.#question)) this.#rivalsWithCells.add(rival);
      }
      for (const [field, column] of open) this.#count(column, cellOf(column), looks[field]);
    }
  }

  #meet(columns: readonly string[], fields: FieldColumns): void {
    this.#columns = columns;
    this.#fields = fields;
    const { question } = fields;
    const isOpen = question !== undefined && this.#overrides.question === undefined;
    const others = columns.filter((column) => column !== question && meaningOf(column)?.field === 'question');
    this.#question = question ?? '';
    this.#rivals = isOpen ? others : [];
    const near = nearFields(columns, fields);
    this.#near = lookedFields.flatMap((field) => {
      const column = near[field];
      return column === undefined || this.#overrides[field] !== undefined ? [] : [[field, column] as const];
    });
  }

  #count(column: string, text: string, look: RegExp): void {
    if (text === '') return;
    const tally = this.#tallies.get(column) ?? { cells: 0, alike: 0 };
    this.#tallies.set(column, tally);
    tally.cells += 1;
    if (look.test(text)) tally.alike += 1;
  }

  /** Each with the options to type. */
  problems(): readonly Message[] {
    const rivals = this.#rivals.filter((column) => this.#rivalsWithCells.has(column));
    const both = [this.#question, ...rivals];
    const seeming = this.#near.filter(([, column]) => {
      const { cells, alike } = this.#tallies.get(column) ?? { cells: 0, alike: 0 };
      return alike > 0 && alike >= cells * mostOfThem;
    });
    return [
      ...(rivals.length === 0
        ? []
        : [
            message('columns.two-questions', {
              columns: quoteColumns(both),
              maps: both
                .slice(0, 3)
                .map((column) => mapOption('question', column))
                .join(', '),
            }),
          ]),
      ...seeming.map(([field, column]) =>
        message('columns.seeming', {
          column: JSON.stringify(cutName(column)),
          field,
          map: mapOption(field, column),
          none: mapOption(field, noColumn),
        }),
      ),
    ];
  }

  /** Where several columns mean one field, which one is taken. */
  notes(): readonly Message[] {
    const options = new Set(optionColumns(this.#columns));
    return Object.entries(this.#fields).flatMap(([field, column]) => {
      if (this.#overrides[field as Field] !== undefined || field === 'question') return [];
      const others = this.#columns.filter(
        (other) => other !== column && !options.has(other) && meaningOf(other)?.field === field,
      );
      if (others.length === 0) return [];
      return [message('columns.ranked', { field, column: cutName(column), columns: quoteColumns(others) })];
    });
  }
}

function mapOption(field: Field, column: string): string {
  return shellOption('map', `${field}=${column}`);
}

/** Lists hold pictures or choices. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined ? '' : String(Array.isArray(value) ? (value[0] ?? '') : value);
}
