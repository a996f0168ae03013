/** Pure. Pictures in columns of their own, one next to the other: `图片1`, `图片2`; `Image 1`, `Image 2`. */

import {
  type Field,
  isPictureField,
  type PictureField,
  pictureFields,
  type Source,
} from '../../money/question.ts';
import { headerKey, meaningOf } from './known-names.ts';

interface NumberedName {
  readonly field: PictureField;
  /** What the names of the others have in common with it. */
  readonly stem: string;
  /** 0 for a name without one. */
  readonly number: number;
}

const hanNumbers = '一二三四五六七八九十';

/** A known name of pictures with a number in it or without one; null for another column. */
function numberedName(column: string): NumberedName | null {
  const key = headerKey(column).replace(/[()[\]【】]/g, '');
  const [, before = key, sign = '0', behind = ''] =
    /^(\D*?)(\d{1,2}|[一二三四五六七八九十])(\D*)$/.exec(key) ?? [];
  const stem = before + behind;
  const field = meaningOf(stem)?.field;
  if (field === undefined || !isPictureField(field)) return null;
  const number = hanNumbers.includes(sign) ? hanNumbers.indexOf(sign) + 1 : Number(sign);
  return { field, stem, number };
}

/** The columns with pictures of the field, in their order: those that are named like the first one of them. */
export function numberedColumns(columns: readonly string[], field: PictureField): readonly string[] {
  const named = columns.flatMap((column) => {
    const name = numberedName(column);
    return name?.field === field ? [{ column, ...name }] : [];
  });
  return named
    .filter(({ stem }) => stem === named[0]?.stem)
    .sort((one, other) => one.number - other.number)
    .map(({ column }) => column);
}

/** The columns whose pictures follow those of the field's own column. */
export function furtherPictures(
  columns: readonly string[],
  columnOf: Readonly<Partial<Record<Field, string>>>,
): Source['furtherPictures'] {
  const taken = new Set(Object.values(columnOf));
  const found = pictureFields.flatMap((field) => {
    const stem = numberedName(columnOf[field] ?? '')?.stem;
    if (stem === undefined) return [];
    const others = columns.filter((column) => !taken.has(column) && numberedName(column)?.stem === stem);
    return others.length === 0 ? [] : [[field, numberedColumns(others, field)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** True for a column of pictures with a number. */
export function isNumberedPicture(column: string): boolean {
  return (numberedName(column)?.number ?? 0) > 0;
}
