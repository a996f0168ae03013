/** Turns cells of HTML into text, and adds their images to those of their row. */

import { listEntries } from '../files/image-source.ts';
import { message } from '../messages/message.ts';
import type { Field, PictureField } from '../money/question.ts';
import { isHtml } from '../text/cell-kinds.ts';
import type { HtmlLibrary } from './html-library.ts';
import { type HtmlCell, hasNamedCharacter, htmlToText } from './html-text.ts';
import type { Problems } from './read-problems.ts';
import type { FieldColumns, RawRow, RowPage } from './read-rows.ts';

/** The rows of one file whose HTML becomes text. */
export interface HtmlRows {
  /** The page with its HTML as text. It may have more columns than before, for images. */
  convert(page: RowPage): RowPage;
  /** Cells so far, images in them, and cells of which something was left out. */
  counts(): { readonly cells: number; readonly images: number; readonly unseen: number };
}

const sides = [
  ['question', 'questionImages'],
  ['answer', 'answerImages'],
] as const;

export function createHtmlRows(library: HtmlLibrary, problems: Problems): HtmlRows {
  const added: { questionImages?: string; answerImages?: string } = {};
  const refused = new Set<Field>();
  let cells = 0;
  let images = 0;
  let unseen = 0;

  const convertRow = (row: RawRow, columns: readonly string[], fields: FieldColumns): RawRow => {
    let input: Record<string, unknown> | null = null;
    const read = (column: string | undefined): HtmlCell | null => {
      const value = column === undefined ? null : row.input[column];
      if (typeof value !== 'string' || !(isHtml(value) || hasNamedCharacter(value, library))) return null;
      const cell = htmlToText(value, library);
      cells += 1;
      images += cell.images.length;
      if (cell.hasUnseen) unseen += 1;
      return cell;
    };
    for (const [textField, imageField] of sides) {
      const text = read(fields[textField]);
      const list = read(fields[imageField]);
      if (text === null && list === null) continue;
      input ??= { ...row.input };
      if (text !== null) input[fields[textField] ?? ''] = text.text;
      const found = [...(text?.images ?? []), ...(list?.images ?? [])];
      if (found.length === 0) continue;
      const column = fields[imageField] ?? newColumn(imageField, columns);
      const own = list === null ? row.input[column] : list.text;
      input[column] = [...found, ...listEntries(own)];
    }
    return input === null ? row : { ...row, input };
  };

  const newColumn = (field: PictureField, columns: readonly string[]): string => {
    let name = added[field] ?? field;
    while (added[field] === undefined && columns.includes(name)) name += ' ';
    added[field] = name;
    return name;
  };

  /** The columns of the last page apply to all rows: images of rows above would be lost in another one. */
  const refuseOtherColumn = (fields: FieldColumns, line: number | null): void => {
    for (const [, field] of sides) {
      const column = fields[field] ?? added[field];
      if (added[field] === undefined || column === added[field] || refused.has(field)) continue;
      refused.add(field);
      problems.add(line, message('columns.key-below-images', { key: JSON.stringify(column), field }));
    }
  };

  return {
    convert({ rows, columns, fields }) {
      refuseOtherColumn(fields, rows[0]?.line ?? null);
      const converted = rows.map((row) => convertRow(row, columns, fields));
      const more = Object.values(added).filter((column) => !columns.includes(column));
      return {
        rows: converted,
        columns: [...columns, ...more],
        fields: { ...fields, ...without(added, fields) },
      };
    },
    counts: () => ({ cells, images, unseen }),
  };
}

/** The columns that were added for fields that still have none. */
function without(added: FieldColumns, fields: FieldColumns): FieldColumns {
  return Object.fromEntries(Object.entries(added).filter(([field]) => !(field in fields)));
}
