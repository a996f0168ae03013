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
import { holdsMore, type NearColumn, nearColumns, nearestOnes } from '../columns/near-columns.ts';
import { optionColumns } from '../columns/option-columns.ts';

type FieldColumns = Source['fields'];

/** What the cells of a field look like: any of them may be missing without a word. */
const looks: Readonly<Record<Field, RegExp>> = {
  id: /^\S{1,100}$/,
  question: /\S/,
  questionImages: picture(),
  answer: /\S/,
  answerImages: picture(),
  quality: new RegExp(`^\\s*(?:${qualities.join('|')})\\s*$`, 'i'),
  notify_url: /^https?:\/\/\S+$/i,
};

function picture(): RegExp {
  return /^\s*(?:\[\s*")?(?:https?:\/\/\S|data:image\/|[^\n]{0,1000}\.(?:png|jpe?g|gif|webp|bmp|svg|avif|heic|tiff?)(?![\p{L}\p{N}])|[A-Za-z0-9+/]{100})/iu;
}

/** Cells of a column that are looked at, and how many of them must look like its field. */
const lookedCells = 20;
const mostOfThem = 0.5;
/** Ids are told from a word that rows share by being different ones. */
const mostIds = 0.9;

interface Tally {
  cells: number;
  alike: number;
  /** Where the field is the id. */
  readonly ids: Set<string>;
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
  #near: readonly NearColumn[] = [];
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
    const open = this.#near.filter(({ column }) => (this.#tallies.get(column)?.cells ?? 0) < lookedCells);
    if (this.#rivals.length === 0 && open.length === 0) return;
    for (const { input } of rows) {
      const cellOf = (column: string): string => textOf(input[column]);
      for (const rival of this.#rivals) {
        const text = cellOf(rival);
        if (text !== '' && text !== cellOf(this.#question)) this.#rivalsWithCells.add(rival);
      }
      for (const { field, column } of open) this.#count(column, cellOf(column), field);
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
    this.#near = nearColumns(columns, fields).filter(
      ({ field, rank }) => this.#overrides[field] === undefined && (field !== 'id' || rank !== holdsMore),
    );
  }

  #count(column: string, text: string, field: Field): void {
    if (text === '') return;
    const tally = this.#tallies.get(column) ?? { cells: 0, alike: 0, ids: new Set() };
    this.#tallies.set(column, tally);
    tally.cells += 1;
    if (looks[field].test(text) && !tally.ids.has(text)) tally.alike += 1;
    if (field === 'id') tally.ids.add(text);
  }

  /** Each with the options to type. */
  problems(): readonly Message[] {
    const rivals = this.#rivals.filter((column) => this.#rivalsWithCells.has(column));
    const both = [this.#question, ...rivals];
    const alike = this.#near.filter(({ field, column }) => {
      const { cells, alike } = this.#tallies.get(column) ?? { cells: 0, alike: 0 };
      return alike > 0 && alike >= cells * (field === 'id' ? mostIds : mostOfThem);
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
      ...nearestOnes(alike).map(({ field, column }) =>
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
