/**
 * Pure. Doubts about the columns of a file, answered by their cells: two columns that both mean the question, and a column
 * without a known name that seems to hold what a field would send. A wrong guess would be paid for in every row.
 */

import { type Message, message } from '../../messages/message.ts';
import { qualities } from '../../money/item.ts';
import type { Field, Source } from '../../money/question.ts';
import { isMissingEntry, isNoAnswer } from '../../text/cells/missing-values.ts';
import { plainValue } from '../../text/json-text.ts';
import { cutName, mapOption, noColumn, quoteColumns } from '../columns/columns.ts';
import { copiedName, headerKey, meaningOf } from '../columns/known-names.ts';
import {
  equallyNear,
  holdsMore,
  type NearColumn,
  nearColumns,
  numberedParts,
} from '../columns/near-columns.ts';
import { optionColumns } from '../columns/option-columns.ts';
import { lookedCells, seeming, textOf, UnsentColumns } from './unsent-columns.ts';

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

/** What in a column of the field is none of it; words for a missing value are empty cells. */
const misfits: Partial<Record<Field, (cell: unknown) => boolean>> = {
  id: (cell) => typeof plainValue(cell) === 'object',
  questionImages: isFlag,
  answerImages: isFlag,
  quality: (cell) => !looks.quality.test(textOf(cell)) && !isMissingEntry(textOf(cell)),
  notify_url: (cell) => !looks.notify_url.test(textOf(cell)) && !isMissingEntry(textOf(cell)),
};

/** Whether there is a picture, in place of the picture. */
function isFlag(cell: unknown): boolean {
  return /^(?:true|false|yes|no|y|n|[01]|有|无|没有|是|否|有图|无图|见图|如图|[√✓✔×✗])$/i.test(textOf(cell));
}

/** With fewer cells that are none of it, one of them says so itself. */
const fewestMisfits = 2;

/** Columns that say which rows are in use, and the words for those that are not. */
const uses: readonly { readonly column: RegExp; readonly off: RegExp }[] = [
  {
    column: /^(?:题目|试题)?状态$|^(?:question|item|publish(?:ing)?)?(?:status|state)$/,
    off: /^(?:已?(?:删除|停用|禁用|作废|废弃|下架|归档|隐藏|弃用)|草稿|未发布|未启用|deleted|removed|drafts?|disabled|inactive|archived|retired|deprecated|hidden|unpublished)$/i,
  },
  {
    column: /^(?:是否|已)(?:删除|停用|禁用|作废)$|^(?:is)?(?:deleted|disabled|archived|hidden|draft)$/,
    off: /^(?:是|1|true|yes|y)$/i,
  },
  {
    column: /^(?:是否)?(?:启用|有效|发布)$|^(?:is)?(?:enabled|active|published)$/,
    off: /^(?:否|0|false|no|n)$/i,
  },
];

/** How many of the cells that are looked at must look like the column's field. */
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
  /** Other columns that mean a field, by it. */
  #rivals: readonly { readonly field: Field; readonly own: string; readonly column: string }[] = [];
  readonly #rivalsWithCells = new Set<string>();
  /** Of columns of fields in which no row was right so far, an empty cell included; null where one was. */
  readonly #misfits = new Map<
    Field,
    { count: number; readonly column: string; readonly first: string } | null
  >();
  readonly #unsent: UnsentColumns;
  /** Column and words of the rows that are not in use. */
  #use: { readonly column: string; readonly off: RegExp } | null = null;
  readonly #unused = { count: 0, word: '' };
  /** Another column for the answer, and rows with one there whose own only points to it. */
  #otherAnswer: { readonly own: string; readonly column: string } | null = null;
  #pointing = 0;
  /** Of the fields without a column. */
  #near: readonly NearColumn[] = [];
  readonly #tallies = new Map<string, Tally>();

  /** `overrides` are the columns that the user chose. */
  constructor(overrides: FieldColumns) {
    this.#overrides = overrides;
    this.#unsent = new UnsentColumns(overrides);
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
    this.#unsent.look(rows);
    this.#seekMisfits(rows);
    const [use, other] = [this.#use, this.#otherAnswer];
    if (this.#rivals.length === 0 && open.length === 0 && use === null && other === null) return;
    for (const { input } of rows) {
      const cellOf = (column: string): string => textOf(input[column]);
      if (use?.off.test(cellOf(use.column)) && this.#unused.count++ === 0)
        this.#unused.word = cellOf(use.column);
      if (other !== null && isNoAnswer(cellOf(other.own)) && cellOf(other.column) !== '') this.#pointing += 1;
      for (const { own, column } of this.#rivals) {
        const text = cellOf(column);
        if (text !== '' && text !== cellOf(own)) this.#rivalsWithCells.add(column);
      }
      for (const { field, column } of open) this.#count(column, cellOf(column), field);
    }
  }

  #meet(columns: readonly string[], fields: FieldColumns): void {
    this.#columns = columns;
    this.#fields = fields;
    const keys = new Set(columns.map(headerKey));
    this.#rivals = (['question', 'answer'] as const).flatMap((field) => {
      const own = fields[field];
      if (own === undefined || this.#overrides[field] !== undefined) return [];
      const isRival = (column: string): boolean => {
        const copied = copiedName(column, field === 'answer');
        if (field === 'question' && meaningOf(column)?.field === field) return true;
        return copied !== null && meaningOf(copied)?.field === field && keys.has(headerKey(copied));
      };
      return columns
        .filter((column) => column !== own && isRival(column))
        .map((column) => ({ field, own, column }));
    });
    const taken = new Set(Object.values(fields));
    const free = columns.filter((column) => !taken.has(column));
    [this.#use = null] = free.flatMap((column) => {
      const use = uses.find((each) => each.column.test(headerKey(column)));
      return use === undefined ? [] : [{ column, off: use.off }];
    });
    const { answer: own } = fields;
    const column = this.#otherColumns('answer')[0];
    this.#otherAnswer = own === undefined || column === undefined ? null : { own, column };
    this.#near = nearColumns(columns, fields).filter(
      ({ field, rank }) => this.#overrides[field] === undefined && (field !== 'id' || rank !== holdsMore),
    );
    const asked = [...this.#near, ...this.#rivals].map(({ column }) => column);
    this.#unsent.meet(columns, fields, asked);
  }

  #seekMisfits(rows: readonly { readonly input: Readonly<Record<string, unknown>> }[]): void {
    for (const [field, isMisfit] of Object.entries(misfits) as [Field, (cell: unknown) => boolean][]) {
      const column = this.#fields[field];
      if (column === undefined || this.#overrides[field] !== undefined) continue;
      let seen = this.#misfits.get(field);
      for (const { input } of rows) {
        if (seen === null) break;
        const cell = input[column];
        if (textOf(cell) === '' || !isMisfit(cell)) seen = null;
        else if (seen === undefined) seen = { count: 1, column, first: cutName(JSON.stringify(cell)) };
        else seen.count += 1;
      }
      if (seen !== undefined) this.#misfits.set(field, seen);
    }
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
    const rivals = this.#rivals.filter(({ column }) => this.#rivalsWithCells.has(column));
    const alike = this.#near.filter(({ field, column }) => {
      const { cells, alike } = this.#tallies.get(column) ?? { cells: 0, alike: 0 };
      return alike > 0 && alike >= cells * (field === 'id' ? mostIds : mostOfThem);
    });
    const parts = this.#fields.answer === undefined ? numberedParts(this.#columns, 'answer') : [];
    const isAsked = this.#fields.question !== undefined && this.#overrides.answer === undefined;
    return [
      ...rivals.flatMap(({ field, own }, at) => {
        const ofField = rivals.filter((rival) => rival.field === field);
        if (ofField[0] !== rivals[at]) return [];
        const both = [own, ...ofField.map(({ column }) => column)];
        const maps = both.slice(0, 3).map((column) => mapOption(field, column));
        const said = { columns: quoteColumns(both), field, maps: maps.join(', ') };
        return [message('columns.two-questions', said)];
      }),
      ...equallyNear(alike).map((near) => {
        const columns = near.map(({ column }) => column);
        return seeming(near[0].field, columns);
      }),
      ...this.#unsent.problems(),
      ...(parts.length === 0 || !isAsked
        ? []
        : [message('columns.parts', { columns: quoteColumns(parts), none: mapOption('answer', noColumn) })]),
      ...[...this.#misfits].flatMap(([field, found]) =>
        found === null || found.count < fewestMisfits
          ? []
          : [
              message('columns.none-fits', {
                column: JSON.stringify(cutName(found.column)),
                field,
                first: found.first,
                none: mapOption(field, noColumn),
              }),
            ],
      ),
    ];
  }

  /** Where several columns mean one field, which one is taken. */
  notes(): readonly Message[] {
    const [use, other] = [this.#use, this.#otherAnswer];
    const ranked = Object.entries(this.#fields).flatMap(([field, column]) => {
      if (this.#overrides[field as Field] !== undefined || field === 'question') return [];
      const others = this.#otherColumns(field as Field);
      if (others.length === 0) return [];
      return [message('columns.ranked', { field, column: cutName(column), columns: quoteColumns(others) })];
    });
    return [
      ...ranked,
      ...(other === null || this.#pointing === 0
        ? []
        : [
            message('columns.answer-beside', {
              count: this.#pointing,
              column: cutName(other.column),
              map: mapOption('answer', other.column),
            }),
          ]),
      ...(use === null || this.#unused.count === 0
        ? []
        : [message('columns.switched-off', { ...this.#unused, column: cutName(use.column) })]),
    ];
  }

  /** The columns that mean the field, but the one that is taken. */
  #otherColumns(field: Field): readonly string[] {
    const options = new Set(optionColumns(this.#columns));
    return this.#columns.filter(
      (other) => other !== this.#fields[field] && !options.has(other) && meaningOf(other)?.field === field,
    );
  }
}
