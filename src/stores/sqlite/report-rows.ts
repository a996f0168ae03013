/** Reads the rows of the reports with their files and attempts, a page at a time. */

import type { Source } from '../../money/question.ts';
import { keysFor, ofEachKind, type RowsOfItems } from '../item-rows.ts';
import type { ReportRow } from '../port/reading.ts';
import { completeRows, type ReportItemRow, shownVideos, withInspections } from '../report-rows.ts';
import { inspectedOf } from '../reviews.ts';
import { prepareReportStatements, reportPageRows } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';

/** Where a page ended. */
interface PageEnd {
  readonly gone: number;
  readonly row: number;
  readonly key: number;
}

export class ReportRows {
  readonly #db: Database;
  readonly #statements;
  readonly #sources = new Map<number, Source>();

  constructor(db: Database) {
    this.#db = db;
    this.#statements = prepareReportStatements(db);
  }

  /** All rows: input order, then the gone ones. */
  async *all(): AsyncIterable<readonly ReportRow[]> {
    let last: PageEnd | undefined = { gone: -1, row: -1, key: -1 };
    while (last !== undefined) {
      const page: { rows: ReportRow[]; last: PageEnd | undefined } = guard(this.#db.name, () =>
        this.#page(last as PageEnd),
      );
      yield page.rows;
      last = page.last;
    }
  }

  /** The rows with these keys that are in the reports. */
  async withKeys(keys: readonly number[]): Promise<ReportRow[]> {
    return guard(this.#db.name, () => this.#fill(this.#statements.reportRowsOf.all(JSON.stringify(keys))));
  }

  /** How to read the files that the rows are from. */
  sources(): readonly Source[] {
    return this.#statements.sources.all().map(({ key }) => this.source(key));
  }

  /** How to read the rows of an imported file. */
  source(key: number): Source {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const row = this.#statements.source.get(key);
    if (row === undefined) throw new Error(`source ${key} is missing`);
    const source: Source = parseSaved(this.#db.name, row.source);
    this.#sources.set(key, source);
    return source;
  }

  #page(after: PageEnd): { rows: ReportRow[]; last: PageEnd | undefined } {
    const found = this.#statements.reportPage.all(after);
    const end: PageEnd | undefined = found.length < reportPageRows ? undefined : found.at(-1);
    return { rows: this.#fill(found), last: end };
  }

  #fill(found: readonly ReportItemRow[]): ReportRow[] {
    const { filled, ofItems, ofRange, inspections } = this.#statements;
    const isFilled = filled.get();
    const range = denseRange(found);
    const of = ofEachKind((kind) => {
      if (isFilled?.[kind] !== 1) return [];
      return range === null
        ? ofItems[kind].all(JSON.stringify(keysFor(kind, found)))
        : ofRange[kind].all(...range);
    });
    const rows = completeRows(found, of as RowsOfItems, (key) => this.source(key));
    if (isFilled?.inspections !== 1) return rows;
    const videos = shownVideos(rows);
    return withInspections(rows, videos, inspectedOf(inspections.all(JSON.stringify(videos))));
  }
}

/**
 * The first and the last key of a page whose keys are nearly all from one to the other, as those of most files are: what
 * belongs to them is then found in a fifth less time. What belongs to the few others is ignored. Null for any other page.
 */
function denseRange(found: readonly ReportItemRow[]): [first: number, last: number] | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { key } of found) {
    if (key < first) first = key;
    if (key > last) last = key;
  }
  return last - first < 2 * found.length ? [first, last] : null;
}
