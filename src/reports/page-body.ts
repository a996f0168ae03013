/** The rows of `report.html`, batch by batch, up to what a browser can handle. */

import type { ReportRow } from '../stores/port/reading.ts';
import { hasFormula } from '../text/formulas.ts';
import type { ReportLine } from './columns.ts';
import { renderPageRows } from './page.ts';
import { type HasFile, type ImageLinks, type OwnCells, pageRow } from './page-row.ts';
import type { PageRow } from './page-wire.ts';

/** Limits of one page: its rows, and their characters in the file. */
export interface PageRoom {
  readonly rows: number;
  readonly length: number;
}

/** What a current browser can open and use. */
const usualRoom: PageRoom = { rows: 200_000, length: 150_000_000 };

export interface PageBodyOptions {
  readonly room?: PageRoom;
  /** Finds captions; without it there are none. */
  readonly hasFile?: HasFile | undefined;
  /** Reads the user's own columns; without it there are none. */
  readonly own?: OwnCells | undefined;
}

export interface PageBody {
  /** Rows left out because the page was full. */
  readonly leftOut: number;
  /** True where a text on the page may contain a formula. */
  readonly withMath: boolean;
  /** The islands of one batch; empty when the page is full. `lines` are the `reportLine`s of the same rows. */
  render(batch: readonly ReportRow[], lines: readonly ReportLine[]): string;
}

/** A page without rows; `links` locates their images. */
export function createPageBody(
  links: ImageLinks,
  { room = usualRoom, hasFile, own }: PageBodyOptions = {},
): PageBody {
  let rowCount = 0;
  let length = 0;
  let leftOut = 0;
  let withMath = false;
  return {
    get leftOut() {
      return leftOut;
    },
    get withMath() {
      return withMath;
    },
    render(batch, lines) {
      if (rowCount >= room.rows || length >= room.length) {
        leftOut += batch.length;
        return '';
      }
      const rows = batch.map((row, index) => pageRow(row, links, { line: lines[index], hasFile, own }));
      const text = renderPageRows(rows);
      rowCount += rows.length;
      length += text.length;
      withMath ||= rows.some(showsFormula);
      return text;
    },
  };
}

function showsFormula({ question, answer, title }: PageRow): boolean {
  return [question, answer, title ?? ''].some(hasFormula);
}
