/** Reads the rows of the reports with their files and attempts, a page at a time. */

import type { Source } from '../../money/question.ts';
import { type RowsOfItems, sentKeys } from '../item-rows.ts';
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
  async *all(): AsyncIterable<ReportRow> {
    let last: PageEnd | undefined = { gone: -1, row: -1, key: -1 };
    while (last !== undefined) {
      const page: { rows: ReportRow[]; last: PageEnd | undefined } = guard(this.#db.name, () =>
        this.#page(last as PageEnd),
      );
      yield* page.rows;
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

  #isAny(statement: { get(): { readonly n: number } | undefined }): boolean {
    return statement.get()?.n === 1;
  }

  #fill(found: readonly ReportItemRow[]): ReportRow[] {
    const { anyPreference, anyCorrection, anyEdit, anyEarlierText, anyInspection, ...of } = this.#statements;
    const all = JSON.stringify(found.map(({ key }) => key));
    // With a million pending rows, skipping them saves a tenth of the time.
    const sent = JSON.stringify(sentKeys(found));
    const hasEarlier = this.#isAny(anyEarlierText);
    const belongings: RowsOfItems = {
      artifacts: of.artifacts.all(sent),
      attempts: of.attempts.all(sent),
      edits: this.#isAny(anyEdit) ? of.edits.all(sent) : [],
      earlierInputs: hasEarlier ? of.earlierInputs.all(sent) : [],
      earlierCorrections: hasEarlier ? of.earlierCorrections.all(sent) : [],
      corrections: this.#isAny(anyCorrection) ? of.corrections.all(all) : [],
      preferences: this.#isAny(anyPreference) ? of.preferences.all(sent) : [],
    };
    const rows = completeRows(found, belongings, (key) => this.source(key));
    if (!this.#isAny(anyInspection)) return rows;
    const videos = shownVideos(rows);
    return withInspections(rows, videos, inspectedOf(of.inspections.all(JSON.stringify(videos))));
  }
}
