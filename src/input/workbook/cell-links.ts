/** The links of cells. They stand behind the rows, so a sheet is read again for them: only where pictures are listed. */

import { isImagePath, listImages, parseImage } from '../../files/image-source.ts';
import { cellName } from './cell-values.ts';
import { columnOf, type Range, rangeOf } from './merged-cells.ts';
import type { Relation } from './parts.ts';
import { sheetMaxBytes } from './sheet.ts';
import { hasElement, readXml } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** Where the link of a cell leads; null for a cell without one. Rows count from 1, columns from 0. */
export type FindLink = (row: number, column: number) => string | null;

/** No sheet of questions links more ranges of cells; each is looked at for each cell. */
const mostRanges = 1_000;
const element = 'hyperlink';

/** The links in some columns of a sheet. `relations` are those of the sheet. Throws `WorkbookError`. */
export async function readCellLinks(
  source: Package,
  part: Part,
  {
    relations,
    columns,
  }: { readonly relations: ReadonlyMap<string, Relation>; readonly columns: ReadonlySet<number> },
): Promise<FindLink> {
  const cells = new Map<string, string>();
  const ranges: { readonly range: Range; readonly target: string }[] = [];
  const isLinked = columns.size > 0 && (await hasElement(source.stream(part, sheetMaxBytes), element));
  if (!isLinked) return () => null;
  await readXml(source.stream(part, sheetMaxBytes), part.name, {
    open(name, { ref = '', ':id': id = '' }) {
      const relation = name === element ? relations.get(id) : undefined;
      if (relation === undefined || !relation.isOutside) return;
      const range = rangeOf(ref);
      if (range !== null && ranges.length < mostRanges) ranges.push({ range, target: relation.target });
      const place = ref.replaceAll('$', '');
      if (range === null && columns.has(columnOf(place))) cells.set(place, relation.target);
    },
    close() {},
    text() {},
  });
  return (row, column) => {
    const own = cells.get(cellName(row, column));
    if (own !== undefined) return own;
    const found = ranges.find(
      ({ range: { top, bottom, left, right } }) =>
        row >= top && row <= bottom && column >= left && column <= right,
    );
    return found?.target ?? null;
  };
}

/** Where the formula `HYPERLINK` leads that is all of a cell; null for another one, and where its address is computed. */
export function linkIn(formula: string): string | null {
  return /^\s*HYPERLINK\s*\(\s*"([^"]+)"\s*(?:,.*)?\)\s*$/is.exec(formula)?.[1] ?? null;
}

/** The picture that a cell names: where its link leads, unless its text is a picture itself. */
export function linkedPicture(text: string, target: string): string {
  if (listImages(text).length > 1 || /^(?:url|inline|kept)$/.test(parseImage(text.trim(), '/').kind))
    return text;
  const isBetter = /^https?:\/\//i.test(target) || (isImagePath(target) && !isImagePath(text));
  return isBetter ? target : text;
}
