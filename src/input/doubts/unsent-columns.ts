/**
 * Pure. Columns that are not sent and hold a part of the question: its pictures, or the text that it asks about. Paid for
 * without it, the video would be of another question.
 */

import { type Message, message } from '../../messages/message.ts';
import {
  type Field,
  isPictureField,
  type PictureField,
  pictureFields,
  type Source,
} from '../../money/question.ts';
import { mapOption, noColumn, quoteColumns } from '../columns/columns.ts';
import { headerKey, meaningOf } from '../columns/known-names.ts';
import { comparedCount } from '../columns/near-columns.ts';
import { furtherPictures } from '../columns/numbered-pictures.ts';
import { optionColumns } from '../columns/option-columns.ts';
import { isChoicesName } from './choices.ts';

type FieldColumns = Source['fields'];
type Input = Readonly<Record<string, unknown>>;

/** Columns of texts that several questions are about, as `headerKey` returns them. */
const passages = new Set(
  (
    'passage passages readingpassage readingtext context contexts article articletext background stimulus paragraph ' +
    'scenario material sharedstem commonstem casestudy ' +
    '材料 阅读材料 背景材料 题目材料 材料内容 材料正文 背景 题目背景 情境 情景 短文 文章 原文 语篇 阅读文本 篇章 ' +
    '大题题干 公共题干 共用题干 共享题干 主题干 案例 引文 閱讀材料 文章內容'
  ).split(' '),
);

/** A question about a text that stands elsewhere. */
const refers =
  /(?:根据|依据|结合|阅读)(?:以上|上述|上面|以下|下面|下列|本|这段|这篇|所给|题目)?的?(?:材料|短文|上文|文章|课文|原文|文段|段落|对话)|(?:according to|based on|in|read) (?:the|this) (?:above |following )?(?:passage|text|article|paragraph|story|extract|excerpt)\b/i;
/** In a longer question the text itself stands. */
const mostAsked = 300;

/** Pictures of something else than the question. */
const otherPictures =
  /avatar|logo|icon|thumb|cover|poster|video|source|credit|qr|option|choice|头像|图标|缩略|封面|海报|视频|来源|出处|二维码|选项/i;
const ofAnswer = /答|解析|answer|solution|explanation/i;
const picture =
  /^\s*(?:\[\s*")?(?:data:image\/|(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)[a-z0-9+/]{40}|(?:https?:\/\/)?[^\s<>"]{1,1000}\.(?:png|jpe?g|gif|webp|bmp|svg|avif|heic|tiff?)(?:[?#"]|\s*$))/iu;

/** Cells of a column that are looked at. */
export const lookedCells = 20;
const mostPictures = 0.5;
/** Often a text stands in the first of its rows only. */
const fewestTexts = 0.2;

interface Tally {
  cells: number;
  pictures: number;
  texts: number;
}

interface Unsent {
  readonly column: string;
  readonly isPassage: boolean;
  /** The field of its pictures; null where they are of something else. */
  readonly field: PictureField | null;
  readonly tally: Tally;
}

export class UnsentColumns {
  readonly #overrides: FieldColumns;
  #fields: FieldColumns = {};
  #columns: readonly Unsent[] = [];

  /** `overrides` are the columns that the user chose. */
  constructor(overrides: FieldColumns) {
    this.#overrides = overrides;
  }

  /** `near` are asked about already. */
  meet(columns: readonly string[], fields: FieldColumns, near: readonly string[]): void {
    const further = furtherPictures(columns, fields);
    const known = new Map(this.#columns.map((each) => [each.column, each.tally]));
    const others = new Set([
      ...near,
      ...optionColumns(columns),
      ...Object.values(fields),
      ...pictureFields.flatMap((field) => further?.[field] ?? []),
    ]);
    this.#fields = fields;
    this.#columns = columns.slice(0, comparedCount).flatMap((column) => {
      const { field } = meaningOf(column) ?? {};
      if (others.has(column) || isChoicesName(column) || (field !== undefined && !isPictureField(field)))
        return [];
      const pictures = field ?? (ofAnswer.test(column) ? 'answerImages' : 'questionImages');
      return [
        {
          column,
          isPassage: passages.has(headerKey(column)) && this.#overrides.question === undefined,
          field: otherPictures.test(column) || this.#overrides[pictures] !== undefined ? null : pictures,
          tally: known.get(column) ?? { cells: 0, pictures: 0, texts: 0 },
        },
      ];
    });
  }

  look(rows: readonly { readonly input: Input }[]): void {
    const open = this.#columns.filter(({ tally }) => tally.cells < lookedCells);
    if (open.length === 0) return;
    for (const { input } of rows) for (const unsent of open) this.#count(unsent, input);
  }

  #count({ column, isPassage, field, tally }: Unsent, input: Input): void {
    const cell = input[column];
    const text = cell === '' ? '' : textOf(cell);
    if (text === '') return;
    tally.cells += 1;
    if (picture.test(text)) {
      if (field !== null && textOf(input[this.#fields[field] ?? '']) === '') tally.pictures += 1;
      return;
    }
    const question = textOf(input[this.#fields.question ?? '']);
    if (!isLong(text) || question.includes(text.slice(0, 40))) return;
    const isAsked =
      question.length < mostAsked && refers.test(question) && this.#overrides.question === undefined;
    if (isPassage || isAsked) tally.texts += 1;
  }

  /** Each with the options to type. */
  problems(): readonly Message[] {
    const { question } = this.#fields;
    const texts = this.#columns.filter(
      ({ tally }) => tally.texts > 0 && tally.texts >= tally.cells * fewestTexts,
    );
    return [
      ...pictureFields.flatMap((field) => this.#picturesOf(field)),
      ...(texts.length === 0 || question === undefined
        ? []
        : [
            message('columns.passages', {
              columns: quoteColumns(texts.map(({ column }) => column)),
              question: JSON.stringify(question),
              map: mapOption('question', question),
            }),
          ]),
    ];
  }

  #picturesOf(field: PictureField): readonly Message[] {
    const found = this.#columns.filter(
      (each) =>
        each.field === field &&
        each.tally.pictures > 0 &&
        each.tally.pictures >= each.tally.cells * mostPictures,
    );
    if (found.length === 0) return [];
    const columns = [this.#fields[field] ?? [], ...found.map(({ column }) => column)].flat();
    return [seeming(field, columns)];
  }
}

/** Says of columns that they seem to hold the field, with the options to type. */
export function seeming(field: Field, columns: readonly string[]): Message {
  const maps = columns.map((column) => mapOption(field, column));
  const said = { columns: quoteColumns(columns), field, none: mapOption(field, noColumn) };
  return maps.length === 1
    ? message('columns.seeming', { ...said, map: maps.join('') })
    : message('columns.seeming-some', { ...said, maps: maps.slice(0, 5).join(', ') });
}

/** Sentences, not a word or an address. */
function isLong(text: string): boolean {
  return (
    text.length >= (/\p{Script=Han}{2}/u.test(text) ? 15 : 40) && /\p{Script=Han}|\S\s\S.*\s\S/su.test(text)
  );
}

/** Lists hold pictures or choices; an object may be a picture with its path. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return String(value[0] ?? '');
  const { path = value } = value as { readonly path?: unknown };
  return String(path);
}
